"""Whether the patterns that name a class fit a message under a draft as they did before a word came into that class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from engine.editing.tracing import SceneShape
from engine.policy.binding import Pattern
from engine.policy.patterns import Lexicon, Scene, Slots
from engine.policy.rules import classes_named
from engine.policy.values import Frame, Guard, Policy, Way

_LONGEST = 40
"""Words: in how many ways a pattern fits more of them, nobody counts."""


class _Changed(NamedTuple):
    before: Pattern
    after: Pattern


class Refitting:
    """One draft beside what it was made from."""

    def __init__(self, base: Policy, draft: Policy) -> None:
        self._base, self._draft = base, draft
        self._changed = cache(self._find_changed)

    def fits_otherwise(self, names: frozenset[str], shape: SceneShape) -> bool:
        """A pattern that comes or goes is no matter of this."""
        frames, others = self._changed(names)
        if any(self._differs(each, shape) for each in others):
            return True
        differs = any(self._differs(each, shape) for each in frames)
        return differs and shape.has_other_frames(self._base, self._draft)

    def _find_changed(self, names: frozenset[str]) -> tuple[tuple[_Changed, ...], tuple[_Changed, ...]]:
        frames = _pairs(
            _named(self._base.frames, self._base.frame_patterns),
            _named(self._draft.frames, self._draft.frame_patterns),
            names,
        )
        others = (
            *_pairs(
                _named(self._base.guards, self._base.guard_patterns),
                _named(self._draft.guards, self._draft.guard_patterns),
                names,
            ),
            *_pairs(
                _named(self._base.ways, self._base.way_patterns),
                _named(self._draft.ways, self._draft.way_patterns),
                names,
            ),
        )
        return tuple(frames), others

    def _differs(self, changed: _Changed, shape: SceneShape) -> bool:
        one, other = (_may_fit(pattern, shape) for pattern in changed)
        if not one and not other:
            return False
        if one != other or len(shape.words) > _LONGEST:
            return True
        before = list(_every_fit(changed.before, shape, self._base.lexicon))
        return before != list(_every_fit(changed.after, shape, self._draft.lexicon))


def _named(owners: Iterable[Frame | Guard | Way], bound: Iterable[tuple[object, Pattern]]) -> dict[str, Pattern]:
    sources = (source for owner in owners for source in owner.patterns)
    return dict(zip(sources, (pattern for _, pattern in bound), strict=True))


def _pairs(before: dict[str, Pattern], after: dict[str, Pattern], names: frozenset[str]) -> Iterator[_Changed]:
    for source, pattern in before.items():
        if source in after and not names.isdisjoint(classes_named(source)):
            yield _Changed(pattern, after[source])


def _may_fit(pattern: Pattern, shape: SceneShape) -> bool:
    words = shape.words
    if any(needed.isdisjoint(words) for needed in pattern.required):
        return False
    return pattern.firsts is None or not pattern.firsts.isdisjoint(words)


def _every_fit(pattern: Pattern, shape: SceneShape, lexicon: Lexicon) -> Iterator[tuple[int, int, Slots]]:
    """In their order: who takes the first one that will do takes the same one where all are the same."""
    found: list[tuple[int, int, Slots]] = []
    words = shape.words
    scene = Scene(words, lexicon, shape.starts, shape.ends, len(words), frozenset(words), shape.quoted)
    for place in range(len(words)):

        def note(end: int, slots: Slots, place: int = place) -> bool:
            found.append((place, end, slots))
            return False

        pattern.match(scene, place, (), note)
    return iter(found)
