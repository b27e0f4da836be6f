"""A run as a whole, from the store or from memory: what every export is written from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import combinations
from typing import Any

from db.connection import Session
from db.evaluation.results import load_scored
from db.evaluation.run_values import KeptCase, KeptRun, ScoredCase
from db.evaluation.runs import find_run
from db.evaluation.sets import load_kept_cases
from domains.loading import TASKS, load_domain
from evals.evaluate.calibrating import Calibration, calibrate
from evals.evaluate.comparing import RunComparison, compare_scored
from evals.evaluate.confusion import Confusion, make_confusion
from evals.evaluate.scoreboard import Scoreboard, make_scoreboard
from evals.evaluate.slicing import SliceFigures, Slices, make_slices
from evals.evaluate.verdicts import SCORING


@dataclass(frozen=True)
class DeciderReport:
    """One decider of a run. What is computed is computed once, when it is asked for."""

    label: str
    spec: Mapping[str, Any]
    rows: tuple[ScoredCase, ...]
    intents: tuple[str, ...]
    slices: Slices

    @cached_property
    def scoreboard(self) -> Scoreboard:
        return make_scoreboard(self.label, self.rows, self.intents)

    @cached_property
    def calibration(self) -> Calibration:
        return calibrate(self.rows)

    @cached_property
    def confusion(self) -> Confusion:
        cells: dict[tuple[str, str], int] = {}
        for row in self.rows:
            cells[row.label, row.final] = cells.get((row.label, row.final), 0) + 1
        return make_confusion(cells, self.intents)

    @cached_property
    def slice_figures(self) -> tuple[SliceFigures, ...]:
        return make_slices(self.rows, self.slices)


@dataclass(frozen=True)
class RunReport:
    name: str
    domain: str
    created_at: datetime
    set_name: str
    fingerprint: str
    cases: tuple[KeptCase, ...]
    deciders: tuple[DeciderReport, ...]
    problems: tuple[str, ...] = ()
    status: str = "done"
    scoring: int = SCORING
    """By which rules the verdicts were given."""
    baseline: RunReport | None = None
    """The run that this one is held against."""

    @cached_property
    def by_position(self) -> dict[int, KeptCase]:
        return {case.position: case for case in self.cases}

    @cached_property
    def between(self) -> tuple[RunComparison, ...]:
        """Every two deciders of this run."""
        return tuple(
            compare_scored(first.label, first.rows, second.label, second.rows, first.slices)
            for first, second in combinations(self.deciders, 2)
        )

    @cached_property
    def since(self) -> tuple[RunComparison, ...]:
        """Each decider against the one of the same name in the baseline; or, where there is one each, against that."""
        if self.baseline is None:
            return ()
        before = {each.label: each for each in self.baseline.deciders}
        if len(before) == len(self.deciders) == 1:
            pairs = [(self.baseline.deciders[0], self.deciders[0])]
        else:
            pairs = [(before[each.label], each) for each in self.deciders if each.label in before]
        name = self.baseline.name if self.baseline.name != self.name else f"{self.baseline.name} (before)"
        return tuple(
            compare_scored(
                f"{first.label} in {name}", first.rows, f"{second.label} in {self.name}", second.rows, second.slices
            )
            for first, second in pairs
        )


def gather(session: Session, user_id: str, run_id: str, baseline: str | None = None) -> RunReport | None:
    """A person's run from the store, with the run that it is held against; None if there is no such run."""
    run = find_run(session, user_id, run_id)
    if run is None:
        return None
    return _gather(session, run, gather(session, user_id, baseline) if baseline else None)


def _gather(session: Session, run: KeptRun, baseline: RunReport | None) -> RunReport:
    cases = load_kept_cases(session, run.set_id)
    rows = [load_scored(session, run.id, place, with_detail=True) for place in range(len(run.deciders))]
    deciders = make_deciders(run.domain, cases, list(zip(run.deciders, rows, strict=True)))
    report = RunReport(run.name, run.domain, run.created_at, run.set_name, run.fingerprint, cases, deciders)
    return replace(report, problems=run.problems, status=run.status, baseline=baseline)


def make_deciders(
    domain: str, cases: Sequence[KeptCase], found: Sequence[tuple[Mapping[str, Any], Sequence[ScoredCase]]]
) -> tuple[DeciderReport, ...]:
    intents = load_domain(domain or TASKS).catalogue.intents
    slices = {case.position: case.slices for case in cases}
    return tuple(DeciderReport(str(spec["label"]), spec, tuple(rows), intents, slices) for spec, rows in found)
