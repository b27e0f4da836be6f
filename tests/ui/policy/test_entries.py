"""What a policy consists of, as rows to look through."""

from __future__ import annotations

import pytest

from domains.loading import load_domain
from engine.policy.values import Policy
from ui.policy.entries import SECTIONS, Section, list_entries, search


@pytest.fixture(scope="module")
def policy() -> Policy:
    return load_domain("tasks").policies["en"]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_part_has_rows_with_their_places(policy: Policy, section: Section) -> None:
    entries = list_entries(policy, section)
    assert entries
    assert all(each.place and each.name for each in entries)


def test_a_search_finds_all_words_in_any_order_whatever_their_case(policy: Policy) -> None:
    entries = list_entries(policy, "words")
    assert "remind_me" in [each.name for each in search(entries, "ME to SHOUT at")]
    assert search(entries, "") == entries
    assert {each.place for each in search(entries, "languages/en/words")} < {each.place for each in entries}
    assert search(entries, "xyzzy") == ()


def test_a_rule_is_found_at_its_line(policy: Policy) -> None:
    (found,) = [each for each in list_entries(policy, "frames") if each.name == "add.remind_me"]
    assert found.place.startswith("en/intents/add_task.yaml line ")
    assert found.lines[0] == "<remind_me> {title}"


def test_weights_and_guards_are_told_in_words(policy: Policy) -> None:
    weights = {each.name: each for each in list_entries(policy, "weights")}
    assert weights["shape:no_frame"].about == "no known way of asking"
    assert all("_task " not in line for line in weights["shape:no_frame"].lines)
    assert any(each.about.startswith("it says not to; against") for each in list_entries(policy, "guards"))
