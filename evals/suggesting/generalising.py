"""A way of asking made from one message: its title, date and target become slots, small words become classes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.dates import find_dates
from engine.policy.values import Policy
from engine.reading.frames import make_scene
from engine.slots.titles import date_spans
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance, normalise
from evals.suggesting.misread import Misread

_CLASSES = ("det", "into", "item", "items", "list", "one_item", "thing")
"""Classes by which words of a message are made general, where the policy's patterns use them."""
_MOST_CARRIER = 8
"""Words: a pattern of more fits only its own message."""
REST, WHEN, TARGET = "rest", "when", "target"
Breadth = Literal["broad", "plain", "exact"]
"""How far the words around the slots are made general: to every class that the intent's own ways of asking use, to the
classes of small words and of things, or not at all."""
_TITLE_AFTER = re.compile(r":\s+(?=\S)")
_MOST_CLASS_WORDS = 3
_MOST_THINGS = 50


class OwnStretch(NamedTuple):
    slot: str
    first: int
    last: int


def make_patterns(misread: Misread, facts: ToolFacts, policy: Policy) -> tuple[str, ...]:
    """The most general first. None where too little of the message is its own way of asking."""
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    words = utterance.words
    scene = make_scene(words, utterance.sentence_starts, policy)
    first, last = scene.opening, min(scene.ends)
    found: list[str] = []
    used = _classes_used(facts.intent, policy)
    breadths: tuple[Breadth, ...] = ("broad", "plain", "exact")
    for stretches in _cut(misread, facts, utterance, policy):
        for breadth in breadths:
            found += write_pattern(words, first, last, stretches, policy, breadth, used)
    return tuple(dict.fromkeys(found))


def _cut(misread: Misread, facts: ToolFacts, utterance: Utterance, policy: Policy) -> Iterator[tuple[OwnStretch, ...]]:
    """The stretches of the message that are the user's own, in several ways."""
    words = utterance.words
    dates = tuple(find_dated(misread, utterance, policy))
    if facts.effect == "add":
        name = facts.argument("name")
        places = tuple(_find(misread.values.get(name, ()), words)) or tuple(guess_name(utterance, policy))
        for place in places:
            yield from dict.fromkeys(_with_dates(OwnStretch(name, *place), dates, slot) for slot in (f"{WHEN}?", WHEN))
    elif facts.target:
        values = tuple(_new_values(misread, facts, words, dates))
        taken = frozenset(place for each in values for place in range(each.first, each.last))
        for place in _find_target(misread.targets, words, policy, taken):
            inside = [each for each in values if each.last <= place[0] or each.first >= place[1]]
            yield tuple(sorted((OwnStretch(TARGET, *place), *inside), key=lambda each: each.first))
        if not misread.targets:
            yield values
    else:
        yield tuple(OwnStretch(f"{REST}?", *place) for place in dates)
        tail = _filter_tail(words, policy)
        if tail:
            yield (OwnStretch(f"{REST}?", tail, len(words)),)


def guess_name(utterance: Utterance, policy: Policy) -> Iterator[tuple[int, int]]:
    """Where nobody said what a new thing is called: what follows a colon, or a word for a thing and a small word ("a
    task for …")."""
    count = len(utterance.tokens)
    colon = _TITLE_AFTER.search(utterance.text)
    if colon:
        after = [place for place, token in enumerate(utterance.tokens) if token.start >= colon.end()]
        if after and after[0]:
            yield after[0], count
            return
    words = [token.norm for token in utterance.tokens]
    things = [place for place, word in enumerate(words) if "item" in policy.word_classes.get(word, ())]
    for place in things[-1:]:
        small = [each for each in range(place + 1, count - 1) if words[each] in policy.small_words]
        if small:
            first = small[0] + 1
            while first < count - 1 and words[first] in policy.lexicon.firsts.get("det", ()):
                first += 1
            yield first, count


def _classes_used(intent: str, policy: Policy) -> Counter[str]:
    """The classes that the ways of asking for an intent name, by how often they do."""
    patterns = (pattern for frame in policy.frames if frame.intent == intent for pattern in frame.patterns)
    return Counter(name for pattern in patterns for name in re.findall(r"<(\w+)>", pattern))


