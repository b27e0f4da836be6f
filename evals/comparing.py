"""A comparison as work: begun by a page, and gone on with by another process where its own is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from db.connection import Database, Session
from db.evaluation.comparison_work import claim, find_done, find_left, wants_end
from db.evaluation.comparisons import ComparedLine, Status, add_lines, find_lines, finish_comparison
from domains.loading import load_domain
from engine.border.wire import read_context
from engine.decision import Context
from engine.domain import Domain
from evals.asking import CostOf, Entrant
from evals.evaluate.deciders import make_entrant, read_saved
from evals.evaluate.engines import load_policies
from evals.evaluate.specs import DeciderSpec, read_spec, write_spec
from evals.line_files import Line
from evals.side_by_side import Run


@dataclass(frozen=True, slots=True)
class ComparisonWork:
    run: Run
    finish: Callable[[Status], None]


def make_work(
    database: Database,
    comparison_id: str,
    entrants: Sequence[Entrant],
    lines: Sequence[Line],
    shared: Context,
    domain: Domain,
    cost_of: CostOf,
) -> ComparisonWork:
    """For `ui.background.start`. `shared`: what a line that brings nothing of its own is about. What is kept of it
    already is not done again."""
    with database.read() as session:
        done = find_done(session, comparison_id)
        kept = find_lines(session, comparison_id) if done else ()

    def keep(found: Sequence[ComparedLine], figures: Sequence[Mapping[str, Any]]) -> bool:
        with database.write() as session:
            mine = add_lines(session, comparison_id, found, figures)
            if mine and wants_end(session, comparison_id):  # cancelled in another process
                run.cancel()
            return mine

    def finish(ending: Status) -> None:
        with database.write() as session:
            finish_comparison(session, comparison_id, ending)

    run = Run(
        entrants=entrants,
        lines=[line for line in lines if line.number not in done],
        make_context=lambda line: _context_of(line, shared, domain),
        cost_of=cost_of,
        keep=keep,
        domain=domain.name,
        kept=kept,
    )
    return ComparisonWork(run, finish)


def _context_of(line: Line, shared: Context, domain: Domain) -> Context:
    if line.context is None:
        return shared
    own = read_context({"user": shared.user, **line.context}, shared.now, domain)
    # A line that only says the time or the language still means the person's own things.
    brings_things = set(line.context) - {"history", "pending", "now", "lang"}
    return own if brings_things else replace(own, tasks=shared.tasks, learned=shared.learned)


def write_recipe(
    specs: Sequence[DeciderSpec], lines: Sequence[Line], shared: Mapping[str, Any], now: datetime
) -> dict[str, Any]:
    """All that another process needs to go on with it. Holds no key."""
    return {
        "specs": [write_spec(spec) for spec in specs],
        "lines": [[line.number, line.text, line.context, line.expected] for line in lines],
        "shared": dict(shared),
        "now": now.isoformat(),
    }


def find_left_comparisons(session: Session, now: datetime) -> tuple[str, ...]:
    return tuple(each.id for each in find_left(session, now))


def take_over_comparison(
    database: Database, comparison_id: str, now: datetime, cost_of: CostOf
) -> ComparisonWork | None:
    """None where another process was quicker. DeciderError or PolicyError where one of its deciders cannot be made
    here: then it stays as it is."""
    with database.read() as session:
        left = next((each for each in find_left(session, now) if each.id == comparison_id), None)
        if left is None:
            return None
        specs = [read_spec(each) for each in left.recipe["specs"]]
        saved = [read_saved(session, spec, left.domain) for spec in specs]
    pairs = zip(specs, saved, strict=True)
    entrants = [make_entrant(spec, left.domain, saved=load_policies(own, left.domain)) for spec, own in pairs]
    with database.write() as session:
        if claim(session, comparison_id, now) is None:
            return None
    domain = load_domain(left.domain)
    shared = read_context(left.recipe["shared"], datetime.fromisoformat(left.recipe["now"]), domain)
    lines = [Line(*each) for each in left.recipe["lines"]]
    return make_work(database, comparison_id, entrants, lines, shared, domain, cost_of)
