"""What the LLM lane does with an incomplete call: completed, asked back or refused, and the model's own call stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.completing.values import ComposerSettings
from engine.decision import Context, Message, Reason
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from llm.trace import LLMTurn
from tests.llm.fault_server import call, serve, stream
from tests.llm.test_decisions import CONTEXT

ON = ComposerSettings()
OFF = ComposerSettings(enabled=False)


def answer(
    name: str,
    arguments: dict[str, Any],
    text: str,
    context: Context = CONTEXT,
    composer: ComposerSettings = ON,
) -> LLMTurn:
    with serve(stream(call(name, json.dumps(arguments)))) as server:
        endpoint = Endpoint("openai", server.url, "m", timeout_seconds=10)
        return LLMDecider(endpoint, breaker=Breaker(), composer=composer).ask(text, context)


def test_a_call_without_its_task_is_completed_from_the_words() -> None:
    turn = answer("complete_task", {}, "mark buy milk as done")
    assert turn.decision.action == "execute"
    (made,) = turn.decision.calls
    assert made.parameters == {"task_identifier": "a"}
    assert made.arguments[0].provenance.source == "composer"
    (note,) = turn.trace.composer
    assert (dict(note.before), dict(note.after)) == ({}, {"task_identifier": "a"})
    assert turn.trace.outcome == "valid_call"


def test_switched_off_the_same_call_is_broken_as_before() -> None:
    turn = answer("complete_task", {}, "mark buy milk as done", composer=OFF)
    assert turn.decision.reason is Reason.BROKEN_CALL
    assert turn.trace.composer == ()


def test_a_deletion_that_was_completed_still_asks_first() -> None:
    turn = answer("delete_task", {"task_identifier": "null"}, "delete buy milk")
    assert (turn.decision.action, turn.decision.reason) == ("confirm", Reason.DESTRUCTIVE)
    assert turn.decision.calls[0].parameters == {"task_identifier": "a"}


def test_what_the_model_left_out_of_a_sound_call_is_added_and_its_own_words_stay() -> None:
    turn = answer("add_task", {"title": "Call Anna"}, "add a task to call Anna tomorrow")
    (made,) = turn.decision.calls
    assert made.parameters == {"title": "Call Anna", "due_date": "2026-03-05"}
    assert [argument.provenance.source for argument in made.arguments] == ["llm", "composer"]


def test_a_sound_call_is_never_taken_away_from_the_model() -> None:
    turn = answer("complete_task", {"task_identifier": "buy bread"}, "mark buy milk as done")
    assert turn.decision.calls[0].parameters == {"task_identifier": "b"}
    (note,) = turn.trace.composer
    assert note.status == "needs_clarification"


def test_several_tasks_are_asked_about_and_the_answer_settles_it() -> None:
    turn = answer("complete_task", {}, "mark buy as done")
    assert (turn.decision.action, turn.decision.reason) == ("clarify", Reason.AMBIGUOUS_TARGET)
    pending = turn.decision.pending
    assert pending is not None
    assert set(pending.options) == {"a", "b"}


def test_a_title_that_nobody_said_is_asked_for() -> None:
    turn = answer("add_task", {"title": ""}, "add a task")
    assert turn.decision.action == "clarify"
    assert turn.decision.pending is not None
    assert turn.decision.pending.parameter == "title"


@pytest.mark.parametrize("text", ["don't complete buy milk", "is buy milk done?", "if it rains, mark buy milk as done"])
def test_an_incomplete_call_that_the_words_speak_against_stays_broken(text: str) -> None:
    turn = answer("complete_task", {"task_identifier": ""}, text)
    assert turn.decision.calls == ()
    assert turn.decision.reason is Reason.BROKEN_CALL
    assert turn.trace.composer[0].status == "failed"


def test_a_pronoun_is_completed_from_the_conversation() -> None:
    history = (Message("user", "add buy milk"), Message("assistant", "Added 'Buy milk' (#1).", ("a",)))
    context = Context(MemoryIndex((Task("a", 1, "Buy milk"), Task("b", 2, "Buy bread"))), CONTEXT.now, history)
    turn = answer("update_task", {"new_priority": "high"}, "make it high priority", context)
    assert turn.decision.calls[0].parameters == {"task_identifier": "a", "new_priority": "high"}


def test_another_persons_task_is_never_completed_into_a_call() -> None:
    turn = answer("complete_task", {}, "mark pay the boss's rent as done")
    assert turn.decision.calls == ()
