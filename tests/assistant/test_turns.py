"""A turn from the message to its record, with the engine driving."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from assistant import Assistant
from db.audit import Origin, find_undone
from db.connection import Database
from db.executor import Executor
from db.failures import StoreUnavailableError, ToolFailure
from db.users import User
from domains.deciders import make_engine
from engine.border.json_form import from_json
from engine.border.wire import read_context
from engine.decision import Decision
from tests.assistant.conftest import Chat, ServeModel, calls, says
from tests.conftest import NOW
from tests.llm.fault_server import hang, status


def test_the_reply_says_what_was_done_with_the_tasks_name_and_date(chat: Chat) -> None:
    turn = chat.say("add a task to water the plants tomorrow, high priority")
    assert turn.reply == "Added 'water the plants' (#5), due tomorrow, high priority."
    assert (turn.lane, turn.route, turn.llm_status) == ("engine", "engine_drives", "off")
    assert chat.tasks()["water the plants"].due_date == "2026-03-05"


def test_a_reply_in_italian_is_italian(chat: Chat) -> None:
    assert chat.say("aggiungi un'attività: comprare il pane domani").reply.endswith("per domani.")  # type: ignore[union-attr]


def test_deleting_asks_and_a_yes_settles_it(chat: Chat) -> None:
    asked = chat.say("delete renew passport")
    assert "Renew passport" in chat.tasks()
    assert "Are you sure" in str(asked.reply)
    assert chat.say("yes").reply == "Deleted 'Renew passport' (#2)."
    assert "Renew passport" not in chat.tasks()
    assert chat.pending() is None


def test_a_list_is_capped_and_says_so(chat: Chat) -> None:
    for number in range(30):
        chat.say(f"add a task called chore number {number}")
    turn = chat.say("show my tasks")
    assert turn.reply == "10 of your 34 tasks:"
    assert len(turn.results[0]["payload"]["tasks"]) == len(turn.task_ids) == 10


def test_the_second_one_counts_in_the_list_just_shown(chat: Chat) -> None:
    listed = chat.say("show my tasks")
    done = chat.say("mark the second one as done")
    assert done.task_ids == (listed.task_ids[1],)


def test_two_requests_are_two_calls_and_one_undo(chat: Chat) -> None:
    turn = chat.say("add a task to call Anna and mark buy milk as done")
    assert [result["tool_name"] for result in turn.results] == ["add_task", "complete_task"]
    before = chat.tasks()
    assert before["Buy milk"].completed
    executor = Executor(chat.database, chat.user, lambda: NOW)
    assert executor.undo(turn.results[0]["audit_id"], Origin("person")).ok
    assert "call Anna" not in chat.tasks()
    assert not chat.tasks()["Buy milk"].completed
    ids = [result["audit_id"] for result in turn.results]
    with chat.database.read() as session:
        assert find_undone(session, chat.user.id, ids) == set(ids)


def test_a_call_that_changes_nothing_says_so(chat: Chat) -> None:
    chat.say("mark buy milk as done")
    again = chat.say("mark buy milk as done")
    assert again.reply == "'Buy milk' (#4) was like that already; nothing changed."
    assert [result["audit_id"] for result in again.results] == [None]


def test_small_talk_calls_nothing(chat: Chat) -> None:
    before = chat.tasks()
    turn = chat.say("what a lovely day")
    assert turn.results == ()
    assert chat.tasks() == before


def test_hostile_text_is_kept_and_changes_nothing(chat: Chat) -> None:
    before = chat.tasks()
    for text in ("", "   ", "x" * 20_000, "'; DROP TABLE tasks; --", "\x00\x1b[2J<script>alert(1)</script>"):
        assert chat.turn(chat.say(text).id).text == text
    assert chat.tasks() == before


def test_the_llm_rides_beside_and_is_recorded(chat: Chat, model: ServeModel) -> None:
    server = model(calls("complete_task", task_identifier="buy milk"))
    turn = chat.say("mark buy milk as done")
    both = chat.decisions(turn)
    assert set(both) == {"engine", "llm"}
    # The engine had completed it by then; the LLM still judged the tasks as they were when the message came.
    assert both["llm"]["calls"][0]["parameters"] == both["engine"]["calls"][0]["parameters"]
    assert (turn.lane, turn.llm_status) == ("engine", "answered")
    assert (turn.llm_summary["prompt_tokens"], turn.llm_summary["answer_tokens"]) == (9, 4)
    assert len(server.requests) == 1, "riding beside, it is asked once"


def test_the_engine_acts_before_a_silent_llm_is_asked(chat: Chat, model: ServeModel) -> None:
    model(hang, seconds=0.2)
    turn = chat.assistant.begin_turn(chat.id, "mark buy milk as done", "engine", chat.lanes)
    assert chat.tasks()["Buy milk"].completed
    assert chat.turn(turn.id).llm_status == "waiting"
    chat.assistant.finish_turn(turn)
    assert chat.turn(turn.id).llm_status == "failed"


def test_no_secret_reaches_the_store(chat: Chat, model: ServeModel) -> None:
    model(status(401))
    turn = chat.say("add a task to buy tea")
    kept = json.dumps([chat.decisions(turn), dict(turn.llm_summary), dict(turn.context)])
    assert "never-shown" not in kept
    assert turn.llm_status == "failed"
    assert "refused the key" in turn.llm_summary["problem"]


def test_every_recorded_turn_is_decided_again_exactly(chat: Chat, model: ServeModel) -> None:
    model(says("Sure."))
    conversation = (
        "add a task to call the plumber on friday", "make it high priority", "show my tasks",
        "mark the second one as done", "delete buy", "buy milk", "yes", "complete the pasport thing", "no", "hello",
        "rename buy groceries to buy food and drinks", "who am I?", "delete all my tasks", "undo that",
        "aggiungi un'attività: chiamare Anna", "don't delete call the dentist", "what is due this week?",
    )  # fmt: skip
    turns = [chat.say(text) for text in conversation]
    for turn in turns:
        recorded = from_json(Decision, chat.decisions(turn)["engine"])
        again = make_engine().decide(turn.text, read_context(turn.context, NOW))
        assert again == recorded, turn.text


def test_nobody_chats_in_anothers_conversation(chat: Chat, bob: User) -> None:
    with pytest.raises(ToolFailure):
        Assistant(chat.database, bob, lambda: NOW).run_turn(chat.id, "hello", "engine", chat.lanes)


def test_a_locked_database_changes_nothing_and_says_so(chat: Chat, database_url: str) -> None:
    other = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    impatient = Chat(Database(database_url, patience_seconds=0.2), chat.user, lambda: NOW)
    before = chat.tasks()
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailableError, match="nothing was changed"):
        impatient.say("mark buy milk as done and add a task to water the plants")
    other.close()
    impatient.database.close()
    assert chat.tasks() == before


def test_a_turn_that_cannot_be_kept_leaves_nothing_of_what_it_did(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its changes and its record are one transaction, whatever gives way in it."""

    def give_way(*_values: Any, **_named: Any) -> None:
        raise StoreUnavailableError("The disk is full.")

    before = chat.tasks()
    with monkeypatch.context() as patched:
        patched.setattr("assistant.records.start_turn", give_way)
        with pytest.raises(StoreUnavailableError):
            chat.say("mark buy milk as done and add a task to water the plants")
    assert chat.tasks() == before
    assert len(chat.say("mark buy milk as done and add a task to water the plants").results) == 2
    assert chat.tasks()["Buy milk"].completed


def test_two_tabs_that_say_yes_at_once_add_one_task(chat: Chat) -> None:
    """The same open question, answered twice in the same moment."""
    chat.say("delete renew passport")
    with ThreadPoolExecutor(2) as pool:
        turns = list(pool.map(lambda _: chat.say("yes"), range(2)))
    assert sorted(len(turn.results) for turn in turns) == [0, 1]
