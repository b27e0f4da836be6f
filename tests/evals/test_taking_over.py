"""A comparison whose process is gone is gone on with by another: nothing is lost, nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import update

from db.connection import Database
from db.evaluation.comparison_work import ask_to_end
from db.evaluation.comparisons import find_comparison, find_lines, start_comparison
from db.models import ComparisonRow
from db.processes import say_goodbye, say_here
from db.users import User
from domains.loading import load_domain
from engine.border.wire import read_context
from evals.asking import no_price
from evals.comparing import find_left_comparisons, make_work, take_over_comparison, write_recipe
from evals.evaluate.deciders import make_entrant
from evals.evaluate.specs import DeciderError, DeciderSpec
from evals.line_files import Line

pytestmark = pytest.mark.both_databases

NOW = datetime.now(UTC)
SPECS = (DeciderSpec("engine", "Engine"), DeciderSpec("baseline", "Baseline"))
LINES = tuple(Line(number, f"add a task to buy {thing}") for number, thing in enumerate(("milk", "bread", "tea"), 1))
Left = Callable[..., str]


@pytest.fixture
def left(database: Database, ada: User) -> Left:
    """A run of a process that has done its first line and is gone."""

    def begin(specs: tuple[DeciderSpec, ...] = SPECS, done: int = 1) -> str:
        shared = {"user": ada.handle}
        with database.write() as session:
            names = [spec.name for spec in specs]
            recipe = write_recipe(specs, LINES, shared, NOW)
            run_id = start_comparison(
                session, ada.id, name="x", deciders=names, total=len(LINES), problems=(), recipe=recipe
            )
        context = read_context(shared, NOW, load_domain())
        entrants = [make_entrant(spec) for spec in specs if spec.kind != "llm"]
        if done:
            make_work(database, run_id, entrants, LINES[:done], context, load_domain(), no_price).run.run()
        with database.write() as session:
            session.exec(update(ComparisonRow).values(worker="gone"))
            say_here(session, NOW, "gone")
            say_goodbye(session, NOW, "gone")
        return run_id

    return begin


def test_it_goes_on_where_the_other_stopped(database: Database, ada: User, left: Left) -> None:
    run_id = left()
    with database.read() as session:
        assert find_left_comparisons(session, NOW) == (run_id,)
    work = take_over_comparison(database, run_id, NOW, no_price)
    assert work
    assert take_over_comparison(database, run_id, NOW, no_price) is None  # it is somebody's again
    work.run.run()
    work.finish("done")
    with database.read() as session:
        run = find_comparison(session, ada.id, run_id)
        assert run
        assert (run.status, run.done, [line.line for line in find_lines(session, run_id)]) == ("done", 3, [1, 2, 3])
        assert [(entry["name"], entry["lines"]) for entry in run.summary] == [("Engine", 3), ("Baseline", 3)]


def test_who_was_silent_and_comes_back_keeps_nothing_more(database: Database, ada: User, left: Left) -> None:
    run_id = left(done=0)
    context = read_context({"user": ada.handle}, NOW, load_domain())
    entrants = [make_entrant(spec) for spec in SPECS]
    late = make_work(database, run_id, entrants, LINES, context, load_domain(), no_price)
    late.run.run()  # of the process `gone`, which this one is not
    late.finish("done")
    with database.read() as session:
        run = find_comparison(session, ada.id, run_id)
        assert run
        assert (run.status, run.done) == ("running", 0)


def test_a_process_that_is_there_keeps_its_run(database: Database, left: Left) -> None:
    left()
    with database.write() as session:
        say_here(session, NOW, "gone")
    with database.read() as session:
        assert find_left_comparisons(session, NOW + timedelta(seconds=10)) == ()


def test_a_model_that_only_a_session_had_is_not_asked_by_another_process(database: Database, left: Left) -> None:
    run_id = left((*SPECS, DeciderSpec("llm", "LLM", endpoint="https://llm.example", model="m")), done=0)
    with pytest.raises(DeciderError):
        take_over_comparison(database, run_id, NOW, no_price)


def test_a_run_that_was_cancelled_elsewhere_ends_with_its_next_lines(database: Database, ada: User, left: Left) -> None:
    run_id = left(done=0)
    work = take_over_comparison(database, run_id, NOW, no_price)
    assert work
    with database.write() as session:
        ask_to_end(session, ada.id, run_id)
    work.run.run()
    assert work.run.progress.cancelled
