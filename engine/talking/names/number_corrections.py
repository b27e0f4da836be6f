"""A number put right in passing: "sorry, 54 seats", "chapter 7, sorry", "nah, it's 38.5", "make it 30".

Only right after something got its name or its note, or was spoken of, and only where one number of it can be meant.
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

_LONGEST, _LAST_HOUR = 7, 24
_SURE = 0.85
_NUMBER = re.compile(r"(?<![\w.,:/])\d+(?:[.,:/]\d+)?(?![\w:/]|[.,]\d)")
_WORD = re.compile(r"[^\W\d_]+")
_CORRECTING = ("cue_correct", "corrector", "no_word", "interjection")
_FILLING = ("just_it", "det", "small_word", "closer")
_SAME, _MAKES, _WRITES = "cue_same", "makes_number", "writes_number"


class _NewNumber(NamedTuple):
    figures: str
    span: Span
    noun: str
    """The word beside it; empty where it stands alone."""
    noun_first: bool = False
    """ "chapter 7", not "7 chapters"."""
    made: bool = False
    """ "make it 30": asked for, and nothing said that it was wrong."""


def put_number_right(told: Told) -> tuple[Outcome, ...] | None:
    target = last_target(told) if told.situation.fresh and not told.context.pending else None
    task = told.context.tasks.find_by_id(target) if target else None
    facts = changing_tool(told)
    if facts is None or not isinstance(task, Task):
        return None
    new = _find_number(told)
    if new is None or not _may_be_put_right(new, told) or (new.made and _may_say_when(new, task)):
        return None
    slot = _mend(task, new, facts)
    if slot is None:
        return None
    words = told.reading.scene.words
    drafted = Draft(facts.intent, (Argument(slot.name, slot.value, Provenance("words", slot.span)),), (slot,))
    reference = Reference(told.reading.utterance.text, slot.span, (Candidate(task.id, 0.95, "pronoun"),), task.id)
    basis = Basis("move:number", "correct", _SURE, (Factor("a number of it put right", _SURE),), 0, len(words))
    return (judge_with(basis, facts, drafted, reference, told),)


def _may_be_put_right(new: _NewNumber, told: Told) -> bool:
    """Whether something just got its name; or was spoken of, where the number is asked for."""
    if new.made:
        return told.situation.effect in ("add", "change", "read")
    return told.situation.effect in ("add", "change") and not told.reading.frames


def _may_say_when(new: _NewNumber, task: Task) -> bool:
    """ "make it 7" of a lunch for six at noon: the hour may be meant. A day is not said as a bare number."""
    return not new.noun and bool(task.due_date) and new.figures.isdigit() and int(new.figures) <= _LAST_HOUR


def _find_number(told: Told) -> _NewNumber | None:
    """The one number that is said with a word of correction, or asked for, and the one word beside it."""
    words, utterance, policy = told.reading.scene.words, told.reading.utterance, told.policy
    text = utterance.own_text
    numbers = list(_NUMBER.finditer(text))
    if len(words) > _LONGEST or len(numbers) != 1 or "?" in text or told.dates:
        return None
    if policy.lexicon.says(_SAME, words):
        return None  # "the same for room 6" is another one
    said, heard, place = [], set[str](), 0
    while place < len(words):
        found = [(length, name) for name, length in policy.lexicon.classes(words, place)]
        leads = [(length, name) for length, name in found if name in _LEADS]
        heard.update(name for _, name in leads)
        if not leads and not any(name in _FILLING for _, name in found):
            said.append(place)
        place += max((length for length, _ in leads), default=1)
    tokens = utterance.tokens
    beside = [utterance.text[tokens[each].start : tokens[each].end] for each in said]
    nouns = [fold(each) for each in beside if _WORD.fullmatch(each)]
    corrects = not heard.isdisjoint(_CORRECTING)
    made = _MAKES in heard or (_WRITES in heard and bool(nouns or corrects))
    if not (corrects or made) or len(nouns) > 1:
        return None
    start = tokens[0].start + numbers[0].start() - (len(text) - len(text.lstrip()))
    span = Span(start, start + len(numbers[0].group()))
    first = bool(nouns) and any(tokens[each].start < start for each in said)
    return _NewNumber(numbers[0].group(), span, nouns[0] if nouns else "", first, made)


_LEADS = (*_CORRECTING, _MAKES, _WRITES)


def _mend(task: Task, new: _NewNumber, facts: ToolFacts) -> Slot | None:
    """The note or the name with the new number in the place of the old one."""
    mended = []
    for argument, text in ((facts.argument("note"), task.description), (facts.argument("name"), task.title)):
        places = [each for each in _NUMBER.finditer(text or "") if _can_be(each, text, new)]
        if argument and len(places) == 1 and places[0].group() != new.figures:
            value = text[: places[0].start()] + new.figures + text[places[0].end() :]
            mended.append(Slot(argument, value, new.span))
    return mended[0] if mended and not (new.made and len(mended) > 1) else None


def _can_be(old: re.Match[str], text: str, new: _NewNumber) -> bool:
    if not new.noun:
        return bool(re.search(r"\D", old.group())) == bool(re.search(r"\D", new.figures))
    beside = _WORD.findall(text[: old.start()])[-1:] if new.noun_first else _WORD.findall(text[old.end() :])[:1]
    return new.noun in {fold(each) for each in beside}
