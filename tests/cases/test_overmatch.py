"""Each sentence must be won by its own intent: no other intent may score higher, whatever is done about it."""

from __future__ import annotations

from dataclasses import replace

from evals.case import Case
from evals.cases import load_known_failures
from tests.our_cases import decided, our_cases

KNOWN_FAILURES = load_known_failures()
SENTENCES = [
    case
    for case in our_cases()
    if len(case.turns) == 1
    and len(case.turns[0].intent) == 1
    and case.turns[0].intent != ("unknown",)
    and case.id not in KNOWN_FAILURES
]


def find_rivals(case: Case) -> str:
    """What is wrong, in words; nothing where the sentence's own intent wins."""
    decision = decided(case).turns[0].decision
    scores = {score.intent: score.score for score in decision.scores if score.intent != "unknown"}
    own = case.turns[0].intent[0]
    rivals = {intent: score for intent, score in scores.items() if score > scores.get(own, float("-inf"))}
    return f"{case.id}: {case.turns[0].text!r} should be {own}: {scores}" if rivals else ""


def test_a_sentence_is_won_by_its_own_intent() -> None:
    assert list(filter(None, map(find_rivals, SENTENCES))) == []


def test_a_rival_would_be_found() -> None:
    case = SENTENCES[0]
    other = next(each.turns[0].intent for each in SENTENCES if each.turns[0].intent != case.turns[0].intent)
    assert case.id in find_rivals(replace(case, turns=(replace(case.turns[0], intent=other),)))


def test_most_sentences_are_looked_at() -> None:
    assert len(SENTENCES) >= 400
