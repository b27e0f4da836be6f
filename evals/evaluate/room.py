"""The room behind Evaluate: how a page (or a command) starts a run, goes on with one, and takes a part of one.

A page hands the work to `ui.background.start(run_id, work, work.finish)`; see docs/evaluate.md.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from db.connection import Database, Session
from db.evaluation.results import done_positions, find_positions
from db.evaluation.run_values import KeptRun, ResultFilter
from db.evaluation.runs import claim_run, find_left, find_run, is_interrupted, list_runs, start_run
from db.evaluation.sets import keep_set, load_kept_cases
from engine.policy.values import Policy
from evals.asking import CostOf, Entrant, no_price
from evals.evaluate.data_sets import CONVERSATION, DataSet, renumber
from evals.evaluate.deciders import FindEndpoint, make_entrant, read_saved, settings_endpoint, with_version
from evals.evaluate.engines import load_policies
from evals.evaluate.helping import Recipe
from evals.evaluate.running import EvaluationWork, is_of_this_process, make_owner
from evals.evaluate.specs import DeciderError, DeciderSpec, read_spec, write_spec


@dataclass(frozen=True)
class Begun:
    run_id: str
    work: EvaluationWork


def find_problem(data_set: DataSet, specs: Sequence[DeciderSpec]) -> str | None:
    """Why these cannot be run together, in a sentence; None if they can."""
    if not data_set.cases:
        return "There is no case in this data set."
    if not specs:
        return "Choose at least one decider."
    if any(CONVERSATION in case.body for case in data_set.cases):
        for spec in specs:
            if spec.kind == "baseline" or spec.is_altered:
                return f"{spec.name} cannot hold conversations: they are played as the settings have the lanes."
    return None


def begin_run(
    database: Database,
    user_id: str,
    data_set: DataSet,
    specs: Sequence[DeciderSpec],
    *,
    name: str = "",
    find_endpoint: FindEndpoint = settings_endpoint,
    cost_of: CostOf = no_price,
    part_of: str | None = None,
) -> Begun:
    """Keep the set and the run; nothing is decided before the work is started. DeciderError or PolicyError where a
    decider cannot be made, ValueError where `find_problem` finds one."""
    if problem := find_problem(data_set, specs):
        raise ValueError(problem)
    made = _make(database, specs, data_set.domain, find_endpoint)
    deciders = [write_spec(with_version(spec, data_set.domain, own)) for spec, own in zip(specs, made.own, strict=True)]
    owner = make_owner()
    with database.write() as session:
        set_id = keep_set(
            session,
            user_id,
            domain=data_set.domain,
            name=data_set.name,
            fingerprint=data_set.fingerprint,
            cases=data_set.cases,
        )
        run_id = start_run(
            session,
            user_id,
            set_id=set_id,
            name=name or data_set.name,
            deciders=deciders,
            cases=len(data_set.cases),
            owner=owner,
            problems=data_set.problems,
            domain=data_set.domain,
            part_of=part_of,
        )
    work = EvaluationWork(database, run_id, made.entrants, data_set.cases, cost_of, owner, recipes=made.recipes)
    return Begun(run_id, work)


def find_interrupted(session: Session, user_id: str, running_ids: Collection[str]) -> tuple[KeptRun, ...]:
    """Runs that nobody works on although they have not ended. `running_ids`: what this process works on."""
    return tuple(
        run
        for run in list_runs(session, user_id)
        if run.status == "running"
        and run.id not in running_ids
        and (is_of_this_process(run.owner) or is_interrupted(run))
    )


def find_left_runs(session: Session, now: datetime) -> tuple[str, ...]:
    """Runs of anybody whose process is gone."""
    return tuple(run_id for _, run_id in find_left(session, now))


def take_over_run(database: Database, run_id: str, now: datetime, *, cost_of: CostOf = no_price) -> Begun | None:
    """Go on with a run whose process is gone; None where another process was quicker. DeciderError where one of its
    deciders cannot be made by the settings alone."""
    with database.read() as session:
        user_id = next((whose for whose, each in find_left(session, now) if each == run_id), None)
    return resume_run(database, user_id, run_id, cost_of=cost_of, left_at=now) if user_id else None


def resume_run(
    database: Database,
    user_id: str,
    run_id: str,
    *,
    find_endpoint: FindEndpoint = settings_endpoint,
    cost_of: CostOf = no_price,
    left_at: datetime | None = None,
) -> Begun | None:
    """Go on where a run stopped, was cancelled or failed; None if there is no such run. DeciderError where one of its
    deciders cannot be made here: the run stays as it is."""
    with database.read() as session:
        run = find_run(session, user_id, run_id)
    if run is None:
        return None
    made = _make(database, [read_spec(each) for each in run.deciders], run.domain, find_endpoint)
    owner = make_owner()
    with database.write() as session:
        if left_at and (user_id, run_id) not in find_left(session, left_at):
            return None  # another process was quicker
        claimed = claim_run(session, user_id, run_id, owner)
        if claimed is None:
            return None
        cases, done = load_kept_cases(session, claimed.set_id), done_positions(session, run_id)
    work = EvaluationWork(database, run_id, made.entrants, cases, cost_of, owner, done, made.recipes)
    return Begun(run_id, work)


class _Made(NamedTuple):
    entrants: list[Entrant]
    own: list[tuple[Policy, ...]]
    """The saved policies of each."""
    recipes: list[Recipe]
    """None where one of them waits for a model: then the time is spent there, not here."""


def _make(database: Database, specs: Sequence[DeciderSpec], domain: str, find_endpoint: FindEndpoint) -> _Made:
    with database.read() as session:
        saved = [read_saved(session, spec, domain) for spec in specs]
    own = [load_policies(each, domain) for each in saved]
    entrants = [make_entrant(spec, domain, find_endpoint, each) for spec, each in zip(specs, own, strict=True)]
    quick = not any(spec.is_slow for spec in specs)
    recipes = [Recipe(spec, domain, each) for spec, each in zip(specs, saved, strict=True)] if quick else []
    return _Made(entrants, own, recipes)


def take_part(session: Session, user_id: str, run_id: str, wanted: ResultFilter, name: str) -> DataSet:
    """The cases that a filter of a run's table shows, as a set of their own: "only what failed" is run again."""
    run = find_run(session, user_id, run_id)
    if run is None:
        raise DeciderError("There is no such run.")
    chosen = set(find_positions(session, run_id, wanted))
    cases = [case for case in load_kept_cases(session, run.set_id) if case.position in chosen]
    return DataSet(name, renumber(cases), (), run.domain)
