"""A name put right by a contrast: "15 bouquets, not 12", "with Priya instead of Dawn", "the dress, not the veil"."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Slot
from engine.policy.values import Policy
from engine.slots.titles import date_spans, inside
from engine.talking.noticed import Noticed
from engine.text.folding import fold
from engine.values import Span

_OLD, _LONGEST = "old_value", 3


def find_new_name(noticed: Noticed, facts: ToolFacts, title: str) -> Slot | None:
    """The title with the old words replaced by the new ones, where the message has both."""
    argument = facts.argument("name")
    found = _find_contrast(noticed, title) if argument else None
    if argument is None or found is None:
        return None
    old, new = found
    renamed = title[: old.start] + noticed.utterance.slice(new) + title[old.end :]
    return Slot(argument, renamed, new)


def _find_contrast(noticed: Noticed, title: str) -> tuple[Span, Span] | None:
    """Where the old words stand in the title, and the new ones in the message."""
    words, lexicon = noticed.weighed.reading.scene.words, noticed.told.policy.lexicon
    dated = date_spans(noticed.told.dates, noticed.utterance)
    for place in range(len(words)):
        for first in sorted(lexicon.ends(_OLD, words, place), reverse=True):
            for last in range(min(len(words), first + _LONGEST), first, -1):
                if any(inside(noticed.utterance.tokens[each], dated) for each in range(first, last)):
                    continue
                old = _find_in_title(words[first:last], title)
                new = _new_words(noticed, place, last, size=last - first) if old else None
                if old and new:
                    return old, new
    return None


def _find_in_title(said: tuple[str, ...], title: str) -> Span | None:
    """The stretch of a title that has exactly these words."""
    folded = fold(title)
    if len(folded) != len(title) or not any(word.isalnum() for word in said):
        return None
    text = fold(" ".join(said))
    start = f" {folded} ".find(f" {text} ")
    return Span(start, start + len(text)) if start >= 0 else None


def _new_words(noticed: Noticed, before: int, after: int, *, size: int) -> Span | None:
    """As many words, right before the contrast or right after it: "gold, not red", "not red but gold". A figure is
    replaced by the nearest other figure: "15 bouquets, not 12"."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    old = words[after - size : after]
    if size == 1 and old[0].isdigit():
        figures = [place for place, word in enumerate(words) if word.isdigit() and place != after - 1]
        nearest = min(figures, key=lambda place: abs(place - before), default=None)
        return noticed.utterance.span(nearest, nearest + 1) if nearest is not None else None
    plain = [place for place, word in enumerate(words) if _says_something(word, policy)]
    ahead = [place for place in plain if place < before][-size:]
    behind = [place for place in plain if place >= after][:size]
    for places in (behind, ahead) if before <= _AT_THE_BEGINNING else (ahead, behind):
        if len(places) == size and places[-1] - places[0] == size - 1:
            return noticed.utterance.span(places[0], places[-1] + 1)
    return None


def _says_something(word: str, policy: Policy) -> bool:
    return word not in policy.small_words and policy.word_classes.get(word, frozenset()).isdisjoint(_LEADING)


_LEADING = frozenset({"opener", "corrector", "interjection", "closer"})
_AT_THE_BEGINNING = 1
