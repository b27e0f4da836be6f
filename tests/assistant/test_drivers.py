"""Who acts: the engine, the LLM, one after the other, or one guarded by the other."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from assistant import TurnInProgressError
from assistant.buttons import answers_to
from engine.border.json_form import from_json
from engine.decision import Pending
from engine.outcome.router import LearnedRouter, Likelihood, RouterWeights
from engine.outcome.routing import Driver
from llm.decider import LLMDecider
from tests.assistant.conftest import Chat, ServeModel, calls, says
from tests.conftest import Call
from tests.llm.fault_server import call as called
from tests.llm.fault_server import hang, status, stream


def two_calls(*each: tuple[str, dict[str, Any]]) -> bytes:
    return stream(*(called(name, json.dumps(arguments), place) for place, (name, arguments) in enumerate(each)))


def test_the_llm_drives_and_its_words_come_after_what_was_done(chat: Chat, model: ServeModel) -> None:
    server = model(calls("add_task", title="buy tea"), says("I put tea on your list."))
    chat.driver = "llm"
    turn = chat.say("add a task to buy tea")
    assert (turn.lane, turn.route, turn.reply) == ("llm", "llm_drives", "Added 'buy tea' (#5).")
    assert turn.llm_summary["words"] == "I put tea on your list."
    assert turn.llm_summary["exchanges"] == 2
    told = server.requests[1]["messages"][-1]
    assert told["role"] == "tool"
    assert json.loads(told["content"])["title"] == "buy tea"


def test_the_loop_goes_on_over_several_rounds_and_ends_after_four(chat: Chat, model: ServeModel) -> None:
    names = [calls("list_tasks", search=word) for word in ("milk", "passport", "dentist", "groceries", "bread")]
    server = model(*names)
    chat.driver = "llm"
    turn = chat.say("show my tasks")
    assert len(server.requests) == 4
    assert len(turn.results) == 4


def test_a_call_that_is_repeated_ends_the_loop(chat: Chat, model: ServeModel) -> None:
    server = model(calls("add_task", title="buy tea"))
    chat.driver = "llm"
    assert len(chat.say("add a task to buy tea").results) == 1
    assert len(server.requests) == 2


def test_a_change_that_only_came_up_after_reading_results_needs_a_yes(chat: Chat, model: ServeModel) -> None:
    """A title can tell the model to change something; the user only asked for a list."""
    model(calls("list_tasks"), calls("update_task", task_identifier="buy milk", new_title="hacked"))
    chat.driver = "llm"
    before = chat.tasks()
    chat.say("show my tasks")
    assert chat.tasks() == before
    assert chat.pending() is not None


def test_a_later_round_may_do_what_the_user_asked_for(chat: Chat, model: ServeModel) -> None:
    model(calls("list_tasks", search="milk"), calls("complete_task", task_identifier="buy milk"), says("Done."))
    chat.driver = "llm"
    assert chat.say("mark buy milk as done").llm_summary["words"] == "Done."
    assert chat.tasks()["Buy milk"].completed


def test_a_delete_by_the_llm_asks_first_and_buttons_settle_it(chat: Chat, model: ServeModel) -> None:
    model(calls("delete_task", task_identifier="renew passport"))
    chat.driver = "llm"
    asked = chat.say("get rid of the passport thing")
    assert asked.results == ()
    assert "Renew passport" in chat.tasks()
    settled = chat.say("yes")
    assert (settled.lane, settled.route) == ("engine", "answered")
    assert "Renew passport" not in chat.tasks()


@pytest.mark.parametrize("answer", [status(500), status(401), stream({"content": "half"}, finish=None)])
def test_when_the_llm_fails_the_engine_does_it(chat: Chat, model: ServeModel, answer: bytes) -> None:
    model(answer)
    chat.driver = "llm"
    turn = chat.say("mark buy milk as done")
    assert (turn.lane, turn.route, turn.llm_status) == ("engine", "llm_failed", "failed")
    assert turn.llm_summary["problem"]
    assert chat.tasks()["Buy milk"].completed


def test_when_the_llm_makes_a_broken_call_the_engine_does_it(chat: Chat, model: ServeModel) -> None:
    model(calls("drop_table", table="tasks"))
    chat.driver = "llm"
    turn = chat.say("mark buy milk as done")
    assert (turn.lane, turn.route, turn.llm_status) == ("engine", "llm_broken", "answered")
    assert chat.tasks()["Buy milk"].completed


def test_with_the_lane_off_the_engine_does_it_and_says_why(chat: Chat) -> None:
    chat.driver = "llm"
    turn = chat.say("mark buy milk as done")
    assert (turn.lane, turn.route) == ("engine", "llm_off")


@pytest.mark.parametrize("driver", ["router", "engine_first"])
def test_weighed_nobody_waits_where_the_engine_is_sure(chat: Chat, model: ServeModel, driver: Driver) -> None:
    """Also under the name that it had before."""
    model(hang, seconds=0.2)
    weigh(chat)
    turn = chat.assistant.begin_turn(chat.id, "mark buy milk as done", driver, chat.lanes)
    assert not turn.waits
    assert chat.turn(turn.id).route == "engine_sure"
    chat.assistant.finish_turn(turn)


def test_weighed_what_only_the_llm_wants_is_offered(chat: Chat, model: ServeModel) -> None:
    model(calls("add_task", title="buy tea"), says("ok"))
    weigh(chat, llm=0.9)
    turn = chat.say("my mug feels so lonely these days")
    assert (turn.lane, turn.route) == ("llm", "only_llm")
    assert "buy tea" not in chat.tasks(), "these words do not plainly ask for it"
    chat.say("yes")
    assert "buy tea" in chat.tasks()


def test_weighed_what_is_not_likely_is_not_even_offered(chat: Chat, model: ServeModel) -> None:
    model(calls("add_task", title="buy tea"), says("ok"))
    weigh(chat, llm=0.1)
    turn = chat.say("my mug feels so lonely these days")
    assert (turn.lane, turn.route) == ("engine", "not_likely")
    assert chat.pending() is None


def test_weighed_what_both_want_is_done_though_the_engine_would_only_have_offered_it(
    chat: Chat, model: ServeModel
) -> None:
    model(calls("complete_task", task_identifier="buy milk"), says("ok"))
    weigh(chat)
    assert chat.say("I guess the milk is bought").route == "both_agree"
    assert chat.tasks()["Buy milk"].completed


def test_weighed_the_llm_says_which_one_where_the_words_say_what(chat: Chat, model: ServeModel) -> None:
    model(calls("complete_task", task_identifier="buy milk"), says("ok"))
    weigh(chat, engine=0.3, llm=0.9)
    turn = chat.say("complete buy")
    assert (turn.lane, turn.route) == ("llm", "llm_likelier")
    assert chat.tasks()["Buy milk"].completed


def test_weighed_a_doubtful_change_that_the_llm_does_not_want_is_offered(chat: Chat, model: ServeModel) -> None:
    model(says("Nice."))
    weigh(chat, engine=0.3, at_once=1.1)
    before = chat.tasks()
    turn = chat.say("the milk is bought, tick it off")
    assert (turn.lane, turn.route) == ("engine", "only_engine")
    assert chat.tasks() == before
    chat.say("yes")
    assert chat.tasks()["Buy milk"].completed


def test_weighed_what_the_engine_would_only_ask_is_not_asked_where_nobody_believes_in_it(
    chat: Chat, model: ServeModel
) -> None:
    model(says("Nice."))
    weigh(chat, engine=0.1)
    turn = chat.say("pottery class thursday")
    assert turn.route == "not_asked"
    assert chat.pending() is None
    assert "I look after your tasks" in str(turn.reply)


@pytest.mark.parametrize("text", ["don't delete buy milk", "delete all my tasks"])
def test_weighed_what_a_guard_speaks_against_is_never_done(chat: Chat, model: ServeModel, text: str) -> None:
    model(calls("complete_task", task_identifier="buy milk"))
    weigh(chat, llm=1.0)
    before = chat.tasks()
    assert chat.say(text).route == "engine_sure"
    assert chat.tasks() == before


def test_weighed_the_engines_reply_stands_when_neither_lane_sees_a_request(chat: Chat, model: ServeModel) -> None:
    model(says("Hello there!"))
    weigh(chat)
    assert chat.say("nice weather today").route == "llm_no_help"


def test_weighed_nobody_waits_for_a_model_that_is_getting_ready(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model(says("Hello there!"))
    weigh(chat)
    monkeypatch.setattr(LLMDecider, "is_getting_ready", lambda _: True)
    chat.lanes = replace(chat.lanes, patient=False)
    turn = chat.assistant.begin_turn(chat.id, "nice weather today", "router", chat.lanes)
    assert not turn.waits
    assert chat.turn(turn.id).route == "llm_loading"
    chat.assistant.finish_turn(turn)
    assert chat.turn(turn.id).llm_status == "answered", "its card is filled in later"


def weigh(chat: Chat, *, engine: float = 0.9, llm: float = 0.5, at_once: float = 0.5) -> None:
    """Both lanes drive, each as likely as this, whatever is said."""
    alone, ours, theirs = (Likelihood(_log_odds(each), {}) for each in (engine, engine, llm))
    weights = RouterWeights(alone, ours, theirs, at_once, act=0.8, offer=0.4, show=0.5, ask=0.2, second=0.2)
    chat.driver, chat.lanes = "router", replace(chat.lanes, router=LearnedRouter(weights))


def _log_odds(share: float) -> float:
    return math.log(max(share, 1e-9) / max(1 - share, 1e-9))


@pytest.mark.parametrize("text", ["don't complete buy milk", "I like milk", "how do I complete a task?"])
def test_guarded_calls_on_messages_that_ask_for_nothing_are_vetoed(chat: Chat, model: ServeModel, text: str) -> None:
    model(calls("complete_task", task_identifier="buy milk"))
    chat.driver = "llm_guarded"
    before = chat.tasks()
    turn = chat.say(text)
    assert (turn.lane, turn.route) == ("engine", "engine_vetoed")
    assert chat.tasks() == before


def test_guarded_a_different_target_is_asked_about(chat: Chat, model: ServeModel) -> None:
    model(calls("complete_task", task_identifier="renew passport"))
    chat.driver = "llm_guarded"
    before = chat.tasks()
    turn = chat.say("mark buy milk as done")
    assert (turn.lane, turn.route) == ("llm", "engine_differs")
    assert turn.reply == (
        "I can read that in two ways. Shall I mark 'Renew passport' as done, or mark 'Buy milk' as done?"
    )
    assert chat.tasks() == before
    chat.say("no")
    assert chat.tasks() == before


@pytest.mark.parametrize(("pressed", "title"), [(0, "Renew passport"), (1, "Buy milk")])
def test_the_lanes_readings_are_buttons_and_the_one_that_is_pressed_is_done(
    chat: Chat, model: ServeModel, pressed: int, title: str
) -> None:
    model(calls("complete_task", task_identifier="renew passport"))
    weigh(chat, engine=0.6, llm=0.7, at_once=1.0)
    turn = chat.say("buy milk is done I guess")
    assert (turn.lane, turn.route) == ("llm", "both_offered")
    buttons = answers_to(turn, from_json(Pending, chat.pending()))
    assert [button.label for button in buttons] == [
        "Mark 'Renew passport' as done", "Mark 'Buy milk' as done", "None of them"
    ]  # fmt: skip
    done = chat.say(buttons[pressed].says)
    assert (done.lane, done.route) == ("engine", "answered")
    assert [name for name, task in chat.tasks().items() if task.completed] == [title]


def test_a_reading_that_has_changed_since_it_was_shown_is_asked_anew(chat: Chat, model: ServeModel, call: Call) -> None:
    model(calls("complete_task", task_identifier="renew passport"))
    weigh(chat, engine=0.6, llm=0.7, at_once=1.0)
    chat.say("buy milk is done I guess")
    call("update_task", task_identifier="renew passport", new_title="Renew visa")
    asked = chat.say("the first")
    assert "changed since" in str(asked.reply)
    assert not chat.tasks()["Renew visa"].completed


def test_guarded_what_both_read_alike_is_done(chat: Chat, model: ServeModel) -> None:
    model(calls("complete_task", task_identifier="buy milk"), says("Done."))
    chat.driver = "llm_guarded"
    turn = chat.say("mark buy milk as done")
    assert (turn.lane, turn.route) == ("llm", "llm_approved")
    assert chat.tasks()["Buy milk"].completed


def test_two_calls_of_one_answer_are_done_in_order(chat: Chat, model: ServeModel) -> None:
    model(
        two_calls(("add_task", {"title": "buy tea"}), ("complete_task", {"task_identifier": "buy milk"})), says("ok")
    )  # fmt: skip
    chat.driver = "llm"
    turn = chat.say("add a task to buy tea and mark buy milk as done")
    assert [result["tool_name"] for result in turn.results] == ["add_task", "complete_task"]


def test_a_turn_that_waits_for_the_llm_keeps_the_next_one_out(chat: Chat, model: ServeModel) -> None:
    model(hang, seconds=0.2)
    turn = chat.assistant.begin_turn(chat.id, "we are out of tea", "llm", chat.lanes)
    assert turn.waits
    with pytest.raises(TurnInProgressError):
        chat.say("hello")
    chat.assistant.finish_turn(turn)
    assert chat.turn(turn.id).route == "llm_failed"
    chat.driver = "engine"
    assert chat.say("who am I?").reply
