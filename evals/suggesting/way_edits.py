"""Edits of the ways of talking, for what is meant by the store and the conversation: "the ref is confirmed", "how many
jars was it?"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from engine.decision import Intent
from engine.editing.edits import AddWay, Edit
from engine.policy.binding import bind
from engine.policy.matching import accept_any
from engine.policy.patterns import Scene, compile_pattern
from engine.policy.values import Policy, Way
from engine.reading.frames import make_scene
from engine.text.normalise import Utterance, normalise
from engine.why.near import NearFit, find_near, write_node
from evals.suggesting.generalising import TARGET, Breadth, OwnStretch, find_dated, find_named, write_pattern
from evals.suggesting.misread import Misread

_MOST_VARIED = 10
_MOST_WAYS = 6
"""So many ways take a pattern that is made from the message: each is another meaning."""
_TAIL = "{tail?}"
_BREADTHS: tuple[Breadth, ...] = ("broad", "plain")


def edit_ways(misread: Misread, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    utterance = normalise(misread.text, policy.spellings, policy.elisions, policy.abbreviations)
    words = utterance.words
    scene = make_scene(words, utterance.sentence_starts, policy)
    ways = sorted(_ways_for(misread, wanted, policy), key=lambda way: -way.worth)
    yield from _opened(ways, scene, policy)
    yield from _varied(ways, scene, policy)
    for pattern in dict.fromkeys(_made(misread, utterance, scene, policy)):
        slots = _slots(pattern)
        alike = (way for way in ways if any(_slots(each) - {"tail"} == slots - {"tail"} for each in way.patterns))
        yield from (AddWay(way.id, pattern) for way, _ in zip(_each_meaning(alike), range(_MOST_WAYS), strict=False))


def _each_meaning(ways: Iterable[Way]) -> Iterator[Way]:
    """The first of those that ask for the same."""
    known = set[tuple[str, str, str]]()
    for way in ways:
        meaning = (way.act, way.intent, way.asks)
        if not way.asks or meaning not in known:
            known.add(meaning)
            yield way


def _ways_for(misread: Misread, wanted: Intent, policy: Policy) -> Iterator[Way]:
    """Those that can mean it where it was said. What is asked about things is a list of them."""
    begun = bool(misread.context.history)
    for way in policy.ways:
        asks = way.act == "ask" and wanted in policy.catalogue.lists
        if (way.intent == wanted or asks) and (begun or not way.follows):
            yield way


def _slots(pattern: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", pattern))


def _opened(ways: list[Way], scene: Scene, policy: Policy) -> Iterator[Edit]:
    """A way that fits but for what is said after it: "I've sown the carrots, the soil was just right"."""
    for way in ways:
        for source in way.patterns:
            if source.endswith(" $") and _fits(f"{source[:-1]}{_TAIL}", scene, policy):
                yield AddWay(way.id, f"{source[:-1]}{_TAIL}")


def _fits(source: str, scene: Scene, policy: Policy) -> bool:
    pattern = bind(source, policy.lexicon)
    return any(pattern.match(scene, place, (), accept_any) for place in scene.starts)


def _varied(ways: list[Way], scene: Scene, policy: Policy) -> Iterator[Edit]:
    """Ways that nearly fit, with the message's own words in the place at which they do not."""
    found: list[tuple[int, str, str]] = []
    for way in ways:
        for source in way.patterns:
            unmet = sum(needed.isdisjoint(scene.present) for needed in bind(source, policy.lexicon).required)
            if unmet > 1:
                continue
            for fit in find_near(compile_pattern(source), scene, policy.lexicon):
                pattern = _vary(source, fit, scene)
                if pattern and fit.carrier:
                    found.append((fit.carrier - (fit.last - fit.first), way.id, pattern))
    best = sorted(dict.fromkeys(found), key=lambda each: (-each[0], len(each[2])))
    yield from (AddWay(way, pattern) for _, way, pattern in best[:_MOST_VARIED])


def _vary(source: str, fit: NearFit, scene: Scene) -> str:
    if fit.kind not in ("swap", "extra") or fit.node.kind not in ("word", "class", "options") or fit.node.optional:
        return ""
    words = " ".join(scene.words[fit.first : fit.last])
    parts = [write_node(node) for node in compile_pattern(source)]
    part = write_node(fit.node)
    if part not in parts or any(sign in words for sign in "[](){}<>|^$"):
        return ""
    place = parts.index(part)
    parts[place] = words if fit.kind == "swap" else f"[{words}] {part}"
    return " ".join(parts)


def _made(misread: Misread, utterance: Utterance, scene: Scene, policy: Policy) -> Iterator[str]:
    """The message with what it names and its new values as slots; once with what follows the name left open."""
    words = scene.words
    dates = tuple(find_dated(misread, utterance, policy))
    used = Counter(name for way in policy.ways for each in way.patterns for name in re.findall(r"<(\w+)>", each))
    first, last = scene.opening, min(scene.ends)
    for place in find_named(misread, words, policy):
        later = [each for each in dates if each[0] >= place[1]]
        for slot in ("new_due_date", "when"):
            stretches = (OwnStretch(TARGET, *place), *(OwnStretch(slot, *each) for each in later[:1]))
            for breadth in _BREADTHS:
                yield from _anchored(write_pattern(words, first, last, stretches, policy, breadth, used))
            if not later:
                break
        if place[0] > first and place[1] < last:
            for breadth in _BREADTHS:
                stretches = (OwnStretch(TARGET, *place), OwnStretch("tail?", place[1], len(words)))
                yield from _anchored(write_pattern(words, first, last, stretches, policy, breadth, used))


def _anchored(patterns: list[str]) -> Iterator[str]:
    """Ways are heard where a message begins."""
    return (pattern for pattern in patterns if pattern.startswith("^"))
