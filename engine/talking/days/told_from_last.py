"""A date told from the one spoken of last: "the Saturday after", "and an hour before, set up the hall"."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.dates import DateMatch, DateShift, find_shift
from engine.dates.tokens import DateToken, tokenize
from engine.policy.values import Policy
from engine.reading.read import Reading
from engine.talking.names.naming import is_chore
from engine.text.normalise import Utterance
from engine.values import Span


def may_tell_from_last(dates: tuple[DateMatch, ...], utterance: Utterance, policy: Policy) -> bool:
    """Asked first: which day was spoken of last takes a look at what was said."""
    brief = not dates and len(utterance.tokens) <= _FEW
    return brief or find_shift(utterance.text, policy.date_words) is not None


def date_told_from_last(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, last: str | None, policy: Policy
) -> tuple[DateMatch, ...] | None:
    """The dates of the message with the one that it tells from the last; None where it tells none so."""
    minutes = _minutes_of_last(utterance, last, policy) if last and not dates else None
    if minutes:
        return (minutes,)
    shift = find_shift(utterance.text, policy.date_words)
    told = _told_before(shift, dates) if shift else None
    if told is not None:
        last, dates = told.value, tuple(each for each in dates if each is not told)
    if shift is None or last is None:
        return None
    if shift.weekday is None and (dates or not _is_for_errand(shift, utterance, reading, policy)):
        return None  # by how much something shall be moved is another matter
    value = shift.move(last)
    if value is None:
        return None
    match = DateMatch(shift.span, value, shift.text, f"{value}, as said before")
    others = tuple(each for each in dates if each.span.end <= shift.span.start or each.span.start >= shift.span.end)
    return tuple(sorted((match, *others), key=lambda each: each.span.start))


def _told_before(shift: DateShift, dates: tuple[DateMatch, ...]) -> DateMatch | None:
    """ "her birthday is the 21st, so put it on the Saturday before": the one day that the message tells first."""
    days = [each for each in dates if each.has_day and each.span.end <= shift.span.start]
    return days[0] if len(days) == 1 and shift.weekday is not None else None


def _minutes_of_last(utterance: Utterance, last: str, policy: Policy) -> DateMatch | None:
    """ "make that half past", after "at four": the hour is that of the last one, where nothing else is said."""
    if "T" not in last or len(utterance.tokens) > _FEW:
        return None
    first, last_end = utterance.tokens[0].start, utterance.tokens[-1].end
    tokens = [token for token in tokenize(utterance.text) if first <= token.start and token.end <= last_end]
    for place in range(len(tokens)):
        found = _read_quarter(tokens, place, policy)
        if found is None:
            continue
        span = Span(tokens[place].start, tokens[found[0] - 1].end)
        beside = [token.norm for token in utterance.tokens if token.end <= span.start or token.start >= span.end]
        if not all(word in policy.small_words or _BESIDE & policy.word_classes.get(word, _NONE) for word in beside):
            return None
        value = (datetime.fromisoformat(last).replace(minute=0) + timedelta(minutes=found[1])).isoformat()[:16]
        return DateMatch(span, value, utterance.slice(span), f"{value}, as said before", has_day=False)
    return None


def _read_quarter(tokens: list[DateToken], place: int, policy: Policy) -> tuple[int, int] | None:
    """ "half past", "e mezza"; "half" by itself may be half of anything."""
    words = policy.date_words
    found = words.quarters.find(tokens, place) or words.quarters_after.find(tokens, place)
    return found if found and found[0] > place + 1 else None


_FEW = 6
_NONE: frozenset[str] = frozenset()
_BESIDE = frozenset({"corrector", "opener", "closer", "interjection", "no_word", "just_it", "pronoun", "cue_move"})


def _is_for_errand(shift: DateShift, utterance: Utterance, reading: Reading, policy: Policy) -> bool:
    """Whether something to do is said besides, to be done so long before: its verb comes first, or a word that adds
    it. "The day before" is looked at elsewhere."""
    if not (shift.minutes < 0 or shift.days < -1):
        return False
    lead = reading.frames[0].frame if reading.frames else None
    if lead:
        return policy.catalogue.by_intent[lead.intent].effect == "add" and not lead.weak
    said = [
        word
        for word, token in zip(reading.scene.words, utterance.tokens, strict=False)
        if not shift.span.start <= token.start < shift.span.end
        and word not in policy.splitters
        and "opener" not in policy.word_classes.get(word, ())
    ]
    return bool(said) and is_chore(said[0], policy)
