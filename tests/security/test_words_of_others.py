"""Nobody can find out which words stand in another's tasks, nor in their own once these are gone."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import text

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.tasks.service import Clock, TaskService
from db.users import User
from engine.values import make_call
from tests.conftest import Call

PROBES = ("salary", "salari", "sal", "sa", "surgery", "therapy divorce", "bankruptcy", "salery raise", "latter")


def ask(executor: Executor, database: Database, user: User, clock: Clock) -> str:
    """All that a person can learn by words: by a tool's answers and by what the engine looks up."""
    origin = Origin("person")
    listed = [executor.execute(make_call("list_tasks", {"search": probe}, "person"), origin) for probe in PROBES]
    held = [executor.hold(make_call("delete_task", {"task_identifier": probe}, "person"), origin) for probe in PROBES]
    answers = [result.payload for result in (*listed, *held)]
    with database.read() as session:
        service = TaskService(session, user, clock)
        found = [[task.id for task in service.candidates(probe, 10)] for probe in PROBES]
    return json.dumps([answers, found], sort_keys=True)


@pytest.fixture
def bobs_call(database: Database, bob: User, clock: Clock) -> Call:
    executor = Executor(database, bob, clock)
    return lambda name, **arguments: executor.execute(make_call(name, arguments, "person"), Origin("person"))


def test_the_words_of_others_change_no_answer(
    database: Database, ada: User, clock: Clock, call: Call, executor: Executor, bobs_call: Call
) -> None:
    for title in ("Buy salami", "Search the garage", "Thermal jacket", "Bank errand", "Send the letter"):
        call("add_task", title=title)
    before = ask(executor, database, ada, clock)
    assert "Send the letter" in before  # as what was meant by "latter"
    secrets = ("The latter salary", "Surgery on Monday", "Therapy after the divorce", "File for bankruptcy")
    ids = [bobs_call("add_task", title=title, description="salary " * 3).payload["task_id"] for title in secrets]
    for number in range(100):  # too many words with a fragment are treated otherwise than few
        bobs_call("add_task", title=f"salx{number} sa{number}")
    assert ask(executor, database, ada, clock) == before
    for task_id in ids:
        bobs_call("delete_task", task_identifier=task_id)
    assert ask(executor, database, ada, clock) == before


def vocabulary(database: Database) -> set[str]:
    with database.read() as session:
        words = {row[0] for row in session.connection().execute(text("SELECT word FROM words"))}
        parts = {row[0] for row in session.connection().execute(text("SELECT word FROM word_parts"))}
    assert words == parts
    return words


def test_the_words_of_a_task_go_with_it_and_come_back_with_undo(
    database: Database, call: Call, executor: Executor
) -> None:
    call("add_task", title="Buy milk")
    secret = call("add_task", title="Buy a ring", description="for Eve").payload["task_id"]
    assert vocabulary(database) == {"buy", "milk", "a", "ring", "for", "eve"}
    gone = call("delete_task", task_identifier=secret)
    assert vocabulary(database) == {"buy", "milk"}
    executor.undo(str(gone.audit_id), Origin("person"))
    assert vocabulary(database) == {"buy", "milk", "a", "ring", "for", "eve"}
    assert call("list_tasks", search="ring").payload["count"] == 1


def test_the_words_of_an_earlier_title_go_with_it(database: Database, call: Call, executor: Executor) -> None:
    task_id = call("add_task", title="Buy a ring", description="for Eve").payload["task_id"]
    changed = call("update_task", task_identifier=task_id, new_title="Buy a bike")
    assert vocabulary(database) == {"buy", "a", "bike", "for", "eve"}
    executor.undo(str(changed.audit_id), Origin("person"))
    assert vocabulary(database) == {"buy", "a", "ring", "for", "eve"}
