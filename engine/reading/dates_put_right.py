"""A date that is put right in the same breath: "for Saturday, no, Sunday", "at three, I mean four"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.dates import DateMatch, find_hours
from engine.policy.values import Policy
from engine.text.normalise import Utterance
from engine.values import Span

_FIX = "date_fix"


def keep_last_said(
    dates: tuple[DateMatch, ...], utterance: Utterance, now: datetime, policy: Policy
) -> tuple[DateMatch, ...]:
    """Of two dates with nothing but a word of correction between them the second; what it leaves open (the day or the
    hour) is that of the first."""
    words = utterance.words
    if _FIX not in policy.lexicon.names(words):  # nearly always
        return dates
    if not any(policy.lexicon.ends(_FIX, words, place) for place in range(1, len(words))):
        return dates
    kept: list[DateMatch] = []
    for each in _with_bare_hours(dates, utterance, now, policy):
        if kept and _is_put_right(kept[-1].span, each.span, utterance, policy):
            each = _with_rest(kept.pop(), each)
        kept.append(each)
    return tuple(kept)


def _with_bare_hours(
    dates: tuple[DateMatch, ...], utterance: Utterance, now: datetime, policy: Policy
) -> list[DateMatch]:
    """ "at three, I mean four": after an hour, a number alone is one."""
    hours = find_hours(utterance.text, now, policy.date_words) if any("T" in each.value for each in dates) else ()
    bare = [
        hour
        for hour in hours
        for each in dates
        if "T" in each.value and _is_put_right(each.span, hour.span, utterance, policy)
        if not any(hour.span.start < other.span.end and other.span.start < hour.span.end for other in dates)
    ]
    return sorted([*dates, *bare], key=lambda each: each.span.start)


def _is_put_right(first: Span, second: Span, utterance: Utterance, policy: Policy) -> bool:
    places = [at for at, token in enumerate(utterance.tokens) if first.end <= token.start and token.end <= second.start]
    if not places:
        return False
    words = utterance.words
    reached = places[0]
    while reached <= places[-1]:
        ends = policy.lexicon.ends(_FIX, words, reached)
        if not ends:
            return False
        reached = max(ends)
    return reached == places[-1] + 1


def _with_rest(old: DateMatch, new: DateMatch) -> DateMatch:
    value = new.value
    if old.has_day and not new.has_day and "T" in new.value:
        value = old.value[:10] + new.value[10:]
    elif "T" in old.value and new.has_day and "T" not in new.value and "/" not in new.value:
        value = new.value + old.value[10:]
    return replace(
        new, value=value, has_day=old.has_day or new.has_day, span=Span(old.span.start, new.span.end), alternatives=()
    )
