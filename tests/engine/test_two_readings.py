"""Two lanes that want different changes: one question, both as its answers, and nothing done before one is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domains.deciders import make_engine
from domains.loading import load_domain
from engine.border.json_form import from_json, to_json
from engine.decision import Context, Decision, Pending
from engine.outcome.router import LearnedRouter, RouterWeights
from engine.outcome.routes import Route
from engine.outcome.routing import Routing, route
from engine.outcome.two_readings import ask_which, wanted_changes
from engine.values import ToolCall, make_call
from tests.engine.test_router import ADD, CATALOGUE, CONTEXT, DONE, RENAME, SURE, read, wants

DELETE = make_call("delete_task", {"task_identifier": "a"}, "llm")
ITALIAN = replace(CONTEXT, language="it")
UNDECIDED = LearnedRouter(RouterWeights(SURE, SURE, SURE, 2.0, 2.0, 0.4, 0.5, 0.2, 0.2))
"""Holds both likely, and neither likely enough."""


def weigh(text: str, *calls: ToolCall, context: Context = CONTEXT) -> Routing:
    engine = make_engine().decide(text, context)
    return route("router", engine, wants(*calls), load_domain().policies[context.language or "en"], context, UNDECIDED)


def pending_of(routing: Routing) -> Pending:
    assert routing.route is Route.BOTH_OFFERED
    assert routing.decision.pending is not None
    return routing.decision.pending


def answer(said: str, pending: Pending, context: Context = CONTEXT) -> Decision:
    return make_engine().decide(said, replace(context, pending=pending))


def test_both_are_named_and_nothing_is_done() -> None:
    routing = weigh("mark call the dentist as done", DONE)
    assert (routing.decision.action, routing.decision.calls) == ("clarify", ())
    assert "'Call the dentist'" in routing.decision.message
    assert "'Buy milk'" in routing.decision.message
    labels = [each.label for each in pending_of(routing).choices]
    assert labels == ["Mark 'Call the dentist' as done", "Mark 'Buy milk' as done"]


@pytest.mark.parametrize(
    ("said", "task"),
    [
        ("Mark 'Buy milk' as done", "a"),
        ("mark 'buy milk' as done", "a"),
        ("the second one", "a"),
        ("the last", "a"),
        ("2", "a"),
        ("the first", "b"),
        ("1", "b"),
    ],
)  # fmt: skip
def test_one_is_chosen_by_its_words_or_its_place(said: str, task: str) -> None:
    chosen = answer(said, pending_of(weigh("mark call the dentist as done", DONE)))
    assert chosen.action == "execute"
    assert [(call.tool_name, call.parameters) for call in chosen.calls] == [
        ("complete_task", {"task_identifier": task})
    ]


def test_a_yes_does_not_say_which() -> None:
    pending = pending_of(weigh("mark call the dentist as done", DONE))
    again = answer("yes", pending)
    assert (again.action, again.calls, again.pending) == ("clarify", (), pending)


def test_a_no_is_one_to_both() -> None:
    refused = answer("no", pending_of(weigh("mark call the dentist as done", DONE)))
    assert (refused.action, refused.calls, refused.pending) == ("reply", (), None)


def test_another_request_is_heard_as_one() -> None:
    other = answer("add a task to buy stamps", pending_of(weigh("mark call the dentist as done", DONE)))
    assert [call.tool_name for call in other.calls] == ["add_task"]


def test_a_reading_of_several_calls_is_done_whole() -> None:
    pending = pending_of(weigh("mark call the dentist as done", DONE, ADD))
    assert pending.choices[1].label == "Mark 'Buy milk' as done and add 'oat milk'"
    assert [call.tool_name for call in answer("the second", pending).calls] == ["complete_task", "add_task"]


def test_it_is_asked_in_the_language_of_the_message() -> None:
    routing = weigh("segna call the dentist come fatta", DONE, context=ITALIAN)
    assert routing.decision.message.startswith("Lo posso leggere in due modi.")
    assert [call.parameters for call in answer("la seconda", pending_of(routing), ITALIAN).calls] == [
        {"task_identifier": "a"}
    ]


def test_the_question_lasts_as_text() -> None:
    """It is kept with the turn, and read again when the answer comes."""
    pending = pending_of(weigh("mark call the dentist as done", DONE, ADD))
    assert answer("2", from_json(Pending, to_json(pending))).calls == answer("2", pending).calls


@pytest.mark.parametrize("text", ["delete buy milk", "undo that"])
def test_what_needs_a_yes_of_its_own_or_has_no_call_is_no_reading_to_choose(text: str) -> None:
    assert wanted_changes(read(text), CATALOGUE) == ()


def test_a_deletion_is_never_a_mere_choice() -> None:
    engine = read("mark call the dentist as done")
    assert ask_which(engine, wants(DELETE), CONTEXT, load_domain().policies["en"]) is None


def test_readings_that_nobody_can_tell_apart_are_one_question() -> None:
    long = "a" * 80
    calls = [make_call("add_task", {"title": long + end}, "llm") for end in "xy"]
    assert ask_which(wants(calls[0]), wants(calls[1]), CONTEXT, load_domain().policies["en"]) is None


def test_where_the_llm_is_guarded_both_are_offered_too() -> None:
    policy = load_domain().policies["en"]
    routing = route("llm_guarded", read("mark call the dentist as done"), wants(RENAME), policy, CONTEXT)
    assert routing.route is Route.ENGINE_DIFFERS
    assert routing.decision.pending is not None
    assert [each.tool_name for each in routing.decision.pending.choices] == ["update_task", "complete_task"]
