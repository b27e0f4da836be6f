"""Edits that take back what misled: a word that has no business in a class, seen from this message."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.decision import Intent
from engine.editing.edits import Edit, RemovePhrase
from engine.message.read import read_message
from engine.policy.binding import bind
from engine.policy.matching import accept_any
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.reading.read import Reading
from engine.text.normalise import normalise
from evals.suggesting.misread import Misread

_MOST = 8


def edit_misleading(misread: Misread, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    """The phrases by which a guard, or a way of asking for something else, took the message."""
    utterance = normalise(misread.text, policy.spellings, policy.elisions, policy.abbreviations)
    requests, _ = read_message(utterance, misread.context, policy)
    found: dict[Edit, None] = {}
    for request in requests:
        reading = request.weighed.reading
        for first, last, patterns in _took(reading, wanted, policy):
            names = {name for pattern in patterns for name in re.findall(r"<(\w+)>", pattern)}
            found.update(dict.fromkeys(_phrases(reading.scene, first, last, names, policy)))
    yield from list(found)[:_MOST]


def _took(reading: Reading, wanted: Intent, policy: Policy) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    if reading.guard:
        reason, first, last = reading.guard
        fitting = (
            source
            for guard in policy.guards
            if guard.reason is reason
            for source in guard.patterns
            if bind(source, policy.lexicon).match(reading.scene, first, (), accept_any)
        )
        yield first, last, tuple(fitting)
    for match in reading.frames:
        if match.frame.intent != wanted:
            yield match.start, match.end, match.frame.patterns


def _phrases(scene: Scene, first: int, last: int, names: set[str], policy: Policy) -> Iterator[Edit]:
    for place in range(first, last):
        for name, length in policy.lexicon.classes(scene.words, place):
            words = scene.words[place : place + length]
            if name in names and not policy.small_words.issuperset(words):
                yield RemovePhrase(name, " ".join(words))
