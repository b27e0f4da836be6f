"""A way of asking made from one message: its title, date and target become slots, small words become classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.dates import find_dates
from engine.policy.values import Policy
from engine.reading.frames import make_scene
from engine.slots.titles import date_spans
from engine.talking.naming import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance, normalise
from evals.suggesting.misread import Misread

_CLASSES = ("det", "into", "item", "items", "list", "one_item", "thing")
"""Classes by which words of a message are made general, where the policy's patterns use them."""
_MOST_CARRIER = 8
"""Words: a pattern of more fits only its own message."""
REST, WHEN, TARGET = "rest", "when", "target"


class OwnStretch(NamedTuple):
    slot: str
    first: int
    last: int


def make_patterns(misread: Misread, facts: ToolFacts, policy: Policy) -> tuple[str, ...]:
    """The most general first. None where too little of the message is its own way of asking."""
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    words = tuple(token.norm for token in utterance.tokens)
    scene = make_scene(words, utterance.sentence_starts, policy)
    first, last = scene.opening, min(scene.ends)
    found: list[str] = []
    for stretches in _cut(misread, facts, utterance, policy):
        for exact in (False, True):
            written = _write(words, first, last, stretches, policy, exact=exact)
            if written:
                found += written
    return tuple(dict.fromkeys(found))


def _cut(misread: Misread, facts: ToolFacts, utterance: Utterance, policy: Policy) -> Iterator[tuple[OwnStretch, ...]]:
    """The stretches of the message that are the user's own, in several ways."""
    words = tuple(token.norm for token in utterance.tokens)
    dates = tuple(_dated(misread, utterance, policy))
    if facts.effect == "add":
        name = facts.argument("name")
        for place in _find(misread.values.get(name, ()), words):
            yield _with_dates(OwnStretch(name, *place), dates, WHEN)
    elif facts.target:
        values = tuple(_new_values(misread, facts, words, dates))
        for place in _find_target(misread.targets, words, policy):
            inside = [each for each in values if each.last <= place[0] or each.first >= place[1]]
            yield tuple(sorted((OwnStretch(TARGET, *place), *inside), key=lambda each: each.first))
        if not misread.targets:
            yield values
    else:
        yield tuple(OwnStretch(f"{REST}?", *place) for place in dates)
        tail = _filter_tail(words, policy)
        if tail:
            yield (OwnStretch(f"{REST}?", tail, len(words)),)


def _dated(misread: Misread, utterance: Utterance, policy: Policy) -> Iterator[tuple[int, int]]:
    matches = find_dates(utterance.text, misread.context.now, policy.date_words)
    for span in date_spans(matches, utterance):
        places = [place for place, token in enumerate(utterance.tokens) if span.start <= token.start < span.end]
        if places:
            yield places[0], places[-1] + 1


def _with_dates(name: OwnStretch, dates: Iterable[tuple[int, int]], slot: str) -> tuple[OwnStretch, ...]:
    """A date beside the name is read within its slot; one elsewhere has a slot of its own."""
    first, last = name.first, name.last
    others: list[OwnStretch] = []
    for start, end in dates:
        if start <= last + 1 and end >= first - 1:
            first, last = min(first, start), max(last, end)
        else:
            others.append(OwnStretch(f"{slot}?", start, end))
    return tuple(sorted((OwnStretch(name.slot, first, last), *others), key=lambda each: each.first))


def _find(texts: Iterable[str], words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where one of the texts stands, word by word."""
    for text in texts:
        wanted = tuple(token.norm for token in normalise(text).tokens)
        for start in range(len(words) - len(wanted) + 1) if wanted else ():
            if words[start : start + len(wanted)] == wanted:
                yield start, start + len(wanted)
                return


def _find_target(titles: Sequence[str], words: tuple[str, ...], policy: Policy) -> Iterator[tuple[int, int]]:
    """The words of the message that name the target: those of its title, a number, or a pronoun."""
    for title in titles[:1]:
        titled = {stem(word, policy) for word in title_words(title) if word not in policy.small_words}
        named = [place for place, word in enumerate(words) if stem(fold(word), policy) in titled]
        if named:
            first, last = named[0], named[-1] + 1
            while first and words[first - 1] in policy.lexicon.firsts.get("det", ()):
                first -= 1
            yield first, last
    for place, word in enumerate(words):
        if word.lstrip("#").isdigit():
            before = place and words[place - 1] in policy.words.get("numbered", ())
            yield place - bool(before), place + 1
        elif word in policy.pointing_words:
            yield place, place + 1


def _new_values(
    misread: Misread, facts: ToolFacts, words: tuple[str, ...], dates: Sequence[tuple[int, int]]
) -> Iterator[OwnStretch]:
    for argument in misread.values:
        kind = facts.reads.get(argument)
        if kind == "date" and dates:
            yield OwnStretch(argument, *dates[0])
        elif kind in ("name", "note"):
            yield from (OwnStretch(argument, *place) for place in _find(misread.values[argument], words))


def _filter_tail(words: tuple[str, ...], policy: Policy) -> int:
    """Where, at the end of a request for a list, nothing but conditions follows; 0: nowhere."""
    known = ("status_", "priority_", "level_", "due_", "date_word")
    place = len(words)
    while place > 1 and any(name.startswith(known) for name in policy.word_classes.get(words[place - 1], ())):
        place -= 1
    return place if place < len(words) else 0


def _write(
    words: tuple[str, ...], first: int, last: int, stretches: tuple[OwnStretch, ...], policy: Policy, *, exact: bool
) -> list[str]:
    """The pattern of the message's own words around the stretches, polite words left out."""
    parts: list[str] = []
    carrier: list[str] = []
    place = first
    for stretch in (*stretches, OwnStretch("", max(last, first), len(words))):
        for word in words[place : max(place, stretch.first)]:
            carrier.append(word)
            parts.append(word if exact else _general(word, policy))
        if stretch.slot and stretch.last > place:
            parts.append(f"{{{stretch.slot}}}")
        place = max(place, stretch.last)
    telling = [word for word in carrier if word not in policy.small_words and not word.isdigit()]
    if not carrier or len(carrier) > _MOST_CARRIER or not (telling or len(carrier) > 1):
        return []
    text = " ".join(part for part in parts if part)
    if any(sign in word for word in carrier for sign in "[](){}<>|^$"):
        return []
    ends = "" if stretches and stretches[-1].last >= last else " $"
    return [f"^ {text}{ends}"] if exact else [f"{text}{ends}", f"^ {text}{ends}"]


def _general(word: str, policy: Policy) -> str:
    """A small word may be left out or be another of its kind; a word for a thing may be any word for one."""
    classes = policy.word_classes.get(word, frozenset())
    if "det" in classes:
        return "[<det>]"
    used = next((name for name in _CLASSES[1:] if name in classes), "")
    return f"<{used}>" if used else word
