from __future__ import annotations

import pytest

from engine.targets.identifiers import parse_identifier

UUID = "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize("text", ["12", "#12", "# 12", "task 12", "Task #12", "TASK-12", "task-12", " 12 ", "'12'"])
def test_a_number_is_read_in_every_way_people_write_it(text: str) -> None:
    assert parse_identifier(text).number == 12


@pytest.mark.parametrize("text", [UUID, UUID.upper(), UUID.replace("-", ""), f'"{UUID}"'])
def test_a_uuid_is_read_in_one_form(text: str) -> None:
    assert parse_identifier(text).uuid == UUID


@pytest.mark.parametrize(
    "text",
    ["buy 12 eggs", "task twelve", "12a", "1.2", "-12", "٣", "#", "task", "", "{" + UUID + "}", "550e8400", "9" * 10],
)
def test_anything_else_is_a_title(text: str) -> None:
    identifier = parse_identifier(text)
    assert (identifier.number, identifier.uuid) == (None, None)
