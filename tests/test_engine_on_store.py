"""The engine on the real store: what it decides, the executor carries out, and the database holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.tasks.listing import TaskQuery
from db.tasks.resolve import resolve_task
from db.tasks.service import Clock, TaskService
from db.users import User
from domains.deciders import make_engine
from engine.decision import Context, Decision, Message, Pending
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from tests.conftest import NOW, Call

ENGINE = make_engine()


class Conversation:
    """One user's messages in order: the engine decides, the executor acts, the history grows."""

    def __init__(self, database: Database, user: User, clock: Clock) -> None:
        self._database, self._user, self._clock = database, user, clock
        self._executor = Executor(database, user, clock)
        self._history: tuple[Message, ...] = ()
        self._pending: Pending | None = None

    def say(self, text: str) -> Decision:
        with self._database.read() as session:
            index = TaskService(session, self._user, self._clock)
            decision = ENGINE.decide(text, Context(index, NOW, self._history, self._pending, language="en"))
        named: list[str] = []
        if decision.action == "execute":
            for call in decision.calls:
                result = self._executor.execute(call, Origin("engine"))
                assert result.ok, result.error_message
                named += [task["id"] for task in result.payload.get("tasks", [])]
                named += [result.payload["task_id"]] if "task_id" in result.payload else []
        self._pending = decision.pending
        self._history += (Message("user", text), Message("assistant", decision.message, tuple(named)))
        return decision

    def tasks(self) -> dict[str, Task]:
        with self._database.read() as session:
            service = TaskService(session, self._user, self._clock)
            return {task.title: task for task in service.find_all(TaskQuery())}


@pytest.fixture
def chat(database: Database, ada: User, clock: Clock, call: Call) -> Conversation:
    for title in ("Call the dentist", "Renew passport", "Buy groceries", "Buy milk"):
        call("add_task", title=title)
    return Conversation(database, ada, clock)


def test_an_added_task_is_in_the_store_with_its_date(chat: Conversation) -> None:
    decision = chat.say("add a task to water the plants tomorrow")
    assert decision.action == "execute"
    assert chat.tasks()["water the plants"].due_date == "2026-03-05"


def test_a_task_is_completed_by_a_part_of_its_title(chat: Conversation) -> None:
    assert chat.say("mark the dentist task as done").action == "execute"
    assert chat.tasks()["Call the dentist"].completed


def test_deleting_waits_for_a_yes(chat: Conversation) -> None:
    assert chat.say("delete renew passport").action == "confirm"
    assert "Renew passport" in chat.tasks()
    assert chat.say("yes").action == "execute"
    assert "Renew passport" not in chat.tasks()


def test_a_no_leaves_everything_as_it_was(chat: Conversation) -> None:
    before = chat.tasks()
    chat.say("delete renew passport")
    chat.say("no")
    assert chat.tasks() == before


def test_two_tasks_that_fit_are_asked_about_and_chosen_between(chat: Conversation) -> None:
    asked = chat.say("complete buy")
    assert asked.action == "clarify"
    assert len(asked.pending.options if asked.pending else ()) == 2
    assert not any(task.completed for task in chat.tasks().values())


def test_the_second_one_is_the_second_that_was_listed(chat: Conversation) -> None:
    chat.say("show my tasks")
    assert chat.say("mark the second one as done").action == "execute"
    assert chat.tasks()["Renew passport"].completed


def test_it_is_the_task_just_spoken_of(chat: Conversation) -> None:
    chat.say("add a task to call the plumber")
    assert chat.say("make it high priority").action == "execute"
    assert chat.tasks()["call the plumber"].priority == "high"


def test_nobody_reaches_anothers_task_by_words(chat: Conversation, database: Database, bob: User, clock: Clock) -> None:
    before = chat.tasks()
    other = Conversation(database, bob, clock)
    for text in ("mark renew passport as done", "delete task 2", "rename buy milk to buy tea"):
        assert other.say(text).action in ("clarify", "reply")
    assert chat.tasks() == before


def test_small_talk_changes_nothing(chat: Conversation) -> None:
    before = chat.tasks()
    for text in ("the weather is nice today", "don't delete buy milk", "how do I delete a task?", "tell me a joke"):
        assert chat.say(text).action == "reply"
    assert chat.tasks() == before


def test_the_store_and_a_list_in_memory_lead_to_the_same_decision(
    chat: Conversation, database: Database, ada: User, clock: Clock
) -> None:
    from engine.targets.memory_index import MemoryIndex

    tasks = tuple(chat.tasks().values())
    for text in (
        "mark the dentist task as done",
        "delete renew pasport",
        "complete buy",
        "complete #3",
        "finish xyzzy",
    ):
        with database.read() as session:
            stored = Context(TaskService(session, ada, clock), NOW, language="en")
            assert ENGINE.decide(text, stored) == ENGINE.decide(text, replace(stored, tasks=MemoryIndex(tasks)))


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("牛乳を買う", "牛乳を買う"),
        ("दूध खरीदो", "दूध खरीदो"),
        ("Buy №5 perfume", "buy №5 perfume"),
        ("Caffè con Ｊürgen", "caffe con jurgen"),
        ("Straße fegen", "STRASSE FEGEN"),
    ],
)
def test_the_store_and_the_engine_fold_texts_alike(
    database: Database, ada: User, clock: Clock, call: Call, title: str, said: str
) -> None:
    call("add_task", title="Something else")
    call("add_task", title=title)
    with database.read() as session:
        service = TaskService(session, ada, clock)
        stored = service.find_all(TaskQuery())
        in_store = [task.title for task in service.candidates(said, 5)]
        resolved = resolve_task(service, said)
    assert [task.title for task in MemoryIndex(tuple(stored)).candidates(said, 5)] == in_store == [title]
    assert resolved.title == title
