"""Whose tasks are few has them read at once: what is found must be what the store finds of many."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sqlalchemy import text

from db.connection import Database
from db.reach import open_reach
from db.tasks.few_tasks import FEW, read_few
from db.tasks.service import Clock, TaskService
from db.users import User
from engine.values import Task

WORDS = (
    "call", "calls", "dentist", "dentists", "office", "pay", "rent", "water", "plants", "plant", "café", "Résumé",
    "überweisen", "№5", "x-ray", "don't", "🎂", "买牛奶", "size", "4", "Mrs", "Okafor's", "boiler", "service", "a",
    "to",
)  # fmt: skip
SAID = (*WORDS, "dentits", "clal", "boilr", "ofice", "watering", "plnats", "resume", "cafe", "the", "okafor", "rnet")


def _some(chooser: random.Random, words: tuple[str, ...], most: int) -> str:
    return " ".join(chooser.choices(words, k=chooser.randint(1, most)))


@pytest.mark.parametrize("seed", range(6))
def test_few_tasks_are_found_as_many_are(
    seed: int, bob: User, service: TaskService, database: Database, ada: User, clock: Clock
) -> None:
    chooser = random.Random(seed)
    made = [service.create(_some(chooser, WORDS, 5), _some(chooser, WORDS, 3)) for _ in range(chooser.choice((2, 40)))]
    for task in made[::5]:
        service.complete(task.id)
    service.delete(made[0].id)
    TaskService(service._session, bob, clock).create("call the dentist of Bob")
    service._session.commit()
    with database.read() as session:
        stored, few = TaskService(session, ada, clock), read_few(session, ada)
        assert few
        for mention in (*SAID, *(_some(chooser, SAID, 9) for _ in range(120)), "", " ", "%", "…"):
            for limit in (4, 12):  # of more with the very same title the store takes any
                assert few.candidates(mention, limit) == stored.candidates(mention, limit), mention
        assert few.recent(7) == stored.recent(7)
        assert [few.find_by_number(each) for each in range(45)] == [stored.find_by_number(each) for each in range(45)]
        assert [few.find_by_id(each.id) for each in made] == [stored.find_by_id(each.id) for each in made]


def test_the_tasks_of_somebody_with_many_are_not_read_at_once(
    service: TaskService, database: Database, ada: User, clock: Clock
) -> None:
    for number in range(FEW):
        service.create(f"task {number}")
    service._session.commit()
    with database.read() as session:
        assert read_few(session, ada)
    service.create("call the dentist")
    service._session.commit()
    with database.read() as session:
        assert read_few(session, ada) is None
        found = open_reach(session, ada, clock, "tasks").candidates("the dentist", 3)
    assert [each.title for each in found] == ["call the dentist"]


def test_a_person_with_few_tasks_is_asked_about_in_one_statement(
    service: TaskService, database: Database, ada: User, clock: Clock, statements: list[str]
) -> None:
    service.create("call the dentist")
    service._session.commit()
    with database.read() as session:
        session.connection()
        before = len(statements)
        reach = open_reach(session, ada, clock, "tasks")
        for mention in ("dentits", "call somebody else", "the dentist"):
            assert reach.candidates(mention, 5)
        assert reach.recent(3)
    assert len(statements) == before + 1


@pytest.mark.both_databases
def test_a_task_that_was_changed_past_everything_is_read_as_it_is(
    service: TaskService, database: Database, ada: User, clock: Clock
) -> None:
    """What is kept between two messages goes by all that the row says, not by when it says that it was changed."""
    task = service.create("call the dentist", due_date="2026-03-02T18:30")
    service.complete(service.create("pay the rent").id)
    service._session.commit()

    def read() -> tuple[Task, ...]:
        with database.read() as session:
            few, stored = read_few(session, ada), TaskService(session, ada, clock)
            assert few
            assert few.recent(9) == stored.recent(9)
            assert stored.find_many([task.id]) == (stored.get(task.id),)
            return stored.first_open(9)

    assert read() == (task,)
    for priority in ("high", "medium"):
        service._session.connection().execute(text(f"UPDATE tasks SET priority = '{priority}' WHERE number = 1"))
        service._session.commit()
        assert read() == (replace(task, priority=priority),)  # type: ignore[arg-type]
