"""What speaks against doing something now: a denial, a question, a condition, another time, a mere report."""

from __future__ import annotations

from collections.abc import Sequence

from domains.machines.composing.lexicon import load_lexicon
from domains.machines.composing.marks import Mark, Marked
from engine.completing.values import Why
from engine.decision import Reason
from engine.policy.values import Policy
from engine.reading.frames import find_guard, make_scene

_GUARDED = {
    Reason.NEGATED: Why.NEGATED,
    Reason.HYPOTHETICAL: Why.CONDITIONAL,
    Reason.QUESTION_ABOUT_TOOL: Why.QUESTION,
    Reason.NOT_ABOUT_TASKS: Why.NOT_A_REQUEST,
}
READING_VERBS = ("reads", "reads_if", "lists")


def find_guarded(marked: Marked, policy: Policy) -> Why | None:
    """What the language's guards say of the whole message: "when the tank is full, stop the pump" asks for nothing."""
    utterance = marked.utterance
    words = utterance.words
    if not policy.guard_index.possible(frozenset(words)):
        return None
    asks = utterance.text.rstrip().endswith("?")
    found = find_guard(make_scene(words, utterance.sentence_starts, policy), policy, None, asks)
    return _GUARDED.get(found[0]) if found else None


def is_negated_reading(part: tuple[Mark, ...]) -> bool:
    """ "don't show me …"; but "which ones are not connected" is a plain question."""
    verb = next((mark for mark in part if mark.kind in READING_VERBS), None)
    negation = next((mark for mark in part if mark.kind == "negations"), None)
    return negation is not None and verb is not None and negation.first < verb.first


def find_report(part: tuple[Mark, ...]) -> Why | None:
    return Why.NOT_A_REQUEST if any(mark.kind in ("states", "reported") for mark in part) else None


def find_refusal(part: tuple[Mark, ...], action: Mark, marked: Marked) -> Why | None:
    before = [mark for mark in part if mark.first < action.first]
    if any(mark.kind == "negations" for mark in part):
        return Why.NEGATED
    if any(mark.kind == "asks" for mark in before):
        return Why.QUESTION
    if any(mark.kind == "conditions" for mark in marked.marks):
        return Why.CONDITIONAL
    if any(mark.kind in ("states", "reported") for mark in before):
        return Why.NOT_A_REQUEST
    if is_later(part, action):
        return Why.LATER
    if before and before[0].kind == "question_words" and not any(mark.kind == "polite" for mark in before):
        return Why.QUESTION
    return None


def is_later(part: Sequence[Mark], action: Mark) -> bool:
    """Whether the words want it at another time, or for a while: nothing here can wait."""
    sets = load_lexicon().sets
    takes_number = action.meaning in ("set", "raise", "lower")
    for place, mark in enumerate(part):
        if mark.kind in ("later", "clock"):
            return True
        if mark.kind != "number":
            continue
        before = part[place - 1].meaning if place else ""
        after = part[place + 1] if place + 1 < len(part) else None
        has_time_unit = after is not None and (after.meaning in sets["later_after_number"] or after.meaning == "min")
        towards = before in sets["towards"]
        if has_time_unit and not (takes_number and towards):
            return True
        if not takes_number and before in sets["later_before_number"]:
            return True
    return False
