"""Each sentence must be won by its own intent: no other intent may score higher, whatever is done about it."""

from __future__ import annotations

import pytest

from domains.deciders import load_decider
from evals.case import Case
from evals.cases import load_known_failures
from evals.situation import begin
from tests.our_cases import our_cases

DECIDER = load_decider()
KNOWN_FAILURES = load_known_failures()
SENTENCES = [
    case
    for case in our_cases()
    if len(case.turns) == 1
    and len(case.turns[0].intent) == 1
    and case.turns[0].intent != ("unknown",)
    and case.id not in KNOWN_FAILURES
]


@pytest.mark.parametrize("case", SENTENCES, ids=lambda case: case.id)
def test_a_sentence_is_won_by_its_own_intent(case: Case) -> None:
    decision = DECIDER.decide(case.turns[0].text, begin(case).context)
    scores = {score.intent: score.score for score in decision.scores if score.intent != "unknown"}
    own = case.turns[0].intent[0]
    rivals = {intent: score for intent, score in scores.items() if score > scores.get(own, float("-inf"))}
    assert not rivals, f"{case.turns[0].text!r} should be {own}: {scores}"


def test_most_sentences_are_looked_at() -> None:
    assert len(SENTENCES) >= 400
