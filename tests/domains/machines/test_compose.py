"""What the composer promises whatever the words: settings, learning, bad input, no invention."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domains.composing import compose
from domains.machines.composing.next_actions import suggest_next
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange
from engine.completing.values import ComposerSettings, Composition, Request, Why
from engine.decision import Context, Learned, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call
from tests.rounds import rounds

COMMAND = "machine_command_execute"


def machine(identity: str, name: str, *commands: str, serial: str = "", connected: bool = True) -> Machine:
    made = tuple(MachineCommand(f"{identity}-{command}", command) for command in commands)
    return Machine(
        identity, name, serial, commands=made, metrics=(MachineMetric("temperature", "°C"),), connected=connected
    )


TWO_FRIDGES = MemoryFleet(
    [machine("a", "Frigo Cucina", "turn_on_light", "turn_off_light"), machine("b", "Frigo Sala", "turn_on_light")]
)


def ask(text: str, tool: str | None = COMMAND, fleet: MemoryFleet = TWO_FRIDGES, **more: object) -> Composition:
    return compose(Request(text, tool, fleet=fleet, **more))  # type: ignore[arg-type]


def test_switched_off_a_call_passes_through_unchanged() -> None:
    off = ComposerSettings(enabled=False)
    composed = ask("Accendi la luce", arguments={"device_name": "null"}, settings=off)
    assert composed.why is Why.SWITCHED_OFF
    assert composed.calls[0].call.parameters == {"device_name": "null"}


def test_at_most_the_configured_number_of_suggestions_is_shown_and_the_rest_is_counted() -> None:
    fleet = MemoryFleet(machine(str(place), f"Frigo {place}", "turn_on_light") for place in range(12))
    composed = ask("Accendi la luce", fleet=fleet, settings=ComposerSettings(max_suggestions=3))
    assert len(composed.suggestions) == 3
    assert composed.more == 9


def test_a_higher_threshold_offers_what_a_lower_one_takes() -> None:
    said = "Spegni la luce del frigo"
    assert ask(said).status == "completed"
    strict = ask(said, settings=ComposerSettings(threshold=0.95))
    assert strict.why is Why.NOT_SURE_ENOUGH
    assert strict.suggestions[0].value == {"device_id": "a", "machine_command_id": "a-turn_off_light"}


def test_a_choice_made_three_times_settles_the_question_and_says_so() -> None:
    first = ask("Accendi la luce")
    assert first.why is Why.SEVERAL_MACHINES
    for times, status in ((1, "needs_clarification"), (2, "needs_clarification"), (3, "completed"), (30, "completed")):
        composed = ask("Accendi la luce", learned=(Learned(first.choice_key, "b", times),))
        assert composed.status == status, times
    assert composed.why is Why.LEARNED
    assert composed.calls[0].call.arguments[0].provenance.source == "learned"
    assert composed.confidence <= 1.0


def test_what_was_learned_for_other_words_does_not_count() -> None:
    learned = (Learned("machine_command_execute|turn_off light|", "b", 9),)
    assert ask("Accendi la luce", learned=learned).status == "needs_clarification"


def test_a_learned_choice_never_beats_a_machine_that_was_named() -> None:
    key = ask("Accendi la luce").choice_key
    composed = ask("Accendi la luce del frigo cucina", learned=(Learned(key, "b", 9),))
    assert composed.calls[0].call.parameters["device_id"] == "a"


@pytest.mark.parametrize(
    "nothing",
    ["", " ", "null", "None", "unknown", "<device_id>", "{{device}}", "N/A", "device_id", "thing_id", 7, [], {}],
)
def test_what_says_nothing_counts_as_left_out(nothing: object) -> None:
    composed = ask("Spegni la luce", arguments={"device_id": nothing, "machine_command_id": nothing})
    assert composed.calls[0].call.parameters == {"device_id": "a", "machine_command_id": "a-turn_off_light"}


def test_an_argument_that_the_tool_does_not_have_is_dropped_and_named() -> None:
    composed = ask("Spegni la luce", arguments={"user_id": "somebody else"})
    assert "user_id" not in composed.calls[0].call.parameters
    assert "user_id" in composed.steps[0].summary


def test_an_unknown_tool_is_refused() -> None:
    assert ask("Accendi la luce", tool="launch_rocket").why is Why.UNKNOWN_TOOL


def test_no_machines_at_all_is_said() -> None:
    assert ask("Accendi la luce", fleet=MemoryFleet()).why is Why.NO_MACHINE


def test_nothing_said_is_nothing_done() -> None:
    assert ask("   ").why is Why.EMPTY


def test_two_machines_of_one_name_are_told_apart_by_place_or_serial_number() -> None:
    twins = MemoryFleet([machine("a", "Forno", "turn_on", serial="F1"), machine("b", "Forno", "turn_on", serial="F2")])
    composed = ask("Accendi il forno", fleet=twins)
    assert {suggestion.label for suggestion in composed.suggestions} == {"Forno (F1)", "Forno (F2)"}


def test_a_value_is_taken_from_the_words_and_held_to_its_limits() -> None:
    freezer = Machine(
        "f", "Congelatore", commands=(MachineCommand("s", "set_temperature", value=ValueRange("°C", -25, -10)),)
    )
    fleet = MemoryFleet([freezer])
    said = ask("imposta il congelatore a -18 gradi", fleet=fleet)
    assert said.calls[0].call.parameters["value"] == -18
    assert ask("imposta il congelatore a 18 gradi", fleet=fleet).why is Why.VALUE_OUT_OF_RANGE
    assert ask("imposta la temperatura del congelatore", fleet=fleet).why is Why.NO_VALUE_SAID
    assert ask("alza la temperatura del congelatore di 2 gradi", fleet=fleet).why is Why.NO_VALUE_SAID
    assert ask("set the congelatore to -18 fahrenheit", fleet=fleet).why is Why.NO_VALUE_SAID


def test_the_machine_of_the_conversation_is_meant_until_another_is_named() -> None:
    history = (Message("user", "Ho un problema con il frigo cucina"), Message("assistant", "Cosa succede?"))
    composed = ask("Accendi la luce", history=history)
    assert composed.calls[0].call.parameters["device_id"] == "a"
    assert composed.calls[0].call.arguments[0].provenance.source == "conversation"
    assert ask("Accendi la luce del frigo sala", history=history).calls[0].call.parameters["device_id"] == "b"


@pytest.mark.parametrize("text", ["turn it off again", "spegnila"])
def test_it_is_the_object_of_the_message_before_and_not_the_machine(text: str) -> None:
    fridge = machine("a", "Frigo Cucina", "turn_on", "turn_off", "turn_on_light", "turn_off_light")
    history = (Message("user", "accendi la luce del frigo cucina"), Message("assistant", "Frigo Cucina: luce accesa."))
    composed = ask(text, fleet=MemoryFleet([fridge]), history=history)
    assert composed.calls[0].call.parameters["machine_command_id"] == "a-turn_off_light"
    assert composed.calls[0].call.arguments[1].provenance.source == "conversation"
    told = (Message("user", "accendi il frigo cucina"), Message("assistant", "Frigo Cucina: acceso."))
    whole = ask(text, fleet=MemoryFleet([fridge]), history=told)
    assert whole.calls[0].call.parameters["machine_command_id"] == "a-turn_off"


@pytest.mark.parametrize(("text", "language"), [("temperatura?", "it"), ("temperature?", "en"), ("umidità", "it")])
def test_one_word_is_answered_in_its_language(text: str, language: str) -> None:
    assert ask(text, tool=None).language == language


def test_a_name_in_other_words_is_read_but_not_acted_on() -> None:
    fleet = MemoryFleet([machine("k", "Kitchen fridge", "turn_off")])
    assert ask("turn off Frigo Cucina", fleet=fleet).why is Why.NOT_SURE_ENOUGH
    assert ask("temperatura di Frigo Cucina", tool="metrics_read", fleet=fleet).status == "completed"


@pytest.mark.parametrize(
    "text",
    [
        "don't turn on the light or start the defrost",
        "tomorrow turn on the light and start the defrost",
        "turn on the light and start the defrost tomorrow",
        "if it is dark turn on the light and start the defrost",
        "how do I turn on the light and start the defrost?",
        "non accendere la luce e non avviare lo sbrinamento",
        "domani accendi la luce e avvia lo sbrinamento",
    ],
)
@pytest.mark.parametrize("tool", [None, COMMAND])
def test_what_speaks_against_one_command_speaks_against_the_other(text: str, tool: str | None) -> None:
    fleet = MemoryFleet([machine("a", "Frigo", "turn_on_light", "start_defrost")])
    composed = ask(text, tool=tool, fleet=fleet)
    assert (composed.status, composed.calls) == ("failed", ())


@pytest.mark.parametrize(
    "text", ["don't turn on the light, start the defrost", "non accendere la luce ma avvia lo sbrinamento"]
)
def test_a_new_clause_is_a_new_request(text: str) -> None:
    fleet = MemoryFleet([machine("a", "Frigo", "turn_on_light", "start_defrost")])
    (call,) = ask(text, tool=None, fleet=fleet).calls
    assert call.call.parameters["machine_command_id"] == "a-start_defrost"


def test_next_actions_are_only_what_the_machine_can_do() -> None:
    fridge = machine("a", "Frigo", "turn_on_light", "turn_off_light")
    call = make_call(COMMAND, {"device_id": "a", "machine_command_id": "a-turn_on_light"}, "words")
    suggested = suggest_next(call, {"status": "success"}, fridge, "it")
    assert [suggestion.value["machine_command_id"] for suggestion in suggested] == ["a-turn_off_light"]
    assert suggest_next(call, {"status": "error"}, fridge, "it") == ()


TASKS = Context(
    MemoryIndex([Task("t1", 1, "pay the rent"), Task("t2", 2, "call the dentist")]),
    datetime(2026, 3, 4, 10),  # noqa: DTZ001
)


def test_a_task_call_is_completed_from_the_words() -> None:
    composed = compose(Request("mark pay the rent as done", "complete_task", tasks=TASKS))
    assert composed.calls[0].call.parameters == {"task_identifier": "t1"}


def test_what_the_model_left_out_of_a_new_task_is_added_with_its_place_in_the_words() -> None:
    text = "add buy milk tomorrow with high priority"
    composed = compose(Request(text, "add_task", {"title": "buy milk", "due_date": ""}, tasks=TASKS))
    (call,) = composed.calls
    assert call.call.parameters == {"title": "buy milk", "due_date": "2026-03-05", "priority": "high"}
    assert {argument.name: argument.provenance.source for argument in call.call.arguments} == {
        "title": "llm",
        "due_date": "words",
        "priority": "words",
    }
    assert dict(call.before) == {"title": "buy milk", "due_date": ""}


@pytest.mark.parametrize(
    "text", ["is the rent done?", "don't mark the rent as done", "if she pays, mark the rent as done"]
)
def test_a_question_a_denial_and_a_condition_complete_nothing(text: str) -> None:
    assert compose(Request(text, "complete_task", tasks=TASKS)).status == "failed"


@given(
    st.text(max_size=80),
    st.sampled_from([None, COMMAND, "metrics_read", "device_detail", "machines_list", "complete_task"]),
)
@example("accendi la luce del frigo sala", COMMAND)
@example("mostrami i dati del frigo cucina", "metrics_read")
@settings(max_examples=rounds(60, 300), deadline=None)
def test_any_text_gets_an_answer_and_no_argument_comes_from_nowhere(text: str, tool: str | None) -> None:
    composed = compose(Request(text, tool, fleet=TWO_FRIDGES, tasks=TASKS))
    assert composed.status in ("completed", "needs_clarification", "failed")
    again = compose(replace(Request(text, tool, fleet=TWO_FRIDGES, tasks=TASKS)))
    assert composed == again
    named = [call.call.parameters["device_id"] for call in composed.calls if "device_id" in call.call.parameters]
    assert [identity for identity in named if TWO_FRIDGES.find_by_id(str(identity)) is None] == []
    assert named or "frigo" not in text
