"""Both lanes drive, and the model has others to answer: nobody stands in a long queue for a second opinion."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from db.turns.conversations import start_conversation
from llm.model_queue import ModelQueue
from tests.assistant.conftest import Chat, ServeModel, calls, says

UNSURE = "nice weather today"


class BusyModel:
    """A model with one place, which somebody else has; an answer has taken it nine seconds."""

    def __init__(self) -> None:
        self._now, self._loop = 0.0, asyncio.new_event_loop()
        self.queue = ModelQueue(1, lambda: self._now)
        self._take()
        self._now += 9
        self.leave()
        self._take()

    def _take(self) -> None:
        self._place = self.queue.place(1, first=True)
        self._loop.run_until_complete(self._place.__aenter__())

    def leave(self) -> None:
        self._loop.run_until_complete(self._place.__aexit__(None, None, None))

    def close(self) -> None:
        self._loop.close()


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[BusyModel]:
    busy = BusyModel()
    monkeypatch.setattr("llm.decider.queue_for", lambda _endpoint: busy.queue)
    yield busy
    busy.close()


def stand(chat: Chat, seconds: float | None) -> None:
    chat.driver, chat.lanes = "router", replace(chat.lanes, wait_seconds=seconds)


TEXTS = (UNSURE, "delete buy milk", "don't complete buy milk", "mark the dentist and the milk as done", "the milk?")


@pytest.mark.parametrize("text", TEXTS)
def test_the_engine_decides_as_if_it_drove(
    chat: Chat,
    model: ServeModel,
    busy: BusyModel,
    text: str,
    say_alone: Callable[[str], tuple[str | None, str, object]],
) -> None:
    alone = say_alone(text)
    server = model(calls("delete_task", task_identifier="buy milk"))
    stand(chat, 5)
    with chat.database.write() as session:
        chat.id = start_conversation(session, chat.user.id)
    opened = chat.assistant.begin_turn(chat.id, text, "router", chat.lanes)
    assert not opened.waits
    chat.assistant.finish_turn(opened)
    turn = chat.turn(opened.id)
    assert (turn.reply, turn.lane, [each["tool_name"] for each in turn.results]) == alone
    assert turn.route in ("llm_busy", "engine_sure")
    assert (turn.llm_status, server.requests) == ("failed", [])
    assert "busy" in turn.llm_summary["problem"]


@pytest.fixture
def say_alone(chat: Chat) -> Callable[[str], tuple[str | None, str, object]]:
    """What comes of a message where the engine drives; taken back at once."""

    def say(text: str) -> tuple[str | None, str, object]:
        chat.driver = "engine"
        turn = chat.say(text)
        if any(each["audit_id"] for each in turn.results):
            chat.say("undo")
        elif chat.pending():
            chat.say("no")
        return turn.reply, "engine", [each["tool_name"] for each in turn.results]

    return say


def test_the_card_and_the_turn_say_why(chat: Chat, model: ServeModel, busy: BusyModel) -> None:
    model(says("Hello there!"))
    stand(chat, 5)
    assert chat.say(UNSURE).route == "llm_busy"


def test_who_has_stood_for_as_long_as_is_set_goes_on_without(chat: Chat, model: ServeModel, busy: BusyModel) -> None:
    """It had been expected to be short enough."""
    server = model(says("Hello there!"))
    stand(chat, 9.05)
    opened = chat.assistant.begin_turn(chat.id, UNSURE, "router", chat.lanes)
    assert opened.waits
    chat.assistant.finish_turn(replace(opened, began=opened.began - 9.04))
    assert (chat.turn(opened.id).route, server.requests) == ("llm_busy", [])


def test_a_place_that_comes_free_in_time_is_taken(chat: Chat, model: ServeModel, busy: BusyModel) -> None:
    model(says("Hello there!"))
    stand(chat, 10)
    opened = chat.assistant.begin_turn(chat.id, UNSURE, "router", chat.lanes)
    busy.leave()
    chat.assistant.finish_turn(opened)
    assert (chat.turn(opened.id).llm_status, chat.turn(opened.id).route) == ("answered", "llm_no_help")


def test_who_lets_the_llm_drive_waits_for_it(chat: Chat, model: ServeModel, busy: BusyModel) -> None:
    model(calls("add_task", title="buy tea"), says("Done."))
    stand(chat, 0)
    opened = chat.assistant.begin_turn(chat.id, "add a task to buy tea", "llm", chat.lanes)
    asking = threading.Thread(target=chat.assistant.finish_turn, args=(opened,))
    asking.start()
    busy.leave()
    asking.join(20)
    assert chat.turn(opened.id).route == "llm_drives"


def test_runs_that_are_no_chat_ask_at_once(chat: Chat, model: ServeModel, busy: BusyModel) -> None:
    model(says("Hello there!"))
    stand(chat, None)
    assert chat.say(UNSURE).llm_status == "answered"
