""" "Bed on Saturday, Ben tonight at seven": of several that are changed, each gets the day that stands with it."""

from __future__ import annotations

from itertools import pairwise

from engine.dates import DateMatch
from engine.decision import Reference
from engine.slots.titles import date_spans
from engine.talking.moves.noticed import Noticed
from engine.values import Span


def with_own_dates(noticed: Noticed, references: tuple[Reference, ...]) -> list[Noticed]:
    """For each the message with its dates only; with all of them where they do not stand one by one."""
    same = [noticed] * len(references)
    spans = [each.span for each in references if each.span]
    said = date_spans(noticed.told.dates, noticed.utterance)
    dates = [each for each in noticed.told.dates if each.span in said]
    if len(spans) < len(references) or len(dates) != len(spans) or len(spans) == 1:
        return same
    own = _one_by_one(spans, dates) if len({each.value for each in dates}) == len(dates) else None
    told = noticed.told
    return [noticed._replace(told=told._replace(dates=(each,))) for each in own] if own else same


def _one_by_one(spans: list[Span], dates: list[DateMatch]) -> list[DateMatch] | None:
    """The dates in their order, where names and dates take turns, with either of them first."""
    pairs = list(zip(spans, dates, strict=True))
    after = all(span.end <= date.span.start for span, date in pairs)
    before = all(date.span.end <= span.start for span, date in pairs)
    turns = all(
        date.span.end <= other.start if after else span.end <= next_date.span.start
        for (span, date), (other, next_date) in pairwise(pairs)
    )
    return dates if (after or before) and turns else None
