"""What is added to the plan of a day: "move the survey to 11 tomorrow", then "and add the notary at nine, too"."""

from __future__ import annotations

from dataclasses import replace

from engine.dates import DateMatch
from engine.policy.values import Policy
from engine.reading.read import Reading
from engine.talking.situation import TalkSituation
from engine.values import DAY_LENGTH

_EARLY = 4
"""Among so many first words stands what says that it is one more."""


def on_day_gone_on_with(
    dates: tuple[DateMatch, ...], reading: Reading, situation: TalkSituation, last: str | None, policy: Policy
) -> tuple[DateMatch, ...]:
    """An hour alone, of something that is added to what was done just before: on that day. `last`: which that was."""
    if not last or "T" not in last or len(dates) != 1 or dates[0].has_day or "T" not in dates[0].value:
        return dates
    if situation.effect not in ("add", "change") or not situation.fresh or not _adds_one_more(reading, policy):
        return dates
    day = last[:DAY_LENGTH]
    if day <= dates[0].value[:DAY_LENGTH]:
        return dates  # of today, or of what is late: the next such hour is meant
    hour = _that_evening(dates[0], last[DAY_LENGTH:]) or by_day(dates[0], policy)
    return (replace(dates[0], value=day + hour, has_day=True, alternatives=()),)


def _that_evening(hour: DateMatch, last: str) -> str | None:
    """ "the concert at seven in the evening", then "and dinner at nine": later that evening."""
    times = (value[DAY_LENGTH:] for value in (hour.value, *hour.alternatives) if "T" in value)
    return next((time for time in times if time > last), None) if last >= _EVENING else None


_EVENING = "T17"


def by_day(hour: DateMatch, policy: Policy) -> str:
    """The usual one: that it is past nine now says nothing about nine on another day."""
    times = [value[DAY_LENGTH:] for value in (hour.value, *hour.alternatives) if "T" in value]
    waking = range(policy.date_words.morning_from, policy.date_words.morning_from + _HALF_A_DAY)
    return next((time for time in times if int(time[1:3]) in waking), times[0])


_HALF_A_DAY = 12


def _adds_one_more(reading: Reading, policy: Policy) -> bool:
    words, classes = reading.scene.words[:_EARLY], policy.word_classes
    first = words[0] if words else ""
    names = [classes.get(word, frozenset[str]()) for word in words]
    more = first in policy.splitters or any("cue_more" in each and "add" not in each for each in names)
    return more and any("cue_add" in each for each in names)
