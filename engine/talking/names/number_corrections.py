"""A number put right in passing: "sorry, 54 seats", "chapter 7, sorry", "nah, it's 38.5".

Only right after something got its name or its note, and only where one number of it can be meant.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.decision import Candidate, Factor, Reference, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.values import Told
from engine.talking.ways.changing import changing_tool, last_target
from engine.text.folding import fold
from engine.values import Argument, Provenance, Span, Task

_LONGEST = 6
_SURE = 0.85
_NUMBER = re.compile(r"(?<![\w.,:/])\d+(?:[.,:/]\d+)?(?![\w:/]|[.,]\d)")
_WORD = re.compile(r"[^\W\d_]+")
_CORRECTING = ("cue_correct", "corrector", "no_word", "interjection")
_FILLING = ("just_it", "det", "small_word")


class _NewNumber(NamedTuple):
    figures: str
    span: Span
    noun: str
    """The word beside it; empty where it stands alone."""
    noun_first: bool = False
    """ "chapter 7", not "7 chapters"."""


def put_number_right(told: Told) -> tuple[Outcome, ...] | None:
    facts, target = changing_tool(told), last_target(told)
    task = told.context.tasks.find_by_id(target) if target else None
    fresh = told.situation.fresh and told.situation.effect in ("add", "change")
    if facts is None or not isinstance(task, Task) or not fresh or told.context.pending or told.reading.frames:
        return None
    new = _find_number(told)
    slot = _mend(task, new, facts) if new else None
    if new is None or slot is None:
        return None
    words = told.reading.scene.words
    drafted = Draft(facts.intent, (Argument(slot.name, slot.value, Provenance("words", slot.span)),), (slot,))
    reference = Reference(told.reading.utterance.text, slot.span, (Candidate(task.id, 0.95, "pronoun"),), task.id)
    basis = Basis("move:number", "correct", _SURE, (Factor("a number of it put right", _SURE),), 0, len(words))
    return (judge_with(basis, facts, drafted, reference, told),)


def _find_number(told: Told) -> _NewNumber | None:
    """The one number that is said with a word of correction, and the one word beside it."""
    words, utterance, policy = told.reading.scene.words, told.reading.utterance, told.policy
    text = utterance.own_text
    numbers = list(_NUMBER.finditer(text))
    if len(words) > _LONGEST or len(numbers) != 1 or "?" in text or told.dates:
        return None
    said, corrects, place = [], False, 0
    while place < len(words):
        found = [(length, name) for name, length in policy.lexicon.classes(words, place)]
        wrong = [length for length, name in found if name in _CORRECTING]
        corrects = corrects or bool(wrong)
        if not wrong and not any(name in _FILLING for _, name in found):
            said.append(place)
        place += max(wrong, default=1)
    tokens = utterance.tokens
    beside = [utterance.text[tokens[each].start : tokens[each].end] for each in said]
    nouns = [fold(each) for each in beside if _WORD.fullmatch(each)]
    if not corrects or len(nouns) > 1:
        return None
    start = tokens[0].start + numbers[0].start() - (len(text) - len(text.lstrip()))
    span = Span(start, start + len(numbers[0].group()))
    first = bool(nouns) and any(tokens[each].start < start for each in said)
    return _NewNumber(numbers[0].group(), span, nouns[0] if nouns else "", first)


def _mend(task: Task, new: _NewNumber, facts: ToolFacts) -> Slot | None:
    """The note or the name with the new number in the place of the old one."""
    for argument, text in ((facts.argument("note"), task.description), (facts.argument("name"), task.title)):
        places = [each for each in _NUMBER.finditer(text or "") if _can_be(each, text, new)]
        if argument and len(places) == 1 and places[0].group() != new.figures:
            value = text[: places[0].start()] + new.figures + text[places[0].end() :]
            return Slot(argument, value, new.span)
    return None


def _can_be(old: re.Match[str], text: str, new: _NewNumber) -> bool:
    if not new.noun:
        return bool(re.search(r"\D", old.group())) == bool(re.search(r"\D", new.figures))
    beside = _WORD.findall(text[: old.start()])[-1:] if new.noun_first else _WORD.findall(text[old.end() :])[:1]
    return new.noun in {fold(each) for each in beside}
