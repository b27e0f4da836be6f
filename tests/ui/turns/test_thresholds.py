"""A recorded turn is shown with the threshold of its own moment."""

from __future__ import annotations

from dataclasses import replace

from domains.loading import first_policy, load_policy
from engine.border.json_form import from_json, to_json
from engine.decision import Decision, Reason, Thresholds
from ui.turns.thresholds import find_act_threshold

DECISION = Decision("engine", "reply", "unknown", Reason.EMPTY, language="it", thresholds=Thresholds(act=0.31))


def stored(decision: Decision) -> Decision:
    """As it comes back from the store."""
    return from_json(Decision, to_json(decision))


def test_it_is_the_one_that_the_decision_was_held_to() -> None:
    assert find_act_threshold(stored(DECISION)) == 0.31


def test_an_older_record_gets_that_of_its_language() -> None:
    assert find_act_threshold(stored(replace(DECISION, thresholds=None))) == load_policy("it").thresholds.act


def test_without_a_language_that_there_is_it_is_that_of_the_first() -> None:
    for language in ("", "xx"):
        old = replace(DECISION, thresholds=None, language=language)
        assert find_act_threshold(stored(old)) == first_policy().thresholds.act
    assert find_act_threshold(None) == first_policy().thresholds.act
