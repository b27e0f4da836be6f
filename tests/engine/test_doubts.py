"""A change that such changes were mostly wrong for is asked about, and says why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Reason
from engine.doubting.asking import FACET, find_doubt
from engine.targets.memory_index import MemoryIndex
from tests.engine.talking import NOW

SAID = "please remind me to call the bank tomorrow at nine"


def decide(text: str, weights: dict[str, float] | None, context: Context | None = None) -> Decision:
    """Under what was learned, if anything was."""
    policy = load_domain().policies["en"]
    facets = {name: each for name, each in policy.talk.facets.items() if name != FACET}
    if weights is not None:
        facets[FACET] = weights
    policy = replace(policy, talk=replace(policy.talk, facets=facets))
    return RuleDecider(load_domain(), policy).decide(text, context or Context(MemoryIndex(), NOW, language="en"))


def test_what_is_likelier_wrong_than_right_is_asked_and_a_yes_does_it() -> None:
    sure = decide(SAID, None)
    asked = decide(SAID, {"": 0.0, "words": 2.0, "to add": 1.0})
    assert sure.action == "execute"
    assert (asked.action, asked.reason, asked.calls) == ("clarify", Reason.BELOW_THRESHOLD, ())
    assert asked.pending is not None
    assert "call the bank" in asked.message
    agreed = decide("yes", {"": 9.0}, Context(MemoryIndex(), NOW, pending=asked.pending, language="en"))
    assert agreed.action == "execute", "a yes is not doubted"
    assert [call.asked for call in agreed.calls] == [call.asked for call in sure.calls]


def test_the_ledger_says_what_the_doubt_comes_from_and_adds_up() -> None:
    asked = decide(SAID, {"": -1.0, "words": 3.0, "to add": 0.5, "commas": 9.0})
    doubt = find_doubt(asked)
    assert doubt is not None
    assert doubt.detail.split(", ") == ["words", "to add"]
    assert asked.confidence == pytest.approx(1 - (asked.doubt or 0.0), abs=0.002)
    assert sum(factor.amount for factor in asked.ledger) == pytest.approx(asked.confidence, abs=0.002)


@pytest.mark.parametrize(
    "text",
    ["remind me to call the bank", "please add 'call the bank about it' to my list of things to do", "show my tasks"],
    ids=["in a few words", "in quotes", "that changes nothing"],
)
def test_what_is_said_is_not_doubted(text: str) -> None:
    decision = decide(text, {"": 9.0})
    assert (decision.action, decision.doubt, find_doubt(decision)) == ("execute", None, None)


def test_without_anything_learned_there_is_no_doubt() -> None:
    assert decide(SAID, None).doubt is None


def test_what_was_learned_asks_about_no_plain_request() -> None:
    context = Context(MemoryIndex(), NOW, language="en")
    plain = ("add rehearsal on saturday at seven in the evening", "add milk, eggs, bread and butter please", SAID)
    for text in plain:
        decision = RuleDecider(load_domain()).decide(text, context)
        assert decision.action == "execute", text
        assert decision.doubt is not None
        assert decision.doubt < 0.4, text
