"""A chat turn with two requests that is killed at any moment is done whole or not at all where the engine drives; where
an LLM takes part, what was done is told, gone on with or taken back. Nothing is doubled when it is said again."""

from __future__ import annotations

import itertools
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlmodel import select

from assistant.buttons import going_on
from assistant.taking_back import changes_in, take_back
from db.audit import Origin, find_undone
from db.connection import Database
from db.executor import Executor
from db.models import AuditRow
from db.turns.turns import StoredTurn, read_turns
from db.users import create_user
from engine.outcome.routing import Driver
from engine.values import make_call
from tests.assistant.conftest import Chat, calls, says
from tests.conftest import NOW
from tests.llm.fault_server import FaultServer, call, serve, stream
from tests.rounds import rounds
from tests.security.dying_turns import make_lanes

ROOT = Path(__file__).parents[2]
ENGINE_KILLS, LLM_KILLS = rounds(8, 75), rounds(6, 25)
MILK, PLANTS = "Buy milk", "water the plants"
MESSAGES = (
    "mark #1 as done and add a task to water the plants",
    "add a task to water the plants and mark buy milk as done",
    "complete #1, add task water the plants",
)
LAST = 4
"""Statements at the end of a turn, its commit among them."""
AT_ONCE = MESSAGES[1]
"""To this one the LLM answers with both calls at once; to the others with one call a round."""


def answer_as_a_model(server: FaultServer, out: Any) -> None:
    """By what it is told was done so far: whoever goes on with a turn gets the next answer, not the first again."""
    messages = server.requests[-1]["messages"]
    done = sum(message["role"] == "tool" for message in messages)
    asked = next(message["content"] for message in reversed(messages) if message["role"] == "user")
    both = [("complete_task", {"task_identifier": MILK}), ("add_task", {"title": PLANTS})]
    if done == 0 and AT_ONCE in asked:
        out.write(stream(*[call(name, json.dumps(values), place) for place, (name, values) in enumerate(both)]))
    elif done < 2:
        out.write(calls(both[done][0], **both[done][1]))
    else:
        out.write(says("Both are done."))


class DyingTurns:
    """The process that forks for every turn."""

    def __init__(self, database_url: str, llm_url: str) -> None:
        command = [sys.executable, "-m", "tests.security.dying_turns", database_url, llm_url]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )  # fmt: skip

    def begin(self, chat: Chat, text: str, driver: Driver, kind: str = "", moment: int = 0) -> None:
        """`moment`: at which count of its kind it dies; 0: it comes to its end."""
        assert self._process.stdin
        asked = {"handle": chat.user.handle, "conversation": chat.id, "text": text, "driver": driver}
        self._process.stdin.write(json.dumps({**asked, "now": NOW.isoformat(), "kind": kind, "moment": moment}) + "\n")
        self._process.stdin.flush()

    def end(self, chat: Chat) -> dict[str, Any]:
        """How the turn ended that was begun there. Answers before it are a failed test's."""
        assert self._process.stdout
        told: dict[str, Any] = {}
        while told.get("conversation") != chat.id:
            told = json.loads(self._process.stdout.readline())
        return told

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def llm() -> Iterator[FaultServer]:
    with serve(answer_as_a_model) as server:
        yield server


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('half')}/tasks.db")
    yield database
    database.close()


@pytest.fixture(scope="module")
def dying(store: Database, llm: FaultServer) -> Iterator[DyingTurns]:
    turns = DyingTurns(store.url, llm.url)
    yield turns
    turns.close()


def somebody(database: Database) -> Chat:
    """A person of its own for every kill."""
    with database.write() as session:
        user = create_user(session, "Somebody")
    adding = make_call("add_task", {"title": MILK}, "person")
    assert Executor(database, user, lambda: NOW).execute(adding, Origin("person")).ok
    return Chat(database, user, lambda: NOW)


def read_conversation(chat: Chat) -> tuple[StoredTurn, ...]:
    with chat.database.read() as session:
        return read_turns(session, chat.user.id, chat.id)


