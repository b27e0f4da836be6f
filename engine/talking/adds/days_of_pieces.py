"""Which day each of several new things has: "lunch with Sue on Monday at 1 and dinner with Tim the same day at 8"."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch
from engine.decision import Slot
from engine.slots.draft import Draft
from engine.talking.values import Told
from engine.values import DAY_LENGTH, Argument, Provenance

SAME_DAY = ("cue_same_day", "cue_same_moment")


def dates_of_pieces(
    pieces: list[tuple[int, int]], dates: tuple[DateMatch, ...], told: Told
) -> list[tuple[DateMatch, ...]]:
    """The dates within each piece. An hour without a day, and "the same day", are on the day of the piece before."""
    found: list[tuple[DateMatch, ...]] = []
    day = ""
    for piece in pieces:
        region = told.reading.utterance.span(*piece)
        own = tuple(each for each in dates if region.start <= each.span.start < region.end)
        if day and not any(each.has_day for each in own):
            own = _on_day(day, own, piece, told)
        found.append(own)
        said = [each.value[:DAY_LENGTH] for each in own if each.has_day and each.range_end is None]
        day = said[-1] if said else day
    return found


def _on_day(day: str, own: tuple[DateMatch, ...], piece: tuple[int, int], told: Told) -> tuple[DateMatch, ...]:
    hours = tuple(replace(each, value=day + each.value[DAY_LENGTH:], has_day=True, alternatives=()) for each in own)
    words, utterance = told.reading.scene.words, told.reading.utterance
    ends = [
        (place, end)
        for place in range(*piece)
        for name in SAME_DAY
        for end in told.policy.lexicon.ends(name, words, place)
        if end <= piece[1]
    ]
    if not ends:
        return hours
    start = min(place for place, _ in ends)
    span = utterance.span(start, max(end for place, end in ends if place == start))
    time = next((each.value[DAY_LENGTH:] for each in own if "T" in each.value), "")
    same = DateMatch(span, day + time, utterance.slice(span), f"{day}, as said before")
    return tuple(sorted((same, *hours), key=lambda each: each.span.start))


def share_day(drafts: list[Draft], facts: ToolFacts, otherwise: Slot | None = None) -> list[Draft]:
    """A single day is everybody's: "tomorrow pack the bag and ring Anna", "add ring Bo, buy tape and post it tomorrow";
    without any of their own, this one."""
    argument = facts.argument("date")
    said = [(place, slot) for place, each in enumerate(drafts) for slot in each.slots if slot.name == argument]
    if len(said) > 1 or (said and _is_its_own(*said[0], drafts, facts)):
        return drafts
    shared = said[0][1] if said else otherwise
    if shared is None or not argument:
        return drafts
    given = Argument(argument, shared.value, Provenance("words", shared.span))
    return [
        each
        if any(slot.name == argument for slot in each.slots)
        else each._replace(arguments=(*each.arguments, given), slots=(*each.slots, shared))
        for each in drafts
    ]


def _is_its_own(place: int, date: Slot, drafts: list[Draft], facts: ToolFacts) -> bool:
    """ "buy paint, then on Saturday paint the fence" begins with the day of what comes later; and "order a bin, and
    ring the council tomorrow at nine" has an hour for the last one alone."""
    name = next((slot for slot in drafts[place].slots if slot.name == facts.argument("name")), None)
    before = name and name.span and date.span and date.span.start <= name.span.start
    return (bool(before) or "T" in str(date.value)) if place else not before
