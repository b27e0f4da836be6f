"""New values for something that exists: a name, a note, a level, a date, a status, or plain words."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch
from engine.decision import Slot
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.reading.read import Reading
from engine.slots.levels import is_all_level, read_level
from engine.slots.titles import clean, end_before_sentence, find_quoted
from engine.slots.told_behind import is_bare_number, told_behind

_LONGEST_LEVEL = 3
_NEAR = 3


def find_changes(
    reading: Reading, facts: ToolFacts, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch
) -> tuple[Slot, ...]:
    """What the frame says shall be different afterwards."""
    found = [*_from_slots(reading, facts, policy, dates, lead), *_from_frame(reading, lead)]
    if not found and lead.frame.within:
        found += _level_in(reading, facts, policy, lead.start, lead.end)
    return tuple({slot.name: slot for slot in reversed(found)}.values())


def find_words(reading: Reading, facts: ToolFacts, policy: Policy, lead: FrameMatch | None) -> tuple[Slot, ...]:
    """The arguments that are simply the words of the frame's slot of their name."""
    named = [name for name, kind in facts.reads.items() if kind == "words"] if lead else []
    places = [(name, lead.slot(name)) for name in named] if lead else []
    return tuple(slot for name, place in places if place for slot in _text_in(reading, policy, name, *place))


def _from_frame(reading: Reading, lead: FrameMatch) -> Iterator[Slot]:
    span = reading.utterance.span(lead.start, min(lead.end, reading.scene.stop))
    for name, value in lead.frame.sets.items():
        yield Slot(name, value, span)


def _from_slots(
    reading: Reading, facts: ToolFacts, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch
) -> Iterator[Slot]:
    for name, first, last in lead.slots:
        kind = facts.reads.get(name)
        if first == last or kind is None:
            continue
        if kind == "date":
            meant = tuple(each for each in dates if not _is_denied(each, reading, policy, first))
            yield from _dates_in(reading, facts, meant, first, _before_told(reading, facts, policy, first, last))
            if facts.argument("level"):  # "to today with top priority"
                yield from _level_in(reading, facts, policy, first, last)
        elif kind == "level":
            yield from _level_in(reading, facts, policy, first, last)
        elif kind == "name":
            # "change it to Friday", "change that to high priority": the value tells what is meant.
            until = _before_reason(reading, policy, first, last)
            yield from (
                _dates_in(reading, facts, dates, first, last, whole=True)
                or _level_in(reading, facts, policy, first, last, whole=True)
                or _dates_in(reading, facts, dates, first, until, whole=True)
                or _level_in(reading, facts, policy, first, until, whole=True)
                or _text_in(reading, policy, name, first, last)
            )
        else:
            yield from _text_in(reading, policy, name, first, last)


def _is_denied(date: DateMatch, reading: Reading, policy: Policy, first: int) -> bool:
    """ "make it 8 he's never up at 7": shortly after a no, it says why."""
    place = next((at for at, token in enumerate(reading.utterance.tokens) if token.end > date.span.start), 0)
    near = reading.scene.words[max(first, place - _NEAR) : place]
    return any("negation" in policy.word_classes.get(word, ()) for word in near)


def _before_told(reading: Reading, facts: ToolFacts, policy: Policy, first: int, last: int) -> int:
    """ "make that high, the inspector is coming on Thursday": the level is what shall be, and the day says why."""
    told = told_behind(reading.utterance, reading.scene.words, policy)
    if not first < told < last:
        return last
    number = is_bare_number(reading.scene.words, told - 1, policy)  # "make it 11, they have a group there till ten"
    level = bool(facts.argument("level")) and _level_in(reading, facts, policy, first, told)
    return told if level or number else last


def _before_reason(reading: Reading, policy: Policy, first: int, last: int) -> int:
    """ "change it to tomorrow, I am in town then", "… to Saturday so I'm not late": what is a value by itself may be
    followed by why."""
    text, tokens, words = reading.utterance.text, reading.utterance.tokens, reading.scene.words
    for place in range(first + 1, min(last, len(tokens))):
        comma = "," in text[tokens[place - 1].end : tokens[place].start]
        if comma or not _JOINING.isdisjoint(policy.word_classes.get(words[place], ())):
            return place
    return last


_JOINING = frozenset({"clause_joiner", "reason_word"})


def _text_in(reading: Reading, policy: Policy, name: str, first: int, last: int) -> list[Slot]:
    if any(facts.argument("name") == name for facts in policy.catalogue.tools):
        last = end_before_sentence(reading.utterance, first, last, policy)
    words = find_quoted(reading.utterance, first, last) or clean(
        reading.utterance, first, last, policy, lead="value_lead"
    )
    return [Slot(name, words.value, words.span)] if words else []


def _dates_in(
    reading: Reading, facts: ToolFacts, dates: tuple[DateMatch, ...], first: int, last: int, whole: bool = False
) -> list[Slot]:
    region = reading.utterance.span(first, last)
    # The preposition before the slot may belong to the date ("to Friday").
    match = next((match for match in dates if match.span.end > region.start and match.span.start < region.end), None)
    argument = facts.argument("date")
    if not argument or match is None:
        return []
    if whole and (match.span.end < region.end or match.span.start > region.start):
        return []
    return [Slot(argument, match.value, match.span, match.alternatives)]


def _level_in(
    reading: Reading, facts: ToolFacts, policy: Policy, first: int, last: int, whole: bool = False
) -> list[Slot]:
    words = _without_reason(reading.scene.words[first:last], policy)
    level = read_level(words, policy, facts)
    if level is None or (whole and (len(words) > _LONGEST_LEVEL or not is_all_level(words, policy, facts))):
        return []
    return [Slot(facts.argument("level"), level, reading.utterance.span(first, last))]


def _without_reason(words: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    """ "move it to 11, because I take it easy before that": how urgent something is does not stand in its reason."""
    if _REASON not in policy.lexicon.names(words):  # nearly always
        return words
    return words[: next((at for at in range(1, len(words)) if policy.lexicon.ends(_REASON, words, at)), len(words))]


_REASON = "reason_word"
