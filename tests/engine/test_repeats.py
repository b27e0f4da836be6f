"""The same call is not made twice in one message, whoever decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domains.deciders import make_engine
from domains.loading import load_domain
from engine.border.wire import read_context
from engine.completing.values import ComposerSettings
from engine.decision import Decision
from engine.values import Argument, Provenance, Span, ToolCall, each_once
from tests.conftest import NOW

TASKS = {"tasks": [{"id": "m", "title": "Buy milk"}, {"id": "b", "title": "Buy bread"}], "lang": "en"}
FRIDGE = {"id": "f", "name": "Fridge", "commands": ["turn_on_light", "turn_off_light"]}


def calls_of(decision: Decision) -> list[tuple[str, dict[str, object]]]:
    return [call.asked for call in decision.calls]


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        ("add a task to call Anna and add a task to call Anna", [("add_task", {"title": "call Anna"})]),
        (
            "mark buy milk as done and mark buy bread as done and mark buy milk as done",
            [("complete_task", {"task_identifier": "m"}), ("complete_task", {"task_identifier": "b"})],
        ),
        (
            "add a task to call Anna, mark buy milk as done and add a task to call Anna",
            [("add_task", {"title": "call Anna"}), ("complete_task", {"task_identifier": "m"})],
        ),
    ],
)
def test_a_request_that_is_said_twice_is_one_call(said: str, calls: list[tuple[str, dict[str, object]]]) -> None:
    decision = make_engine().decide(said, read_context(TASKS, NOW))
    assert calls_of(decision) == calls
    assert len(decision.call_confidences) == len(decision.sentences) == len(calls)


def test_what_waits_behind_a_question_is_not_what_the_answer_does() -> None:
    context = read_context(TASKS, NOW)
    question = make_engine().decide("delete buy milk", context).pending
    assert question
    answered = make_engine().decide("yes", replace(context, pending=replace(question, then=(question.call,))))
    assert calls_of(answered) == [("delete_task", {"task_identifier": "m"})]
    assert len(answered.call_confidences) == 1


def test_a_machine_is_told_once() -> None:
    domain = load_domain("machines")
    assert domain.conduct
    context = read_context({"machines": [FRIDGE], "lang": "en"}, NOW, domain)
    decider = domain.conduct.make_decider(ComposerSettings())
    for said in ("turn on turn on the light", "turn on the light and turn on the light"):
        decision = decider.decide(said, context)
        assert (decision.action, len(decision.calls)) == ("execute", 1), said


def test_calls_are_the_same_wherever_their_arguments_come_from() -> None:
    one, other = (ToolCall("t", (Argument("a", [1], Provenance("words", Span(at, 9))),)) for at in (0, 5))
    assert one != other
    assert each_once([one, other, ToolCall("t"), one]) == (one, ToolCall("t"))
