"""A message that denies one thing and asks for another: "don't delete the fence, finish the roof instead"."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.decision import Context, Message, Reason
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.reading.weighing import read_in_context
from engine.slots.titles import clean
from engine.talking.clauses import split_clauses
from engine.targets.references import Mention, is_only_name, resolve
from engine.text.normalise import Utterance


class Denied(NamedTuple):
    """The clauses that are left without what is denied, and the conversation with what that named."""

    asked: tuple[Utterance, ...]
    context: Context
    contrasts: bool
    """A word says that this shall be done in its place: "instead", "but"."""
    unclear: bool
    """What is denied is said of something that was not found: "it" may mean that."""


def split_denied(utterance: Utterance, context: Context, policy: Policy) -> Denied | None:
    """None where nothing is left, or where the denial goes on: "don't delete X, complete Y or add Z"."""
    clauses = split_clauses(utterance, policy)
    if len(clauses) < 2 or _has(utterance, "either", policy):
        return None
    asked: list[Utterance] = []
    unclear = False
    for clause in clauses:
        reading = read_in_context(clause, context, policy)[0]
        if reading.guard and reading.guard[0] is Reason.NEGATED:
            named = _named(clause, reading.guard[2], context, policy)
            unclear = unclear or not named
            context = replace(context, history=(*context.history, Message("user", "", named))) if named else context
        else:
            asked.append(clause)
    if not asked or len(asked) == len(clauses):
        return None
    apart = len(utterance.sentence_starts) > 1 or ";" in utterance.text
    contrasts = apart or any(_has(clause, "contrast", policy) for clause in asked)
    return Denied(tuple(_without_contrast(clause, policy) for clause in asked), context, contrasts, unclear)


def _named(clause: Utterance, first: int, context: Context, policy: Policy) -> tuple[str, ...]:
    """What the words after "don't delete" name."""
    words = clean(clause, first, len(clause.tokens), policy, lead="mention_lead", tail="mention_tail")
    if words is None:
        return ()
    found = resolve(Mention(words.value, words.value, words.span), context, policy, policy.catalogue.states[0])
    return (found.task_id,) if found.task_id and is_only_name(found, context, policy) else ()


def _without_contrast(clause: Utterance, policy: Policy) -> Utterance:
    """Without "but" before it and "instead" after it, which would speak of what was done before."""
    first, last = 0, len(clause.tokens)
    while last - first > 1 and _is(clause, first, "contrast", policy):
        first += 1
    while last - first > 1 and _is(clause, last - 1, "contrast", policy):
        last -= 1
    return part(clause, first, last, policy)


def _has(utterance: Utterance, name: str, policy: Policy) -> bool:
    return any(_is(utterance, place, name, policy) for place in range(len(utterance.tokens)))


def _is(utterance: Utterance, place: int, name: str, policy: Policy) -> bool:
    return name in policy.word_classes.get(utterance.tokens[place].norm, ())
