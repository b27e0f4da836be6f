"""Which probes an edit can touch: first by the words that they have, then by what their decisions were held to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from zlib import crc32

from engine.editing.noting import AskedNames
from engine.editing.refitting import Refitting
from engine.editing.touching import Condition, Touch
from engine.editing.tracing import Trace
from engine.policy.values import Policy
from engine.text.folding import split_words
from evals.effect.index import ProbeIndex
from evals.effect.probes import SLOW, ProbeSource

_EARLY = 100
"""So many of the less likely messages come before most of the likely ones."""


class EditReach:
    """How far one edit of the index's policy can reach."""

    def __init__(
        self, index: ProbeIndex, touch: Touch, draft: Policy, skip: Collection[ProbeSource] = frozenset()
    ) -> None:
        self.touch = touch
        self._index, self._draft = index, draft
        self._names, self._refitting = AskedNames(index.policy), Refitting(index.policy, draft)
        chosen = {place for place, probe in enumerate(index.probes) if probe.source not in skip}
        self._having: dict[Condition, set[int]] = {}
        """The places that have the words of each condition that asks for more than these."""
        surely: set[int] = set(chosen) if touch.everything else set()
        if not touch.everything:
            for condition in touch.conditions:
                having = index.having(condition) & chosen
                if condition.phrase or condition.pattern or condition.names:
                    self._having[condition] = having
                else:
                    surely |= having
            for word in touch.near:
                surely |= index.near(word, draft) & chosen
        self._surely = surely
        numbers = bool(touch.weights or touch.thresholds)
        self._reached = frozenset(chosen) if numbers else frozenset(surely.union(*self._having.values()))

    @cached_property
    def _saying(self) -> frozenset[int]:
        return frozenset(place for place in self._reached if self._says(place))

    @cached_property
    def places(self) -> list[int]:
        """What it may touch. Conversations take long: they come last. What is seen first must not be all of one kind,
        where the rest has to be waited for: so the rest of the order is as good as chance."""
        probes = self._index.probes
        found = sorted(
            self._reached,
            key=lambda place: (
                probes[place].source in SLOW, place not in self._saying, crc32(probes[place].id.encode())
            ),
        )  # fmt: skip
        # Of those that only have the words around them some come early: so that something can be said of them before
        # the others are through.
        around = [each for each in found if each not in self._saying and probes[each].source not in SLOW]
        early = dict.fromkeys(around[:_EARLY])
        if len(self._saying) > _EARLY and early:
            rest = [each for each in found if each not in early]
            found = [*rest[:_EARLY], *early, *rest[_EARLY:]]
        return found

    def group_of(self, place: int) -> int:
        """Which of the `sizes` it is counted in."""
        return 2 if self._index.probes[place].source in SLOW else 0 if place in self._saying else 1

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many of the places come first, as the likeliest, how many then, and how many conversations last."""
        slow = sum(self._index.probes[place].source in SLOW for place in self.places)
        first = sum(self._index.probes[place].source not in SLOW for place in self._saying)
        return first, len(self.places) - slow - first, slow

    def _says(self, place: int) -> bool:
        """Whether the message itself has the words that matter, and not only what stands around it."""
        text = self._index.probes[place].text
        said = {*text.casefold().split(), *split_words(text)}
        return any(
            place in having and all(not said.isdisjoint(words) for words in condition.words)
            for condition, having in self._having.items()
        )

    def may_touch(self, place: int) -> bool:
        """By the words alone; where this says no, nobody need look at what the decision was held to."""
        if place in self._surely or self.touch.weights or self.touch.thresholds:
            return True
        return any(
            place in having and self._index.holds(condition, place) for condition, having in self._having.items()
        )

    def touches(self, place: int, traces: Iterable[Trace | None]) -> bool:
        """By what the decisions were held to. Where that was not noted, as the words say."""
        return any(self._touches(place, each, self._is_met) if each else self.may_touch(place) for each in traces)

    def _touches(self, place: int, trace: Trace, is_met: Callable[[Condition, int, Trace], bool]) -> bool:
        if place in self._surely or not self.touch.weights.isdisjoint(trace.names):
            return True
        if any(trace.is_passed(name, low, high) for name, (low, high) in self.touch.thresholds.items()):
            return True
        return any(is_met(condition, place, trace) for condition, having in self._having.items() if place in having)

    def surely_touches(self, place: int, trace: Trace | None) -> bool:
        """The same, looked at more closely: a pattern that fits inside the title of another way of asking, or beside
        one of its own kind, asks for nothing new. Takes a tenth of what it takes to decide the message."""
        return self._touches(place, trace, self._is_met_by_frames) if trace else self.may_touch(place)

    def _is_met(self, condition: Condition, place: int, trace: Trace) -> bool:
        if condition.pattern is None:
            return self._index.holds(condition, place) and self._is_asked(condition, trace)
        lexicon = self._index.policy.lexicon
        return any(scene.is_fitted(condition.pattern, lexicon) for scene in trace.scenes)

    def _is_asked(self, condition: Condition, trace: Trace) -> bool:
        """Whether somebody asked for the words where they are read otherwise now."""
        if not condition.names:
            return True
        names = 0
        for name in condition.names:
            names |= self._names.mask_of(name)
        if trace.asked.covers(names, condition.words[0]):
            return True
        said = (shape for shape in trace.scenes if not condition.words[0].isdisjoint(shape.words))
        return any(self._refitting.fits_otherwise(condition.names, shape) for shape in said)

    def _is_met_by_frames(self, condition: Condition, place: int, trace: Trace) -> bool:
        if condition.pattern is None or not condition.by_frames:
            return self._is_met(condition, place, trace)
        base = self._index.policy
        fitted = (scene for scene in trace.scenes if scene.is_fitted(condition.pattern, base.lexicon))
        return any(scene.has_other_frames(base, self._draft) for scene in fitted)
