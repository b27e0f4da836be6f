"""New values for an update: title, description, priority, due date, status."""

from __future__ import annotations

from collections.abc import Iterator

from engine.dates import DateMatch
from engine.decision import Slot
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.reading.read import Reading
from engine.slots.priorities import find_level
from engine.slots.titles import clean, find_quoted


def find_changes(
    reading: Reading, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None
) -> tuple[Slot, ...]:
    """What the frame says shall be different afterwards."""
    if lead is None:
        return ()
    found = [*_from_slots(reading, policy, dates, lead), *_from_frame(reading, lead)]
    if not found and lead.frame.id == "update.priority":
        found += _priority_in(reading, policy, lead.start, lead.end)
    return tuple({slot.name: slot for slot in reversed(found)}.values())


def _from_frame(reading: Reading, lead: FrameMatch) -> Iterator[Slot]:
    span = reading.utterance.span(lead.start, min(lead.end, reading.scene.stop))
    for name, value in lead.frame.sets.items():
        yield Slot(name, value, span)


def _from_slots(reading: Reading, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch) -> Iterator[Slot]:
    for name, first, last in lead.slots:
        if first == last:
            continue
        if name == "new_date":
            yield from _dates_in(reading, dates, first, last)
        elif name == "new_priority":
            yield from _priority_in(reading, policy, first, last)
        elif name == "new_description":
            yield from _text_in(reading, policy, "new_description", first, last)
        elif name == "new_title":
            # "change it to Friday", "change that to high priority": the value tells what is meant.
            yield from (
                _dates_in(reading, dates, first, last, whole=True)
                or _priority_in(reading, policy, first, last, whole=True)
                or _text_in(reading, policy, "new_title", first, last)
            )


def _text_in(reading: Reading, policy: Policy, name: str, first: int, last: int) -> list[Slot]:
    words = find_quoted(reading.utterance, first, last) or clean(
        reading.utterance, first, last, policy, lead="value_lead"
    )
    return [Slot(name, words.value, words.span)] if words else []


def _dates_in(reading: Reading, dates: tuple[DateMatch, ...], first: int, last: int, whole: bool = False) -> list[Slot]:
    region = reading.utterance.span(first, last)
    # The preposition before the slot may belong to the date ("to Friday").
    match = next((match for match in dates if match.span.end > region.start and match.span.start < region.end), None)
    if match is None or (whole and (match.span.end < region.end or match.span.start > region.start)):
        return []
    return [Slot("new_due_date", match.value, match.span, match.alternatives)]


def _priority_in(reading: Reading, policy: Policy, first: int, last: int, whole: bool = False) -> list[Slot]:
    words = reading.scene.words[first:last]
    level = find_level(words, policy)
    if level is None or (whole and len(words) > 3) or (whole and not _all_about_priority(words, policy)):
        return []
    return [Slot("new_priority", level, reading.utterance.span(first, last))]


def _all_about_priority(words: tuple[str, ...], policy: Policy) -> bool:
    return all(
        word in ("priority", "priorità", "a", "as", "to", "importance", "very")
        or any(name.startswith(("level_", "priority_")) for name in policy.word_classes.get(word, ()))
        for word in words
    )
