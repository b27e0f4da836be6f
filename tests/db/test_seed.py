"""Demo people and tasks: believable, repeatable, and never in the way of a user's own tasks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from db.audit import Origin, find_undoable
from db.connection import Database
from db.executor import Executor
from db.machines.reading import read_machines
from db.seed import load_people, seed_demo_people, seed_empty_database, seed_user
from db.tasks.listing import TaskQuery
from db.tasks.service import Clock, TaskService
from db.users import User, find_user, list_users
from engine.values import Task, make_call

ROOT = Path(__file__).parent.parent.parent


def tasks_of(database: Database, user: User, clock: Clock, **query: object) -> tuple[Task, ...]:
    with database.read() as session:
        return TaskService(session, user, clock).find_all(TaskQuery(**query))  # type: ignore[arg-type]


def person(database: Database, handle: str) -> User:
    with database.read() as session:
        user = find_user(session, handle)
    assert user
    return user


@pytest.mark.both_databases
def test_an_empty_database_gets_two_people_with_their_tasks(database: Database, clock: Clock) -> None:
    seed_empty_database(database, clock)
    assert len(load_people()) == 2
    for expected in load_people():
        user = person(database, expected["handle"])
        assert user.name == expected["name"]
        assert len(tasks_of(database, user, clock)) == len(expected["tasks"])


def test_a_database_in_use_is_left_as_it_is(database: Database, ada: User, clock: Clock) -> None:
    seed_empty_database(database, clock)
    with database.read() as session:
        assert list_users(session) == (ada,)


def test_what_a_new_database_starts_with_is_not_the_last_change_to_undo(database: Database, clock: Clock) -> None:
    seed_empty_database(database, clock)
    with database.read() as session:
        assert find_undoable(session, person(database, "maya").id) is None


def test_the_set_covers_what_a_demo_shows(database: Database, clock: Clock) -> None:
    seed_empty_database(database, clock)
    maya = person(database, "maya")
    for query in ({"filter": "overdue"}, {"due": "today"}, {"due": "this_week"}, {"filter": "completed"}):
        assert tasks_of(database, maya, clock, **query), query
    titles = [task.title for task in tasks_of(database, maya, clock)]
    assert any(len(title) > 150 for title in titles)
    assert any(not title.isascii() for title in titles)


def test_seeding_again_replaces_demo_tasks_and_no_others(database: Database, clock: Clock) -> None:
    seed_empty_database(database, clock)
    maya = person(database, "maya")
    executor = Executor(database, maya, clock)
    executor.execute(make_call("add_task", {"title": "My own"}, "person"), Origin("person"))
    executor.execute(make_call("delete_task", {"task_identifier": "Renew passport"}, "person"), Origin("person"))
    own = [task for task in tasks_of(database, maya, clock) if task.title == "My own"]
    seed_demo_people(database, clock)
    after = tasks_of(database, maya, clock)
    assert [task for task in after if task.title == "My own"] == own
    assert sorted(task.title for task in after) == sorted(
        ["My own", *(task["title"] for task in load_people()[0]["tasks"])]
    )


def test_demo_tasks_for_anybody_are_undone_in_one_go(database: Database, ada: User, clock: Clock) -> None:
    executor = Executor(database, ada, clock)
    executor.execute(make_call("add_task", {"title": "My own"}, "person"), Origin("person"))
    seed_user(database, ada, clock)
    with database.read() as session:
        change = find_undoable(session, ada.id)
    assert change
    assert change.count == len(load_people()[0]["tasks"])
    assert executor.undo(change.audit_id, Origin("person")).ok
    assert [task.title for task in tasks_of(database, ada, clock)] == ["My own"]


def test_the_demo_people_have_fleets_of_their_own(database: Database, clock: Clock) -> None:
    seed_empty_database(database, clock)
    names = {}
    for handle in ("maya", "jonas"):
        with database.read() as session:
            names[handle] = {machine.name for machine in read_machines(session, person(database, handle).id)}
    assert "Frigo Cucina" in names["maya"]
    assert "Blast chiller" in names["jonas"]
    assert not names["maya"] & names["jonas"]


@pytest.mark.both_databases
def test_seeding_again_puts_the_machines_back_and_keeps_their_ids(database: Database, clock: Clock) -> None:
    seed_empty_database(database, clock)
    maya = person(database, "maya")
    with database.read() as session:
        before = read_machines(session, maya.id)
    off = {"device_name": "Frigo Cucina", "command_name": "turn_off"}
    executor = Executor(database, maya, clock)
    assert executor.execute(make_call("machine_command_execute", off, "person"), Origin("person")).payload["changed"]
    seed_demo_people(database, clock)
    with database.read() as session:
        assert read_machines(session, maya.id) == before
    again = executor.execute(make_call("machine_command_execute", off, "person"), Origin("person"))
    assert again.payload["changed"], "it was on again"


def test_make_seed_runs_the_module(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    done = subprocess.run([sys.executable, "-m", "db.seed"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "30 demo tasks and 10 demo machines" in done.stdout
