"""Who only says how late it is ("it's already nine", "siamo a mezzogiorno") gives nothing a time."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.dates import DateMatch
from engine.policy.values import Policy
from engine.text.normalise import Utterance

_TELLS = "clock_tell"
_PUTS_RIGHT = frozenset({"no_word", "corrector", "cue_correct", "negation"})


def without_told_time(dates: tuple[DateMatch, ...], utterance: Utterance, policy: Policy) -> tuple[DateMatch, ...]:
    """The dates but for an hour that words of telling the time stand right before. "no, it's three" puts right."""
    words = utterance.words
    if not dates or all(date.has_day for date in dates) or any(_puts_right(word, policy) for word in words):
        return dates
    return tuple(date for date in dates if date.has_day or not _is_told(date, words, utterance, policy))


def _puts_right(word: str, policy: Policy) -> bool:
    classes = policy.word_classes.get(word, frozenset())
    return not classes.isdisjoint(_PUTS_RIGHT) and _TELLS not in classes  # "it's" is a word of both


def _is_told(date: DateMatch, words: tuple[str, ...], utterance: Utterance, policy: Policy) -> bool:
    first = next((place for place, token in enumerate(utterance.tokens) if token.end > date.span.start), 0)
    if "for_whom" in policy.word_classes.get(words[first], ()):
        return False  # "it's for ten": when it shall be
    return any(
        first in policy.lexicon.ends(_TELLS, words, place) and _begins(place, utterance, words, policy)
        for place in range(first)
    )


def _begins(place: int, utterance: Utterance, words: tuple[str, ...], policy: Policy) -> bool:
    """At the start, after a sign, or after a word that joins or opens: not "the train? it's at …" """
    if place == 0:
        return True
    tokens, classes = utterance.tokens, policy.word_classes.get(words[place - 1], frozenset())
    signed = utterance.text[tokens[place - 1].end : tokens[place].start].strip()
    return bool(signed) or not classes.isdisjoint({"splitter", "opener", "interjection", "clause_joiner"})


def without_often(dates: tuple[DateMatch, ...], now: datetime) -> tuple[DateMatch, ...]:
    """ "they change their minds every five minutes", "he does that every year": how often, and not when."""
    return tuple(date for date in dates if not (date.recurring and _is_soon(date.value, now)))


def _is_soon(value: str, now: datetime) -> bool:
    """Whether it only counts from now on: no day or hour of its own was named."""
    if "T" not in value:
        return value == now.date().isoformat()
    return datetime.fromisoformat(value) - now.replace(tzinfo=None) <= _OFTEN


_OFTEN = timedelta(hours=2)
