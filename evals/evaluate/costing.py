"""What thresholds cost on the cases of a run, for any two of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.policy.tuning import KNOBS

_STEP = 0.01
_RANGES = {knob.name: (knob.low, knob.high) for knob in KNOBS}
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Costs:
    """In any unit: only their relations count."""

    wrong_act: float = 10.0
    needless_question: float = 1.0
    missed_request: float = 3.0


@dataclass(frozen=True, slots=True)
class TurnableCase:
    """One case as thresholds see it."""

    key: str
    sure: float
    acted: bool
    """Whether acting on the reading would be right."""
    asked: str
    """What a question would be: wanted, needless or useless."""
    silent: bool
    """Whether nothing was asked for."""
    action: str
    """What the run did."""


def model_action(sure: float, act: float, read: float) -> str:
    return "acts" if sure >= act else "asks" if sure >= read else "leaves"


class CostTable:
    """What any two thresholds cost on these cases, from sums over the sorted confidences."""

    def __init__(self, cases: Sequence[TurnableCase], costs: Costs) -> None:
        ordered = sorted(cases, key=lambda case: case.sure)
        self.sure = np.array([case.sure for case in ordered], dtype=np.float64)
        self.acting = np.array([0.0 if case.acted else costs.wrong_act for case in ordered])
        self.asking = np.array([_cost_of_asking(case, costs) for case in ordered])
        self.leaving = np.array([0.0 if case.silent else costs.missed_request for case in ordered])
        self._acting, self._asking, self._leaving = (
            np.concatenate(([0.0], np.cumsum(values))) for values in (self.acting, self.asking, self.leaving)
        )

    def mean(self, act: float, read: float) -> float:
        """Per case; 0 without any."""
        if not len(self.sure):
            return 0.0
        acts, reads = np.searchsorted(self.sure, [max(act, read), read])
        total = self._leaving[reads] + self._asking[acts] - self._asking[reads] + self._acting[-1] - self._acting[acts]
        return float(total / len(self.sure))

    def per_case(self, act: float, read: float) -> Floats:
        asked = np.where(self.sure >= read, self.asking, self.leaving)
        return np.where(self.sure >= max(act, read), self.acting, asked)

    def find_best(self, act: float, read: float) -> tuple[float, float]:
        """Of those that cost least, the pair nearest to the one in force."""
        candidates = [(a, r) for a in (*threshold_grid("act"), act) for r in (*threshold_grid("read"), read) if r <= a]
        return min(candidates, key=lambda pair: (round(self.mean(*pair), 9), abs(pair[0] - act) + abs(pair[1] - read)))


def _cost_of_asking(case: TurnableCase, costs: Costs) -> float:
    """A question about something nobody asked for costs the question, and the request is missed all the same."""
    if case.asked == "wanted":
        return 0.0
    return costs.needless_question + (costs.missed_request if case.asked == "useless" else 0.0)


def threshold_grid(name: str) -> list[float]:
    """The values that are tried, over the range that people may turn the threshold in."""
    low, high = _RANGES[name]
    return [round(low + place * _STEP, 2) for place in range(round((high - low) / _STEP) + 1)]
