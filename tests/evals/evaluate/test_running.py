"""A run: kept batch by batch, cancelled, gone on with after a restart, taken over; a failure costs only its case."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from db.connection import Database
from db.evaluation.results import add_results, load_scored
from db.evaluation.run_values import ResultFilter, ScoredCase
from db.evaluation.runs import find_run
from db.policies.saving import save_draft
from db.users import User
from domains.deciders import make_engine
from domains.drafts import begin_draft
from engine.decision import Context, Decision
from engine.editing.edits import SetThreshold
from evals.asking import DriverDecider, Entrant
from evals.case import Case, Turn
from evals.evaluate import helper_processes, room, running
from evals.evaluate.conversing import load_our_conversations
from evals.evaluate.data_sets import DataSet, make_data_set, narrow, renumber
from evals.evaluate.deciders import make_entrant
from evals.evaluate.direct import judge_all
from evals.evaluate.room import (
    begin_run,
    find_interrupted,
    find_left_runs,
    find_problem,
    resume_run,
    take_over_run,
    take_part,
)
from evals.evaluate.running import EvaluationWork
from evals.evaluate.specs import DeciderError, DeciderSpec, read_spec, write_spec
from evals.progress import Progress
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from llm.trace import LLMTrace
from tests.assistant.conftest import calls
from tests.llm.fault_server import hang, serve, status

ROOT = Path(__file__).parents[3]
ENGINE, BASELINE = DeciderSpec("engine", "Engine"), DeciderSpec("baseline", "Baseline")
SAYINGS = ("add a task to buy milk", "show my tasks", "who am i", "nice weather today", "add a task to call mom")
INTENTS = ("add_task", "list_tasks", "identity_query", "unknown", "list_tasks")


def made_up_set(times: int = 1) -> DataSet:
    """Five messages, as often as wanted; the last one has a wrong label."""
    cases = [
        Case(f"{intent}-{time}", (Turn(f"{say} {time}" if intent == "add_task" else say, (intent,)),))
        for time in range(times)
        for say, intent in zip(SAYINGS, INTENTS, strict=True)
    ]
    return make_data_set("Made up", cases, source="test")


def scored_of(database: Database, run_id: str, decider: int = 0) -> tuple[ScoredCase, ...]:
    with database.read() as session:
        return load_scored(session, run_id, decider)


class Counting:
    """The engine, counting what it is asked; it raises for some words."""

    def __init__(self, fails_on: str = "never") -> None:
        self.asked: list[str] = []
        self._fails_on, self._engine = fails_on, make_engine()

    def decide(self, text: str, context: Context) -> Decision:
        self.asked.append(text)
        if self._fails_on in text:
            raise RuntimeError("boom")
        return self._engine.decide(text, context)


def price(_trace: LLMTrace) -> float | None:
    return 0.25


def test_every_case_goes_through_every_decider(database: Database, ada: User) -> None:
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE, BASELINE], name="Mine")
    begun.work.run()
    begun.work.finish("done")
    with database.read() as session:
        run = find_run(session, ada.id, begun.run_id)
    assert run
    assert (run.name, run.status, run.done, run.total, run.set_name) == ("Mine", "done", 10, 10, "Made up")
    assert [each.passed for each in scored_of(database, begun.run_id)] == [True, True, True, True, False]
    assert len(scored_of(database, begun.run_id, 1)) == 5
    assert run.deciders[0]["version"].startswith("en-")
    assert begun.work.progress.share == 1.0


def test_one_failing_case_never_ends_a_run(database: Database, ada: User) -> None:
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE])
    begun.work.entrants = [Entrant("fragile", Counting(fails_on="weather"))]
    begun.work.run()
    found = scored_of(database, begun.run_id)
    assert [each.verdict for each in found] == ["right", "right", "right", "no_answer", "wrong_tool"]


def test_a_cancelled_run_keeps_what_is_done_and_goes_on_there(
    database: Database, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_QUICK_BATCH", 10)
    begun = begin_run(database, ada.id, made_up_set(8), [ENGINE])
    work = begun.work
    kept: list[int] = []

    def keep_once(results: Any) -> None:
        EvaluationWork._keep(work, results)
        kept.append(len(results))
        work.cancel()

    monkeypatch.setattr(work, "_keep", keep_once)
    work.run()
    work.finish("cancelled")
    assert kept == [10]
    again = resume_run(database, ada.id, begun.run_id)
    assert again
    assert (again.work.progress.done, again.work.progress.total) == (10, 40)
    counting = Counting()
    again.work.entrants = [Entrant("engine", counting)]
    again.work.run()
    again.work.finish("done")
    assert len(counting.asked) == 31, "30 that were left, and one to warm up"
    assert [each.position for each in scored_of(database, begun.run_id)] == list(range(40))


def test_a_run_is_found_interrupted_after_a_restart_and_goes_on(
    database: Database, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE])
    with database.write() as session:
        assert find_interrupted(session, ada.id, {begun.run_id}) == ()
        assert [run.id for run in find_interrupted(session, ada.id, ())] == [begun.run_id]
    # Another process: it must hear nothing of the one before for a while.
    monkeypatch.setattr(running, "PROCESS", "the next process")
    with database.read() as session:
        assert find_interrupted(session, ada.id, ()) == ()
    monkeypatch.setattr(room, "is_interrupted", lambda run: run.status == "running")
    with database.read() as session:
        assert [run.id for run in find_interrupted(session, ada.id, ())] == [begun.run_id]
    again = resume_run(database, ada.id, begun.run_id)
    assert again
    again.work.run()
    again.work.finish("done")
    assert len(scored_of(database, begun.run_id)) == 5


@pytest.mark.timeout(120)
def test_a_run_whose_process_was_killed_goes_on_where_it_stopped(
    database: Database, database_url: str, ada: User
) -> None:
    command = [sys.executable, "-m", "tests.evals.evaluate.killed_run", database_url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        run_id = process.stdout.readline().strip()
        process.kill()
    before = scored_of(database, run_id)
    assert [each.position for each in before] == list(range(10))
    again = resume_run(database, ada.id, run_id)
    assert again
    counting = Counting()
    again.work.entrants = [Entrant("engine", counting)]
    again.work.run()
    again.work.finish("done")
    assert len(counting.asked) == 31, "30 that were left, and one to warm up"
    after = scored_of(database, run_id)
    assert after[:10] == before
    assert [each.position for each in after] == list(range(40))


def test_whoever_lost_a_run_to_another_stops_and_keeps_nothing(database: Database, ada: User) -> None:
    """Another process, or another page of this one."""
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE])
    again = resume_run(database, ada.id, begun.run_id)
    assert again
    begun.work.run()
    assert begun.work.progress.cancelled
    begun.work.finish("done")
    assert scored_of(database, begun.run_id) == ()
    with database.read() as session:
        run = find_run(session, ada.id, begun.run_id)
    assert run
    assert run.status == "running"
    again.work.run()
    assert len(scored_of(database, begun.run_id)) == 5


def test_an_owner_says_that_it_is_alive_while_a_model_thinks(
    database: Database, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_ALIVE_SECONDS", 0.01)
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE])
    told = threading.Event()
    before = datetime.now(UTC)

    class Waiting:
        def decide(self, text: str, context: Context) -> Decision:
            assert told.wait(20)
            return make_engine().decide(text, context)

    original = running.say_alive

    def hear(*arguments: Any) -> bool:
        heard = original(*arguments)
        told.set()
        return heard

    monkeypatch.setattr(running, "say_alive", hear)
    begun.work.entrants = [Entrant("waiting", Waiting())]
    begun.work.run()
    with database.read() as session:
        run = find_run(session, ada.id, begun.run_id)
    assert run
    assert run.seen_at
    assert run.seen_at >= before


def test_only_what_failed_is_run_again(database: Database, ada: User) -> None:
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE])
    begun.work.run()
    with database.read() as session:
        part = take_part(session, ada.id, begun.run_id, ResultFilter(passed=False), "Only what failed")
    assert [case.case_id for case in part.cases] == ["list_tasks-0"]
    again = begin_run(database, ada.id, part, [ENGINE], part_of=begun.run_id)
    again.work.run()
    with database.read() as session:
        run = find_run(session, ada.id, again.run_id)
    assert run
    assert (run.part_of, run.size) == (begun.run_id, 1)
    assert scored_of(database, again.run_id)[0].key == scored_of(database, begun.run_id)[4].key


def endpoint_at(url: str, seconds: float = 5) -> Endpoint:
    return Endpoint("openai", url, "m", key="sk-secret", timeout_seconds=seconds)


def test_a_model_is_asked_with_its_tokens_and_cost_and_its_key_is_kept_nowhere(database: Database, ada: User) -> None:
    spec = DeciderSpec("llm", "Model", model="m")
    with serve(calls("list_tasks")) as server:
        begun = begin_run(
            database, ada.id, made_up_set(), [spec], find_endpoint=lambda _spec: endpoint_at(server.url), cost_of=price
        )
        begun.work.run()
    found = scored_of(database, begun.run_id)
    assert [each.final for each in found] == ["list_tasks"] * 5
    assert {each.cost for each in found} == {0.25}
    assert all(each.prompt_tokens for each in found)
    with database.read() as session:
        run = find_run(session, ada.id, begun.run_id)
    assert run
    assert "sk-secret" not in str(run.deciders)


def test_an_endpoint_that_is_down_is_no_answer_of_each_case(database: Database, ada: User) -> None:
    spec = DeciderSpec("llm", "Model")
    with serve(status(401)) as server:
        find_endpoint = lambda _spec: endpoint_at(server.url)  # noqa: E731
        begun = begin_run(database, ada.id, made_up_set(), [spec, ENGINE], find_endpoint=find_endpoint)
        begun.work.run()
    assert {each.verdict for each in scored_of(database, begun.run_id)} == {"no_answer"}
    assert sum(each.passed for each in scored_of(database, begun.run_id, 1)) == 4


@pytest.mark.timeout(60)
def test_cancelling_ends_a_request_that_hangs(database: Database, ada: User) -> None:
    with serve(hang) as server:
        begun = begin_run(
            database, ada.id, made_up_set(), [DeciderSpec("llm", "Model")],
            find_endpoint=lambda _: endpoint_at(server.url, 60),
        )  # fmt: skip
        thread = threading.Thread(target=begun.work.run)
        thread.start()
        assert server.asked.wait(10)
        begun.work.cancel()
        thread.join(20)
        assert not thread.is_alive()
    assert scored_of(database, begun.run_id) == ()


def test_a_model_that_is_not_connected_any_more_leaves_the_run_as_it_is(database: Database, ada: User) -> None:
    with serve(calls("list_tasks")) as server:
        begun = begin_run(
            database, ada.id, made_up_set(), [DeciderSpec("llm", "Model", model="m")],
            find_endpoint=lambda _: endpoint_at(server.url),
        )  # fmt: skip
    with pytest.raises(DeciderError, match="Model: m is not connected in this session"):
        resume_run(database, ada.id, begun.run_id, find_endpoint=lambda _: None)
    assert resume_run(database, ada.id, "no such run") is None


def test_weighed_the_model_is_asked_only_where_the_engine_is_not_sure() -> None:
    with serve(calls("list_tasks")) as server:
        llm = LLMDecider(endpoint_at(server.url), breaker=Breaker(), pause_seconds=0.01)
        decider = DriverDecider("router", make_engine(), llm)
        context = replace(begin_context(), pending=None)
        sure, not_asked = decider.ask("don't delete buy milk", context)
        _, asked = decider.ask("nice weather today", context)
    assert (sure.reason, not_asked) == ("negated", None)
    assert asked is not None


def begin_context() -> Context:
    from evals.situation import begin

    return begin(Case("a", (Turn("x", ("unknown",)),))).context


def test_a_policy_file_and_thresholds_are_deciders_of_their_own(database: Database, ada: User) -> None:
    careful = DeciderSpec("engine", "Careful", policy="language: en\nthresholds: {act: 0.999}\n")
    turned = DeciderSpec("engine", "Turned", thresholds={"act": 1.0})
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE, careful, turned])
    begun.work.run()
    assert [each.action for each in scored_of(database, begun.run_id)][:1] == ["execute"]
    for place in (1, 2):
        assert [each.action for each in scored_of(database, begun.run_id, place)][:1] == ["clarify"]
    assert read_spec(write_spec(careful)) == careful
    assert read_spec({**write_spec(turned), "unknown": 1}) == turned
    with pytest.raises(DeciderError):
        read_spec({"kind": "oracle"})
    with pytest.raises(DeciderError, match="tasks only"):
        make_entrant(BASELINE, "machines")


def test_a_saved_version_of_the_policy_is_a_decider_also_after_a_restart(database: Database, ada: User) -> None:
    draft = begin_draft("tasks", "en").edit(SetThreshold("act", 0.999))
    with database.write() as session:
        version = save_draft(session, draft, author="Ada", since=0)
    careful = DeciderSpec("engine", "Careful", saved=(version.id,))
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE, careful])
    again = resume_run(database, ada.id, begun.run_id)
    assert again
    again.work.run()
    assert [scored_of(database, begun.run_id, place)[0].action for place in (0, 1)] == ["execute", "clarify"]
    with database.read() as session:
        run = find_run(session, ada.id, begun.run_id)
    assert run
    assert version.digest in run.deciders[1]["version"]
    assert read_spec(run.deciders[1]).saved == (version.id,)
    with pytest.raises(DeciderError, match="no such version"):
        begin_run(database, ada.id, made_up_set(), [replace(careful, saved=("gone",))])
    with pytest.raises(DeciderError, match="needs the store"):
        make_entrant(careful)


def test_what_cannot_be_run_together_is_told_in_a_sentence(database: Database, ada: User) -> None:
    assert find_problem(DataSet("x"), [ENGINE]) == "There is no case in this data set."
    assert find_problem(made_up_set(), []) == "Choose at least one decider."
    assert "cannot hold conversations" in str(find_problem(load_our_conversations(), [BASELINE]))
    with pytest.raises(ValueError, match="no case"):
        begin_run(database, ada.id, DataSet("x"), [ENGINE])


def test_conversations_are_played_and_gone_on_with(database: Database, ada: User) -> None:
    whole = load_our_conversations()
    first = whole.cases[0].body["conversation"]["id"]
    talk = DataSet("One", renumber([each for each in whole.cases if each.body["conversation"]["id"] == first]))
    begun = begin_run(database, ada.id, talk, [ENGINE])
    begun.work.run()
    found = scored_of(database, begun.run_id)
    assert len(found) == len(talk.cases) > 1
    assert any(each.passed for each in found)
    assert all(each.detail == {} for each in found)
    part = narrow(talk, {"place": ["follow-up"]})
    again = begin_run(database, ada.id, part, [ENGINE])
    with database.write() as session:
        add_results(session, again.run_id, again.work.owner, [(0, replace(found[1], position=0))])
    resumed = resume_run(database, ada.id, again.run_id)
    assert resumed
    resumed.work.run()
    assert [each.passed for each in scored_of(database, again.run_id)] == [each.passed for each in found[1:]]


def test_the_time_left_follows_the_pace_of_what_is_new() -> None:
    progress = Progress(100, 90, before=90)
    progress.started -= 10
    assert progress.seconds_left is None
    progress.step(5)
    assert progress.seconds_left == pytest.approx(10, rel=0.1)


def test_two_processes_judge_as_one_does() -> None:
    data_set = made_up_set(60)
    assert len(data_set.cases) == 300
    seen: list[tuple[int, int]] = []
    alone = judge_all(data_set, ENGINE, progress=lambda done, total: seen.append((done, total)))
    together = judge_all(data_set, ENGINE, processes=2)
    assert seen == [(250, 300), (300, 300)]
    plain = [[without_times(row) for row in rows] for rows in (alone, together)]
    assert plain[0] == plain[1]


def without_times(row: ScoredCase) -> ScoredCase:
    answer = {name: value for name, value in row.detail["answer"].items() if name != "ms"}
    return replace(row, milliseconds=0.0, detail={**row.detail, "answer": answer})


def begin_with_help(
    database: Database, ada: User, monkeypatch: pytest.MonkeyPatch, *specs: DeciderSpec
) -> EvaluationWork:
    """A small run that processes help with all the same."""
    monkeypatch.setattr(running, "_WORTH_HELP", 1)
    monkeypatch.setattr(running, "_HELP_BATCH", 10)
    monkeypatch.setattr(helper_processes, "MOST_HELPERS", 1)
    return begin_run(database, ada.id, made_up_set(8), specs).work


def told(rows: tuple[ScoredCase, ...]) -> list[ScoredCase]:
    """Without the times."""
    detail = [{**row.detail, "answer": {**row.detail["answer"], "ms": 0}} for row in rows]
    return [replace(row, milliseconds=0.0, detail=each) for row, each in zip(rows, detail, strict=True)]


def test_processes_that_help_find_what_one_process_finds(
    database: Database, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begin_with_help(database, ada, monkeypatch, ENGINE, BASELINE)
    work.run()
    work.finish("done")
    alone = judge_all(made_up_set(8), ENGINE)
    with database.read() as session:
        helped = load_scored(session, work.run_id, 0, with_detail=True)
    assert told(helped) == told(alone)
    assert [each.position for each in scored_of(database, work.run_id, 1)] == list(range(40))
    assert work.progress.share == 1.0


def test_a_process_that_dies_costs_nothing_but_time(
    database: Database, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begin_with_help(database, ada, monkeypatch, ENGINE)
    ask, asked = helper_processes.Helper.ask, []

    def ask_and_die(helper: helper_processes.Helper, batch: Any) -> Any:
        asked.append(len(batch))
        if len(asked) == 2:
            helper.process.kill()
        return ask(helper, batch)

    monkeypatch.setattr(helper_processes.Helper, "ask", ask_and_die)
    work.run()
    assert asked == [10, 10], "after that nobody is asked any more"
    assert [each.position for each in scored_of(database, work.run_id)] == list(range(40))


def test_a_run_with_help_is_cancelled_between_two_batches(
    database: Database, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begin_with_help(database, ada, monkeypatch, ENGINE)

    def keep_once(results: Any) -> None:
        EvaluationWork._keep(work, results)
        work.cancel()

    monkeypatch.setattr(work, "_keep", keep_once)
    work.run()
    assert len(scored_of(database, work.run_id)) == 10


def test_a_run_whose_process_fell_silent_is_taken_over_by_one_other(database: Database, ada: User) -> None:
    begun = begin_run(database, ada.id, made_up_set(), [ENGINE])
    now = datetime.now(UTC)
    with database.read() as session:
        assert find_left_runs(session, now) == ()
        assert find_left_runs(session, now + timedelta(hours=2)) == ()  # long ago: only who asks for it goes on with it
    later = now + timedelta(minutes=2)
    again = take_over_run(database, begun.run_id, later)
    assert again
    begun.work.run()  # it was only slow: what it does now is not kept
    begun.work.finish("done")
    assert scored_of(database, begun.run_id) == ()
    again.work.run()
    again.work.finish("done")
    assert len(scored_of(database, begun.run_id)) == 5
    assert take_over_run(database, begun.run_id, later) is None  # it has come to its end
