"""What the case files promise: enough cases, all intents, both languages, the specifications' own examples."""

from __future__ import annotations

from collections import Counter

from domains.tasks.tools import CATALOGUE
from tests.our_cases import our_cases

CASES = our_cases()


def test_there_are_at_least_600_cases_and_150_of_them_italian() -> None:
    languages = Counter(case.language for case in CASES)
    assert languages["en"] >= 600
    assert languages["it"] >= 150


def test_every_intent_has_cases_in_both_languages() -> None:
    for language in ("en", "it"):
        expected = Counter(turn.intent[0] for case in CASES if case.language == language for turn in case.turns)
        assert all(expected[intent] >= 5 for intent in CATALOGUE.intents), expected


def test_conversations_of_several_turns_are_there_in_both_languages() -> None:
    several = Counter(case.language for case in CASES if len(case.turns) > 1)
    assert several["en"] >= 30
    assert several["it"] >= 10


def test_the_examples_of_the_specifications_are_marked() -> None:
    tags = Counter(tag for case in CASES for tag in case.tags)
    assert tags["spec1"] >= 25
    assert tags["spec2"] >= 7
    assert tags["spec4"] >= 14


def test_no_message_is_there_twice_in_the_same_situation() -> None:
    situations = Counter(
        (case.language, tuple(turn.text for turn in case.turns), case.tasks, case.history) for case in CASES
    )
    assert [key for key, count in situations.items() if count > 1] == []
