"""The thresholds that cost least: found on one half of the cases, reported on the other.

A message whose confidence reaches `act` is acted on; one that reaches `read` is asked about; any other is left alone.
What each of these would cost is known from the run: whether acting on the reading is right, whether a question is
wanted, needless or about the wrong thing, and whether anything was asked for. Where something else than a threshold
decides (a task that is ambiguous, a missing title, a deletion that always asks), nothing can be gained, and the case is
left out.

The run itself need not be repeated, so sliders can move. It is a model of the engine all the same: a list is shown from
a little less certainty, and the conversation moves both limits. `agreement` says how often it tells what the run did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from db.evaluation.run_values import ScoredCase
from evals.evaluate.costing import Costs as Costs  # a page asks for both here
from evals.evaluate.costing import CostTable, Floats, TurnableCase, model_action, threshold_grid
from evals.intervals import Rate, wilson

_RESAMPLES = 1_000
_SEED = 7
_FEWEST = 20


@dataclass(frozen=True, slots=True)
class CostPoint:
    act: float
    read: float
    cost: float
    """Per case."""


@dataclass(frozen=True, slots=True)
class ThresholdAdvice:
    cases: int
    """On which thresholds decide, in both halves together."""
    present: CostPoint
    best: CostPoint
    """Found on the first half; both costs are of the other half."""
    saving: float
    """Per case of the other half: what the thresholds that are in force cost more. Negative: they cost less."""
    low: float
    high: float
    """95%, by a bootstrap over the cases of the other half."""
    agreement: Rate
    """How often the model says of the present thresholds what the run did."""
    curve: tuple[CostPoint, ...]
    """Cost on the other half over `act`, with `read` as found."""

    @property
    def is_more_than_noise(self) -> bool:
        return self.low > 0

    @property
    def changes(self) -> dict[str, float]:
        """For a draft of a policy, or `DeciderSpec.thresholds`."""
        return {"act": self.best.act, "read": self.best.read}

    @property
    def sentence(self) -> str:
        moved = f"act from {self.best.act:.2f} (now {self.present.act:.2f}) and read from {self.best.read:.2f} "
        moved += f"(now {self.present.read:.2f})"
        if self.best.act == self.present.act and self.best.read == self.present.read:
            return "The thresholds in force are those that cost least."
        if self.is_more_than_noise:
            return f"To {moved} costs {self.saving:.3f} less a case on the half that it was not found on."
        return f"To {moved} costs least on one half, but no saving can be told on the other."


def read_weighed(rows: Sequence[ScoredCase]) -> tuple[TurnableCase, ...]:
    """The cases on which thresholds decide."""
    return tuple(
        TurnableCase(
            row.key,
            float(row.weighing["sure"]),
            bool(row.weighing["acted"]),
            str(row.weighing["asked"]),
            bool(row.weighing["silent"]),
            str(row.action),
        )
        for row in rows
        if row.weighing is not None
    )


def advise(rows: Sequence[ScoredCase], costs: Costs) -> ThresholdAdvice | None:
    """None where thresholds decide on too few cases, or the decider has none."""
    cases = read_weighed(rows)
    found = next((row.weighing for row in rows if row.weighing is not None), None)
    halves = split_halves(cases)
    if found is None or min(len(half) for half in halves) < _FEWEST:
        return None
    act, read = float(found["act"]), float(found["read"])
    learned, held_out = (CostTable(half, costs) for half in halves)
    best_act, best_read = learned.find_best(act, read)
    difference = held_out.per_case(act, read) - held_out.per_case(best_act, best_read)
    low, high = _interval(difference)
    alike = sum(model_action(case.sure, act, read) == _as_model(case.action) for case in cases)
    points = [point for point in threshold_grid("act") if point >= best_read]
    return ThresholdAdvice(
        cases=len(cases),
        present=CostPoint(act, read, held_out.mean(act, read)),
        best=CostPoint(best_act, best_read, held_out.mean(best_act, best_read)),
        saving=float(difference.mean()),
        low=low,
        high=high,
        agreement=wilson(alike, len(cases)),
        curve=tuple(CostPoint(point, best_read, held_out.mean(point, best_read)) for point in points),
    )


def split_halves(cases: Sequence[TurnableCase]) -> tuple[tuple[TurnableCase, ...], tuple[TurnableCase, ...]]:
    """By the cases' keys: the same halves in every run, whatever the order."""
    first = tuple(case for case in cases if int(case.key[:8], 16) % 2 == 0)
    return first, tuple(case for case in cases if int(case.key[:8], 16) % 2 == 1)


def _as_model(action: str) -> str:
    return {"execute": "acts", "reply": "leaves"}.get(action, "asks")


def _interval(differences: Floats) -> tuple[float, float]:
    generator = np.random.default_rng(_SEED)
    drawn = generator.choice(differences, size=(_RESAMPLES, len(differences))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)
