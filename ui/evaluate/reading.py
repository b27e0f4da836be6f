"""What was scored, read from the store once: a page runs again at every click, and ten thousand rows take a while.

Everything here is kept by the run and how far it is, so a run under way is read anew, and a finished one never.
"""

from __future__ import annotations

from functools import lru_cache

from db.evaluation.results import load_scored
from db.evaluation.run_values import KeptRun, ScoredCase
from db.evaluation.sets import load_slices
from domains.loading import list_domains, load_domain
from evals.evaluate.calibrating import Calibration, calibrate
from evals.evaluate.comparing import RunComparison, compare_scored
from evals.evaluate.scoreboard import Scoreboard, make_scoreboard
from evals.evaluate.slicing import SliceFigures, Slices, make_slices
from evals.evaluate.thresholds import Costs, ThresholdAdvice, advise
from ui.resources import load_database

Stamp = tuple[str, int]
"""A run, and how many of its answers are there."""


def stamp_of(run: KeptRun) -> Stamp:
    return run.id, run.done


def find_intents(domain: str) -> tuple[str, ...]:
    """None of a domain that is there no longer."""
    return load_domain(domain).catalogue.intents if domain in list_domains() else ()


@lru_cache(maxsize=16)
def read_scored(stamp: Stamp, decider: int) -> tuple[ScoredCase, ...]:
    with load_database().read() as session:
        return load_scored(session, stamp[0], decider)


@lru_cache(maxsize=8)
def read_slices(set_id: str) -> Slices:
    with load_database().read() as session:
        return load_slices(session, set_id)


@lru_cache(maxsize=32)
def read_scoreboard(stamp: Stamp, decider: int, label: str, domain: str) -> Scoreboard:
    return make_scoreboard(label, read_scored(stamp, decider), find_intents(domain))


@lru_cache(maxsize=32)
def read_calibration(stamp: Stamp, decider: int) -> Calibration:
    return calibrate(read_scored(stamp, decider))


@lru_cache(maxsize=64)
def read_advice(stamp: Stamp, decider: int, costs: Costs) -> ThresholdAdvice | None:
    return advise(read_scored(stamp, decider), costs)


@lru_cache(maxsize=32)
def read_slice_figures(stamp: Stamp, decider: int, set_id: str) -> tuple[SliceFigures, ...]:
    return make_slices(read_scored(stamp, decider), read_slices(set_id))


@lru_cache(maxsize=32)
def read_comparison(
    before: Stamp, before_decider: int, before_name: str, stamp: Stamp, decider: int, name: str, set_id: str
) -> RunComparison:
    """The second held against the first."""
    first, second = read_scored(before, before_decider), read_scored(stamp, decider)
    return compare_scored(before_name, first, name, second, read_slices(set_id))
