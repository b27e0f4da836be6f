""" "They can only do the 22nd. Add the trip for that day": the day that the story before a request tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.dates import DateMatch
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.reading.read import Reading
from engine.text.normalise import Utterance


def on_day_told_before(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, pointing: Mapping[str, bool], policy: Policy
) -> tuple[DateMatch, ...]:
    """`pointing`: the classes that point at a day, and whether the hour goes with it. The day itself is in the story
    and no longer in the request; `dates` itself where nothing points at it."""
    words = reading.scene.words
    if len(dates) > _MOST or policy.lexicon.names(words).isdisjoint(pointing):  # nearly always
        return dates
    lead = next((each for each in reading.frames if each.start and asks_anew(each, utterance)), None)
    days = [each for each in dates if each.has_day]
    if lead is None or len(days) != 1 or days[0].span.end > utterance.tokens[lead.start].start:
        return dates
    for place in range(lead.start + 1, len(words)):
        for name, with_hour in pointing.items():
            end = max(policy.lexicon.ends(name, words, place), default=0)
            if end:
                return _pointed(days[0], utterance, (place, end), dates, policy, with_hour=with_hour)
    return dates


def asks_anew(lead: FrameMatch, utterance: Utterance) -> bool:
    """Whether a request stands by itself behind a story: after a sign, or in words that nobody says in a story."""
    before = utterance.text[utterance.tokens[lead.start - 1].end : utterance.tokens[lead.start].start]
    return not lead.frame.weak or any(sign in _BREAKS for sign in before)


_BREAKS = ",;:.!?\n"
_MOST = 2
"""The day of the story, and an hour in the request."""


def _pointed(
    told: DateMatch,
    utterance: Utterance,
    said: tuple[int, int],
    dates: tuple[DateMatch, ...],
    policy: Policy,
    *,
    with_hour: bool,
) -> tuple[DateMatch, ...]:
    start, end = said
    while start and utterance.words[start - 1] in policy.date_words.weak_prepositions:
        start -= 1
    span = utterance.span(start, end)
    hours = [each for each in dates if each is not told]
    hour = hours[0].value[10:] if hours else told.value[10:] if with_hour else ""
    value = told.value[:10] + hour
    pointed = DateMatch(span, value, utterance.slice(span), f"{value}, as told before", has_day=True)
    kept = [replace(each, value=value) for each in hours]
    return tuple(sorted((pointed, *kept), key=lambda date: date.span.start))
