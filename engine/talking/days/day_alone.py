"""A day of the month where a name could stand: "I mean the 4th"."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.dates import find_dates
from engine.decision import Slot
from engine.talking.values import Told


def read_day_alone(first: int, last: int, facts: ToolFacts, told: Told) -> Slot | None:
    """ "I mean the 4th": a day of the month is no name; by itself it could be the fourth of a list, too."""
    argument, utterance = facts.argument("date"), told.reading.utterance
    if not argument or not any(word[:1].isdigit() for word in told.reading.scene.words[first:last]):
        return None
    span = utterance.span(first, last)
    said = utterance.slice(span)
    days = find_dates(said, told.context.now, told.policy.date_words, in_talk=True)
    whole = len(days) == 1 and days[0].has_day and not days[0].range_end and days[0].text == said.strip()
    return Slot(argument, days[0].value, span, days[0].alternatives) if whole else None