def standing_changes(chat: Chat) -> list[str]:
    """What the trail has as done by turns and not taken back."""
    with chat.database.read() as session:
        rows = session.exec(select(AuditRow).where(AuditRow.user_id == chat.user.id)).all()
        changes = {row.id: row.tool_name for row in rows if row.turn_id and row.task_id and row.undoes is None}
        undone = find_undone(session, chat.user.id, list(changes))
    return sorted(name for audit_id, name in changes.items() if audit_id not in undone)


def is_untouched(chat: Chat) -> bool:
    tasks = {title: task.completed for title, task in chat.tasks().items()}
    return tasks == {MILK: False} and not standing_changes(chat)


def is_done_once(chat: Chat) -> bool:
    tasks = {title: task.completed for title, task in chat.tasks().items()}
    once = standing_changes(chat) == ["add_task", "complete_task"]
    return once and tasks == {MILK: True, PLANTS: False}


class Death(NamedTuple):
    chat: Chat
    text: str
    kind: str
    moment: int


def kill_turns(dying: DyingTurns, store: Database, driver: Driver, count: int) -> Iterator[Death]:
    """Turns that were killed: a third before a statement, a third in the middle of one, a third before one of the last,
    around the end of the transaction. While one is looked at, the next is under way."""
    chance, lengths = random.Random(16), {}
    for text in MESSAGES:
        dying.begin(chat := somebody(store), text, driver)
        lengths[text] = dying.end(chat)
        assert lengths[text]["signal"] == 0

    from_the_end = itertools.cycle(range(LAST))  # in turn: both sides of the commit are met, whatever chance says
    kinds = itertools.cycle(("statement", "step", "last"))

    def begin() -> Death:
        text, kind = chance.choice(MESSAGES), next(kinds)
        if kind == "last":
            kind, moment = "statement", max(1, lengths[text]["statement"] - next(from_the_end))
        else:
            moment = chance.randint(1, lengths[text][kind])
        death = Death(somebody(store), text, kind, moment)
        dying.begin(death.chat, text, driver, kind, moment)
        return death

    killed, latest = 0, begin()
    while killed < count:
        ended, death, latest = dying.end(latest.chat), latest, begin()
        if ended["signal"] == signal.SIGKILL:
            killed += 1
            yield death


def test_a_turn_of_the_engine_killed_at_any_moment_is_done_whole_or_not_at_all(
    dying: DyingTurns, store: Database
) -> None:
    whole = 0
    for death in kill_turns(dying, store, "engine", ENGINE_KILLS):
        chat, turns = death.chat, read_conversation(death.chat)
        if turns:
            (turn,) = turns
            assert len(changes_in(turn)) == 2, death
            assert turn.reply
            whole += 1
        else:
            assert is_untouched(chat), death
            chat.say(death.text)
        assert is_done_once(chat), death
    few = ENGINE_KILLS // 24
    assert few < whole < ENGINE_KILLS - few, "nearly all of them were killed on the same side of the commit"


def test_a_turn_with_an_llm_killed_at_any_moment_is_gone_on_with_or_taken_back_and_nothing_is_doubled(
    dying: DyingTurns, store: Database, llm: FaultServer
) -> None:
    cut_off = 0
    for number, death in enumerate(kill_turns(dying, store, "llm", LLM_KILLS)):
        chat = death.chat
        for turn in read_conversation(chat):
            if turn.llm_status == "waiting":
                chat.assistant.give_up_turn(turn)  # as the page does when it meets it after a restart
        shown = read_conversation(chat)
        told = [change for turn in shown for change in changes_in(turn)]
        assert len(told) == len(standing_changes(chat)), "what was done is told, and nothing else"
        if told and not going_on(shown[-1]):
            assert is_done_once(chat), death
            continue
        cut_off += bool(told)
        if told and number % 3 == 0:
            assert take_back(Executor(store, chat.user, lambda: NOW), shown[-1])
            assert is_untouched(chat), death
        if number % 2:  # otherwise the engine drives now, alone, and does it anew
            chat.driver, chat.lanes = "llm", make_lanes(llm.url)
        chat.say(death.text)
        assert is_done_once(chat), death
    assert cut_off > LLM_KILLS / 8, "too few were killed between two rounds"
