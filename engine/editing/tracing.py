"""What a decision was held to: every comparison with a threshold, and every name whose weight was asked for.

A decision is what it is because of how these comparisons came out. A threshold that moves without passing a number that
was compared with it changes nothing, and neither does a weight that nobody asked for. The scenes that patterns were
held to are noted, too: a pattern that fits none of them changes nothing, whether it comes or goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from engine.decision import Thresholds
from engine.editing.noting import AskedFor, AskedNames, note_tables
from engine.policy.binding import Pattern
from engine.policy.matching import accept_any
from engine.policy.patterns import Lexicon, Scene, Slots
from engine.policy.values import Policy
from engine.policy.weights import Vector
from engine.reading.frames import find_frames

ROUNDED = 2e-6
"""A number that was rounded on its way to a comparison may be so far off."""
_DIGITS = 6
"""Rounded to fewer digits it is another number."""


class SceneShape(NamedTuple):
    """What patterns are matched against, without the tables of its policy."""

    words: tuple[str, ...]
    starts: frozenset[int]
    ends: frozenset[int]
    quoted: frozenset[int] = frozenset()

    def is_fitted(self, pattern: Pattern, lexicon: Lexicon) -> bool:
        """Whether the pattern fits anywhere in it."""
        words, firsts = self.words, pattern.firsts
        places = [place for place in self.starts if place < len(words)] if pattern.anchored else range(len(words))
        if firsts is not None:  # most of them are ruled out by their first word
            places = [place for place in places if words[place] in firsts]
        present = frozenset(words) if places else frozenset()
        if not places or any(present.isdisjoint(needed) for needed in pattern.required):
            return False
        scene = Scene(words, lexicon, self.starts, self.ends, len(words), present)
        return any(pattern.match(scene, place, (), accept_any) for place in places)

    def has_other_frames(self, one: Policy, other: Policy) -> bool:
        """Whether other ways of asking fit it under the one policy than under the other, or fit it otherwise."""
        return _frames_of(self, one) != _frames_of(self, other)


def _frames_of(shape: SceneShape, policy: Policy) -> list[tuple[str, int, int, Slots]]:
    words = shape.words
    scene = Scene(words, policy.lexicon, shape.starts, shape.ends, len(words), frozenset(words), shape.quoted)
    return [(match.frame.id, match.start, match.end, match.slots) for match in find_frames(scene, policy)]


@dataclass(slots=True)
class Trace:
    names: set[str] = field(default_factory=set)
    """Observations whose weights were asked for, also in vain."""
    points: dict[str, set[float]] = field(default_factory=dict)
    """Threshold -> the values at which a comparison would come out otherwise."""
    opaque: set[str] = field(default_factory=set)
    """Thresholds whose value went into something else than a comparison."""
    scenes: tuple[SceneShape, ...] = ()
    """What patterns were held to, each once."""
    asked: AskedFor = field(default_factory=AskedFor)
    """Which classes of words were asked for, and of which words."""

    def is_passed(self, name: str, low: float, high: float) -> bool:
        """Whether moving the threshold from the one to the other can change anything."""
        return name in self.opaque or any(
            low - ROUNDED <= point <= high + ROUNDED for point in self.points.get(name, ())
        )

    def next_point(self, name: str, value: float, *, up: bool) -> float | None:
        """Where a threshold that stands at this value first passes something."""
        beyond = [point for point in self.points.get(name, ()) if (point >= value if up else point <= value)]
        return (min(beyond) if up else max(beyond)) if beyond else None


class TracedPolicy:
    """A policy that notes what is asked of its numbers."""

    def __init__(self, policy: Policy) -> None:
        self._trace = Trace()
        limits = {name: _Traced(value, name, 1.0, 0.0, self) for name, value in asdict(policy.thresholds).items()}
        evidence = _AskedTable(policy.weights.evidence, self)
        weights = replace(policy.weights, evidence=evidence) if policy.weights.evidence else policy.weights
        self.policy = policy.vary(thresholds=Thresholds(**limits), weights=weights)
        self._scenes: list[Scene] = []
        self._asked: set[Any] = set()
        self._names = AskedNames(policy)
        # Policies that are made of this one while a message is read take its tables over, and so these.
        self.policy.__dict__.update(note_tables(policy, self._asked, self._scenes))

    @property
    def trace(self) -> Trace:
        return self._trace

    def moved(self, name: str, value: float) -> Policy:
        """The same with one threshold elsewhere; what is asked of it is noted here, too."""
        elsewhere = _Traced(value, name, 1.0, 0.0, self)
        return self.policy.vary(thresholds=replace(self.policy.thresholds, **{name: elsewhere}))

    @contextmanager
    def tracing(self) -> Iterator[Trace]:
        """A new trace for what is decided inside."""
        self._trace = Trace()
        # What was asked before is remembered, and so not asked for again.
        self.policy.asked_before.clear()
        self.policy.titles.clear()
        self._scenes.clear()
        self._asked.clear()
        try:
            yield self._trace
        finally:
            shapes = (SceneShape(scene.words, scene.starts, scene.ends, scene.quoted) for scene in self._scenes)
            self._trace.scenes = tuple(dict.fromkeys(shapes))
            self._trace.asked = self._names.write(self._asked)


class _AskedTable(dict[str, Vector]):
    def __init__(self, table: Any, owner: TracedPolicy) -> None:
        super().__init__(table)
        self._owner = owner

    def __contains__(self, name: object) -> bool:
        self._owner.trace.names.add(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._owner.trace.names.add(name)
        return super().get(name, default)


class _Traced(float):
    """A threshold t as `sign * t + offset`: sums stay such, comparisons are noted, anything else makes it opaque."""

    _name: str
    _sign: float
    _offset: float
    _owner: TracedPolicy

    def __new__(cls, value: float, name: str, sign: float, offset: float, owner: TracedPolicy) -> _Traced:
        made = super().__new__(cls, value)
        made._name, made._sign, made._offset, made._owner = name, sign, offset, owner
        return made

    def _moved(self, value: float, sign: float, offset: float) -> _Traced:
        return _Traced(value, self._name, sign, offset, self._owner)

    def __add__(self, other: float) -> float:
        if isinstance(other, _Traced):
            if (other._name, other._sign) == (self._name, -self._sign):
                return float.__add__(self, other)  # the threshold falls out
            return self._into_value() + other._into_value()
        return self._moved(float.__add__(self, other), self._sign, self._offset + other)

    __radd__ = __add__

    def __sub__(self, other: float) -> float:
        if isinstance(other, _Traced):
            if (other._name, other._sign) == (self._name, self._sign):
                return float.__sub__(self, other)
            return self._into_value() - other._into_value()
        return self._moved(float.__sub__(self, other), self._sign, self._offset - other)

    def __rsub__(self, other: float) -> float:
        return self._moved(float.__rsub__(self, other), -self._sign, other - self._offset)

    def _note(self, other: object) -> None:
        if isinstance(other, _Traced) and (other._name, other._sign) == (self._name, self._sign):
            return  # both move together: it comes out the same wherever the threshold stands
        if isinstance(other, int | float):
            point = (float.__float__(other) if isinstance(other, float) else float(other)) - self._offset
            self._owner.trace.points.setdefault(self._name, set()).add(point * self._sign)
            if isinstance(other, _Traced):
                own = float.__float__(self) - other._offset
                other._owner.trace.points.setdefault(other._name, set()).add(own * other._sign)

    def __lt__(self, other: float) -> bool:
        self._note(other)
        return float.__lt__(self, other)

    def __le__(self, other: float) -> bool:
        self._note(other)
        return float.__le__(self, other)

    def __gt__(self, other: float) -> bool:
        self._note(other)
        return float.__gt__(self, other)

    def __ge__(self, other: float) -> bool:
        self._note(other)
        return float.__ge__(self, other)

    def __eq__(self, other: object) -> bool:
        self._note(other)
        return float.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        self._into_value()
        return float.__hash__(self)

    def _into_value(self) -> float:
        self._owner.trace.opaque.add(self._name)
        return float.__float__(self)

    def __mul__(self, other: float) -> float:
        return self._into_value() * other

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> float:
        return self._into_value() / other

    def __rtruediv__(self, other: float) -> float:
        return other / self._into_value()

    def __neg__(self) -> float:
        return -self._into_value()

    def __abs__(self) -> float:
        return abs(self._into_value())

    def __round__(self, digits: Any = None) -> Any:
        if digits is None or digits < _DIGITS:
            return round(self._into_value(), digits)
        return self._moved(round(float.__float__(self), digits), self._sign, self._offset)

    def __float__(self) -> float:
        return self._into_value()

    def __int__(self) -> int:
        return int(self._into_value())

    def __bool__(self) -> bool:
        return self != 0.0

    def __format__(self, form: str) -> str:
        return format(self._into_value(), form)

    def __str__(self) -> str:
        return str(self._into_value())

    def __repr__(self) -> str:
        return repr(float.__float__(self))
