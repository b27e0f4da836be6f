"""What dead processes left behind: comparisons and evaluations that ran are gone on with here."""

from __future__ import annotations

import logging

from engine.policy.loading import PolicyError
from evals.comparing import find_left_comparisons, take_over_comparison
from evals.evaluate.room import find_left_runs, take_over_run
from evals.evaluate.specs import DeciderError
from llm.prices import cost_of
from ui import background
from ui.lanes import current_prices
from ui.resources import now_here, open_database

_log = logging.getLogger(__name__)
_cannot: set[str] = set()
"""Runs whose deciders cannot be made here: they need a key that only a session had. Their pages say how to go on."""


def take_over_work() -> None:
    """Called every few seconds; mostly there is nothing to do."""
    database, prices = open_database(), current_prices()
    with database.read() as session:
        runs = [run_id for run_id in find_left_runs(session, now_here()) if run_id not in _cannot]
        comparisons = [each for each in find_left_comparisons(session, now_here()) if each not in _cannot]
    for run_id in runs:
        try:
            begun = take_over_run(database, run_id, now_here(), cost_of=lambda trace: cost_of(trace, prices))
        except (DeciderError, PolicyError) as error:
            _give_up(run_id, error)
            continue
        if begun:
            background.start(begun.run_id, begun.work, begun.work.finish)
    for comparison_id in comparisons:
        try:
            work = take_over_comparison(database, comparison_id, now_here(), lambda trace: cost_of(trace, prices))
        except (DeciderError, PolicyError) as error:
            _give_up(comparison_id, error)
            continue
        if work:
            background.start(comparison_id, work.run, work.finish)


def _give_up(run_id: str, error: Exception) -> None:
    _cannot.add(run_id)
    _log.info("Run %s cannot be gone on with here: %s", run_id, type(error).__name__)
