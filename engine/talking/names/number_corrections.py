"""A number put right in passing: "sorry, 54 seats", "chapter 7, sorry", "nah, it's 38.5", "make that three geese, they
are coming too".

Only right after something got its name or its note, or was spoken of, and only where one number of it can be meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.decision import Candidate, Factor, Reference, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.names.numbers_said import NumberSaid, find_numbers, how_much, word_before, words_after, written_like
from engine.talking.values import Told
from engine.talking.ways.changing import changing_tool, last_target
from engine.text.folding import fold
from engine.values import Argument, Provenance, Span, Task

_LONGEST, _LAST_HOUR = 7, 24
_SURE = 0.85
_BREAKS = ",;.!–—"
_CORRECTING = ("cue_correct", "corrector", "no_word", "interjection")
_FILLING = ("just_it", "det", "small_word", "closer")
_SAME, _MAKES, _WRITES = "cue_same", "makes_number", "writes_number"


class _NewNumber(NamedTuple):
    said: NumberSaid
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
    if new is None or not _may_be_put_right(new, told) or (new.made and _may_say_when(new, task, told)):
        return None
    slot = _mend(task, new, facts, told)
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


def _may_say_when(new: _NewNumber, task: Task, told: Told) -> bool:
    """ "make it 7" of a lunch for six at noon: the hour may be meant. A day is not said as a bare number."""
    value = how_much(new.said, told.policy)
    return not new.noun and bool(task.due_date) and value is not None and value <= _LAST_HOUR


def _find_number(told: Told) -> _NewNumber | None:
    """The one number that is said with a word of correction, or asked for, and the one word beside it: in the whole
    message, or in a part of it, before or after which something else is told."""
    words, utterance, policy = told.reading.scene.words, told.reading.utterance, told.policy
    if "?" in utterance.own_text or told.dates or policy.lexicon.says(_SAME, words):
        return None  # "the same for room 6" is another one
    found = _find_within(0, len(words), told)
    if found is not None:
        return found
    parts = [_find_within(first, last, told) for first, last in _parts(told)]
    made = [each for each in parts if each is not None and each.made and each.noun]
    return made[0] if len(made) == 1 else None


def _parts(told: Told) -> Iterator[tuple[int, int]]:
    """From which word to which, where a sign parts them."""
    utterance, first = told.reading.utterance, 0
    for place, token in enumerate(utterance.tokens[1:], start=1):
        between = utterance.text[utterance.tokens[place - 1].end : token.start]
        if any(sign in _BREAKS for sign in between):
            yield first, place
            first = place
    if first:
        yield first, len(utterance.tokens)


def _find_within(first: int, last: int, told: Told) -> _NewNumber | None:
    words, utterance, policy = told.reading.scene.words, told.reading.utterance, told.policy
    tokens = utterance.tokens
    if not 0 < last - first <= _LONGEST:
        return None
    text = utterance.text[: tokens[last - 1].end] if last < len(tokens) else utterance.text
    numbers = [each for each in find_numbers(text, policy) if each.start >= tokens[first].start]
    if len(numbers) != 1:
        return None
    number, said, heard, place = numbers[0], [], set[str](), first
    while place < last:
        found = [(length, name) for name, length in policy.lexicon.classes(words, place)]
        leads = [(length, name) for length, name in found if name in _LEADS]
        heard.update(name for _, name in leads)
        is_number = tokens[place].start == number.start
        if not leads and not is_number and not any(name in _FILLING for _, name in found):
            said.append(place)
        place += 1 if is_number else max((length for length, _ in leads), default=1)
    nouns = [fold(utterance.text[tokens[each].start : tokens[each].end]) for each in said]
    nouns = [each for each in nouns if each.isalpha()]
    corrects = not heard.isdisjoint(_CORRECTING)
    made = _MAKES in heard or (_WRITES in heard and bool(nouns or corrects))
    if not (corrects or made) or len(nouns) > 1 or (number.in_words and not nouns and not made):
        return None
    noun_first = bool(nouns) and any(tokens[each].start < number.start for each in said)
    return _NewNumber(number, Span(number.start, number.end), nouns[0] if nouns else "", noun_first, made)


_LEADS = (*_CORRECTING, _MAKES, _WRITES)


def _mend(task: Task, new: _NewNumber, facts: ToolFacts, told: Told) -> Slot | None:
    """The note or the name with the new number in the place of the old one."""
    mended = []
    for argument, text in ((facts.argument("note"), task.description), (facts.argument("name"), task.title)):
        places = [each for each in find_numbers(text or "", told.policy) if _can_be(each, text, new)]
        written = written_like(new.said, places[0], told.policy) if len(places) == 1 else ""
        if argument and written and places[0].text != written:
            mended.append(Slot(argument, text[: places[0].start] + written + text[places[0].end :], new.span))
    return mended[0] if mended and not (new.made and len(mended) > 1) else None


def _can_be(old: NumberSaid, text: str, new: _NewNumber) -> bool:
    if not new.noun:
        return old.is_whole == new.said.is_whole
    if new.noun_first:
        return new.noun == word_before(text, old.start)
    return new.noun in words_after(text, old.end)
