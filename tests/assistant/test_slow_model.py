"""Both lanes drive, and the model takes long: the engine acts, and the model's answer is shown when it comes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from assistant.turn_values import OpenTurn
from db.failures import StoreUnavailableError
from llm.model_queue import ModelQueue
from tests.assistant.conftest import Chat, ServeModel, calls, says
from tests.llm.fault_server import FaultServer

UNSURE = "nice weather today"


def answer_when_released(answer: bytes) -> Callable[[FaultServer, object], None]:
    def wait(server: FaultServer, out: object) -> None:
        assert server.released.wait(20)
        out.write(answer)  # type: ignore[attr-defined]

    return wait


def weigh(chat: Chat, seconds: float) -> None:
    chat.driver, chat.lanes = "router", replace(chat.lanes, wait_seconds=seconds)


@pytest.fixture(autouse=True)
def queue(monkeypatch: pytest.MonkeyPatch) -> ModelQueue:
    """One that no other test's answers have slowed down."""
    queue = ModelQueue(2)
    monkeypatch.setattr("llm.decider.queue_for", lambda _endpoint: queue)
    return queue


class Waiting:
    """A turn that waits for the model in a thread of its own, as in a chat."""

    def __init__(self, chat: Chat, text: str) -> None:
        self.opened: OpenTurn = chat.assistant.begin_turn(chat.id, text, chat.driver, chat.lanes)
        assert self.opened.waits
        self.settled = threading.Event()
        self._settle, chat.assistant._settle = chat.assistant._settle, self._tell  # type: ignore[method-assign]
        self._thread = threading.Thread(target=chat.assistant.finish_turn, args=(self.opened,))
        self._thread.start()

    def _tell(self, *given: object) -> object:
        try:
            return self._settle(*given)  # type: ignore[arg-type]
        finally:
            self.settled.set()

    def end(self) -> None:
        self._thread.join(20)
        assert not self._thread.is_alive()


def test_the_engine_acts_and_the_models_answer_is_shown_when_it_comes(chat: Chat, model: ServeModel) -> None:
    server = model(answer_when_released(calls("add_task", title="tea")))
    weigh(chat, 0.2)
    waiting = Waiting(chat, UNSURE)
    assert waiting.settled.wait(20)
    early = chat.turn(waiting.opened.id)
    assert (early.lane, early.route, early.llm_status) == ("engine", "llm_slow", "waiting")
    assert early.reply
    server.released.set()
    waiting.end()
    turn = chat.turn(waiting.opened.id)
    assert (turn.lane, turn.route, turn.llm_status) == ("engine", "llm_slow", "answered")
    assert turn.reply == early.reply
    assert chat.decisions(turn)["llm"]["intent"] == "add_task"
    assert "tea" not in chat.tasks(), "what comes late is shown and not done"


def test_the_next_message_need_not_wait_for_a_late_answer(chat: Chat, model: ServeModel) -> None:
    server = model(answer_when_released(says("Hello!")))
    weigh(chat, 0.2)
    waiting = Waiting(chat, UNSURE)
    assert waiting.settled.wait(20)
    chat.driver = "engine"
    chat.lanes = replace(chat.lanes, llm=None)
    assert chat.say("add buy tea").reply == "Added 'buy tea' (#5)."
    server.released.set()
    waiting.end()


def test_an_answer_in_time_is_weighed(chat: Chat, model: ServeModel) -> None:
    model(says("Hello!"))
    weigh(chat, 10)
    assert chat.say(UNSURE).route == "llm_no_help"


def test_after_two_slow_answers_nobody_waits_until_one_was_quick(
    chat: Chat, model: ServeModel, queue: ModelQueue
) -> None:
    model(says("Hello!"))
    weigh(chat, 3)
    queue._lately.extend((4.0, 9.0))
    opened = chat.assistant.begin_turn(chat.id, UNSURE, "router", chat.lanes)
    assert not opened.waits
    assert chat.turn(opened.id).route == "llm_slow"
    chat.assistant.finish_turn(opened)
    assert chat.turn(opened.id).llm_status == "answered", "it is asked all the same"
    assert chat.say(UNSURE).route == "llm_no_help"


def test_one_slow_answer_may_have_been_a_long_one(queue: ModelQueue) -> None:
    queue._lately.extend((0.5, 30.0))
    assert queue.lately_seconds() == 0.5


def test_where_the_store_is_locked_then_the_turn_goes_on_when_the_answer_comes(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = model(answer_when_released(says("Hello!")))
    weigh(chat, 0.1)
    settle, failed = chat.assistant._settling.settle, threading.Event()

    def fail_once(*given: object) -> object:
        if not failed.is_set():
            failed.set()
            raise StoreUnavailableError("The store is locked.")
        return settle(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(chat.assistant._settling, "settle", fail_once)
    waiting = Waiting(chat, UNSURE)
    assert failed.wait(20)
    server.released.set()
    waiting.end()
    assert chat.turn(waiting.opened.id).route == "llm_no_help"


def test_who_lets_the_llm_drive_waits_for_it(chat: Chat, model: ServeModel) -> None:
    model(calls("add_task", title="buy tea"), says("Done."))
    weigh(chat, 0)
    chat.driver = "llm"
    assert chat.say("add a task to buy tea").route == "llm_drives"
