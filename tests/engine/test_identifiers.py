from __future__ import annotations

import pytest

from domains.loading import numbered_nouns
from engine.targets.identifiers import find_numbered, parse_identifier

UUID = "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize(
    "text", ["12", "#12", "# 12", "task 12", "Task #12", "TASK-12", "task-12", " 12 ", "'12'", "attività 12"]
)
def test_a_number_is_read_in_every_way_people_write_it(text: str) -> None:
    assert parse_identifier(text, numbered_nouns()).number == 12


def test_what_is_said_before_a_number_is_read_alike_in_a_call_and_in_a_mention() -> None:
    for noun in numbered_nouns():
        said = f"{noun.replace(' ', '-')} 12"
        assert parse_identifier(said, numbered_nouns()).number == 12
        assert find_numbered(f"the {said}, please", numbered_nouns()) == 12
    assert find_numbered("things to do 5 times", numbered_nouns()) is None
    assert parse_identifier("task 12").number is None


@pytest.mark.parametrize("text", [UUID, UUID.upper(), UUID.replace("-", ""), f'"{UUID}"'])
def test_a_uuid_is_read_in_one_form(text: str) -> None:
    assert parse_identifier(text, numbered_nouns()).uuid == UUID


@pytest.mark.parametrize(
    "text",
    ["buy 12 eggs", "task twelve", "12a", "1.2", "-12", "٣", "#", "task", "", "{" + UUID + "}", "550e8400", "9" * 10],
)
def test_anything_else_is_a_title(text: str) -> None:
    identifier = parse_identifier(text, numbered_nouns())
    assert (identifier.number, identifier.uuid) == (None, None)
