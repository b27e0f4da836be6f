"""What is learned from: every message of the cases with what is observed in it, and what it should have been."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from engine.decider import RuleDecider
from engine.decision import Context
from engine.policy.values import Policy
from engine.policy.weights import make_empty
from engine.reading.weighing import read_in_context
from engine.text.normalise import WORD_LIMIT, is_long, normalise
from evals.case import Case
from evals.situation import begin, go_on


class LearnedRow(NamedTuple):
    case: str
    """Rows of one case are held out together."""
    names: tuple[str, ...]
    """What was observed."""
    intents: tuple[str, ...]
    """Any of these is right."""
    guarded: bool
    """Whether a guard speaks for doing nothing besides."""


def observing(policy: Policy) -> Policy:
    """The policy that notices everything, also what the table has no weight for yet."""
    empty = make_empty(policy.catalogue.intents, policy.weights.vocabulary)
    return policy.vary(weights=empty)


def read_rows(case: Case, decider: RuleDecider, observer: Policy) -> Iterator[LearnedRow]:
    """Of each turn whose place in the conversation is sure: up to the first that goes wrong, that one included. An
    answer to a question is no request by itself: it is left out."""
    situation = begin(case)
    for turn in case.turns:
        if situation.context.pending is None:
            row = read_row(case.id, turn.text, situation.context, turn.intent, observer)
            if row:
                yield row
        decision = decider.decide(turn.text, situation.context)
        if decision.intent not in turn.intent:
            return
        situation = go_on(situation, turn.text, decision)


def read_row(case: str, text: str, context: Context, intents: Iterable[str], observer: Policy) -> LearnedRow | None:
    """None: the message is too long, or empty, to be read at all."""
    if is_long(text):
        return None
    utterance = normalise(text, observer.spellings, observer.elisions)
    if not 0 < len(utterance.tokens) <= WORD_LIMIT:
        return None
    alone = replace(context, pending=None)
    reading = read_in_context(utterance, alone, observer)[0]
    names = tuple(each.name for each in reading.observations)
    return LearnedRow(case, names, tuple(intents), reading.guard is not None)
