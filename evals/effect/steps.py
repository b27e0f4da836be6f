"""What a message comes to wherever one of the thresholds may be moved.

A decision is a step function of each threshold: it changes only where the threshold passes a number that was compared
with it. Beyond such a number the message is decided once more, which says how far that holds, and so on from step to
step. Found ahead, in the background; then an edit that moves a threshold, however far, only looks up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from functools import partial
from math import inf
from typing import NamedTuple

from engine.editing.touching import Touch
from engine.editing.tracing import ROUNDED, Trace
from engine.policy.values import Policy
from evals.effect.looking import Look, ProbeLooks
from evals.effect.probes import Probe, ProbeResult

_MOST = 4
"""So many steps in each direction; what lies beyond them is decided when it is asked for."""
_FIRST, _LAST = 0.0, 1.0
"""No threshold goes further."""


class ThresholdStep(NamedTuple):
    low: float
    high: float
    result: ProbeResult
    """What the message comes to wherever the threshold stands between the two."""


Steps = Mapping[str, tuple[ThresholdStep, ...]]
"""By the threshold."""


class ProbeSteps:
    """Those of the messages of one base. With `onto`, what everybody's edits are tried on is kept there."""

    def __init__(
        self, policy: Policy, looks: ProbeLooks, onto: ProbeSteps | None = None, shared: Collection[str] = ()
    ) -> None:
        self._policy, self._looks, self._onto, self._shared = policy, looks, onto, frozenset(shared)
        self._kept: dict[str, Steps] = {}

    def find(self, probe: Probe) -> Steps | None:
        """What was looked for already."""
        if self._onto and probe.id in self._shared:
            return self._onto.find(probe)
        return self._kept.get(probe.id)

    def keep(self, probe: Probe, steps: Steps) -> None:
        if self._onto and probe.id in self._shared:
            self._onto.keep(probe, steps)
        else:
            self._kept[probe.id] = steps

    def look(self, probe: Probe) -> Steps:
        return find_steps(self._looks.get(probe), self._policy, partial(self._looks.look_elsewhere, probe))


def find_steps(look: Look, policy: Policy, look_at: Callable[[str, float], Look]) -> Steps:
    """Where each threshold leads to, from what the message comes to now. `look_at`: with this threshold elsewhere."""
    if look.trace is None:
        return {}
    found: dict[str, tuple[ThresholdStep, ...]] = {}
    for name, value in asdict(policy.thresholds).items():
        if name in look.trace.points and name not in look.trace.opaque:
            both = (step for up in (False, True) for step in _steps(look, look.trace, name, value, look_at, up=up))
            found[name] = tuple(both)
    return found


def _steps(
    look: Look, trace: Trace, name: str, value: float, look_at: Callable[[str, float], Look], *, up: bool
) -> list[ThresholdStep]:
    found: list[ThresholdStep] = []
    before = look.result
    for _ in range(_MOST):
        passed = trace.next_point(name, value, up=up)
        if passed is None:
            break
        value = passed + 2 * ROUNDED if up else passed - 2 * ROUNDED
        if not _FIRST <= value <= _LAST:
            break
        there = look_at(name, value)
        if there.trace is None or name in there.trace.opaque:
            break
        trace = there.trace
        # Mostly it is what it was before: then it is kept once.
        result = look.result if there.result == look.result else before if there.result == before else there.result
        before = result
        low, high = (trace.next_point(name, value, up=each) for each in (False, True))
        found.append(ThresholdStep(-inf if low is None else low, inf if high is None else high, result))
    return found


def find_moved(touch: Touch, draft: Policy) -> tuple[str, float] | None:
    """The threshold and its value, where nothing else is moved."""
    if touch.conditions or touch.near or touch.weights or touch.everything or len(touch.thresholds) != 1:
        return None
    (name,) = touch.thresholds
    return name, asdict(draft.thresholds)[name]


def find_at(steps: Steps, name: str, value: float) -> ProbeResult | None:
    """None: nobody looked there."""
    held = (each for each in steps.get(name, ()) if each.low + ROUNDED < value < each.high - ROUNDED)
    return next((each.result for each in held), None)
