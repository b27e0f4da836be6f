"""A person who chats: real store, real engine, and an LLM that a real HTTP server on loopback speaks for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from assistant import Assistant, Lanes
from db.connection import Database
from db.tasks.listing import TaskQuery
from db.tasks.service import Clock, TaskService
from db.turns.conversations import find_conversation, start_conversation
from db.turns.turns import StoredTurn, find_turn, read_decisions
from db.users import User
from domains.deciders import make_engine
from engine.outcome.routing import Driver
from engine.values import Task
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from tests.conftest import Call
from tests.llm.fault_server import Answer, FaultServer, call, serve, stream

TITLES = ("Call the dentist", "Renew passport", "Buy groceries", "Buy milk")


def calls(name: str, **arguments: object) -> bytes:
    return stream(call(name, json.dumps(arguments)), finish="tool_calls")


def says(text: str) -> bytes:
    return stream({"content": text})


class Chat:
    """One conversation of one person."""

    def __init__(self, database: Database, user: User, clock: Clock) -> None:
        self.database, self.user, self._clock = database, user, clock
        self.assistant = Assistant(database, user, clock)
        self.lanes = Lanes(make_engine())
        self.driver: Driver = "engine"
        with database.write() as session:
            self.id = start_conversation(session, user.id)

    def say(self, text: str) -> StoredTurn:
        return self.turn(self.assistant.run_turn(self.id, text, self.driver, self.lanes))

    def turn(self, turn_id: str) -> StoredTurn:
        with self.database.read() as session:
            turn = find_turn(session, self.user.id, turn_id)
        assert turn
        return turn

    def decisions(self, turn: StoredTurn) -> dict[str, dict[str, Any]]:
        with self.database.read() as session:
            return read_decisions(session, self.user.id, [turn.id])[turn.id]

    def pending(self) -> dict[str, Any] | None:
        with self.database.read() as session:
            found = find_conversation(session, self.user.id, self.id)
        assert found
        return dict(found.pending) if found.pending else None

    def tasks(self) -> dict[str, Task]:
        with self.database.read() as session:
            service = TaskService(session, self.user, self._clock)
            return {task.title: task for task in service.find_all(TaskQuery())}


@pytest.fixture
def chat(database: Database, ada: User, clock: Clock, call: Call) -> Chat:
    for title in TITLES:
        call("add_task", title=title)
    return Chat(database, ada, clock)


ServeModel = Callable[..., FaultServer]


@pytest.fixture
def model(chat: Chat) -> Iterator[ServeModel]:
    """`model(calls("add_task", title="x"), says("Done."))`: the chat's LLM gives these answers in order."""
    with ExitStack() as stack:

        def start(*answers: Answer, seconds: float = 10) -> FaultServer:
            server = stack.enter_context(serve(*answers))
            endpoint = Endpoint("openai", server.url, "m", key="sk-test-key-never-shown", timeout_seconds=seconds)
            llm = LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01)
            chat.lanes = Lanes(make_engine(), llm)
            return server

        yield start