def find_dated(misread: Misread, utterance: Utterance, policy: Policy) -> Iterator[tuple[int, int]]:
    now, words = misread.context.now, policy.date_words
    # A bare day is one where no title is at stake: "I'll do the bathroom Tuesday".
    matches = find_dates(utterance.text, now, words) or find_dates(utterance.text, now, words, in_talk=True)
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
            others.append(OwnStretch(slot, start, end))
    return tuple(sorted((OwnStretch(name.slot, first, last), *others), key=lambda each: each.first))


def _find(texts: Iterable[str], words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where one of the texts stands, word by word."""
    for text in texts:
        wanted = normalise(text).words
        for start in range(len(words) - len(wanted) + 1) if wanted else ():
            if words[start : start + len(wanted)] == wanted:
                yield start, start + len(wanted)
                return


def _find_target(
    titles: Sequence[str], words: tuple[str, ...], policy: Policy, taken: frozenset[int]
) -> Iterator[tuple[int, int]]:
    """The words of the message that name the target: those of its title, a number, or a pronoun. What is `taken` by a
    new value names nothing: "reword task 1 to buy veggies"."""
    for title in titles[:1]:
        titled = {stem(word, policy) for word in title_words(title) if word not in policy.small_words}
        free = [place for place in range(len(words)) if place not in taken]
        named = [place for place in free if stem(fold(words[place]), policy) in titled]
        if named:
            first, last = named[0], named[-1] + 1
            while first and words[first - 1] in policy.lexicon.firsts.get("det", ()):
                first -= 1
            yield first, last
    for place, word in enumerate(words):
        if place in taken:
            continue
        if word.lstrip("#").isdigit():
            before = place and words[place - 1] in policy.words.get("numbered", ())
            yield place - bool(before), place + 1
        elif word in policy.pointing_words:
            yield place, place + 1


def find_named(misread: Misread, words: tuple[str, ...], policy: Policy) -> Iterator[tuple[int, int]]:
    """The words that name what the message is about: its targets, or else whatever stored thing it names most of."""
    found = tuple(_find_target(misread.targets, words, policy, frozenset()))
    if misread.targets:
        yield from found[:2]
        return
    titles = [task.title for task in misread.context.tasks.recent(_MOST_THINGS)]
    named = [place for title in titles for place in _find_target((title,), words, policy, frozenset())]
    yield from sorted(dict.fromkeys(named), key=lambda place: place[0] - place[1])[:2]


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


def write_pattern(
    words: tuple[str, ...],
    first: int,
    last: int,
    stretches: tuple[OwnStretch, ...],
    policy: Policy,
    breadth: Breadth,
    used: Counter[str],
) -> list[str]:
    """The pattern of the message's own words around the stretches, polite words left out."""
    parts: list[str] = []
    carrier: list[str] = []
    place = first
    for stretch in (*stretches, OwnStretch("", max(last, first), len(words))):
        own = words[place : max(place, stretch.first)]
        carrier += own
        parts += _generalise(own, policy, breadth, used)
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
    return [f"^ {text}{ends}"] if breadth == "exact" else [f"{text}{ends}", f"^ {text}{ends}"]


def _generalise(words: tuple[str, ...], policy: Policy, breadth: Breadth, used: Counter[str]) -> Iterator[str]:
    if breadth != "broad":
        yield from (word if breadth == "exact" else _general(word, policy) for word in words)
        return
    place = 0
    while place < len(words):
        size, name = _find_class(words[place:], policy, used)
        yield f"<{name}>" if name else _general(words[place], policy)
        place += size


def _find_class(words: tuple[str, ...], policy: Policy, used: Counter[str]) -> tuple[int, str]:
    """The longest phrase at the beginning that is in a class that is used for this; of several, the most used."""
    for size in range(min(_MOST_CLASS_WORDS, len(words)), 0, -1):
        said = words[:size]
        if "det" in policy.word_classes.get(said[0], ()):
            continue  # may be left out altogether
        having = [name for name in used if said in policy.lexicon.phrases.get(name, ())]
        if having:
            return size, max(having, key=lambda name: used[name])
    return 1, ""


def _general(word: str, policy: Policy) -> str:
    """A small word may be left out or be another of its kind; a word for a thing may be any word for one."""
    classes = policy.word_classes.get(word, frozenset())
    if "det" in classes:
        return "[<det>]"
    used = next((name for name in _CLASSES[1:] if name in classes), "")
    return f"<{used}>" if used else word
