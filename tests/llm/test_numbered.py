"""Machines by their numbers: what the embedded model calls, and what comes of it."""

from __future__ import annotations

import json
from datetime import datetime

from domains.loading import load_domain
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange
from engine.completing.values import DEFAULT_SETTINGS
from engine.decision import Context, Decision
from llm.calls import ReadAnswer, read_answer
from llm.conclude import conclude
from llm.endpoint import Endpoint
from llm.prompt import make_request
from llm.tool_list import short_tools
from llm.trace import ModelAnswer, RawCall

MACHINES = load_domain("machines")
COMMANDS = (
    MachineCommand("c1", "turn_on_light"),
    MachineCommand("c2", "set_temperature", value=ValueRange("°C", 0, 12)),
)
FLEET = tuple(
    Machine(name, f"Frigo {name}", commands=COMMANDS, metrics=(MachineMetric("temperature"),))
    for name in ("Cucina", "Sala")
)
CONTEXT = Context(FleetIndex(MemoryFleet(FLEET)), datetime(2026, 3, 4, 10), language="en")  # noqa: DTZ001
COMMAND = "machine_command_execute"


def read(text: str, *calls: tuple[str, dict[str, object]]) -> ReadAnswer:
    raw = tuple(RawCall(name, json.dumps(arguments)) for name, arguments in calls)
    answer = ModelAnswer(text="", calls=raw)
    return read_answer(answer, "tools", text, CONTEXT, "en", DEFAULT_SETTINGS, MACHINES, copied=True)


def decide(text: str, *calls: tuple[str, dict[str, object]]) -> Decision:
    return conclude(read(text, *calls), text, CONTEXT, MACHINES.policies["en"], None, MACHINES, DEFAULT_SETTINGS)


def made(found: ReadAnswer) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool_name, dict(call.parameters)) for call in found.calls]


def test_a_number_is_the_machine_that_has_it_in_the_prompt() -> None:
    found = read("some light in the second fridge", (COMMAND, {"device_name": "#2", "command_name": "turn_on_light"}))
    assert made(found) == [(COMMAND, {"device_id": "Sala", "machine_command_id": "c1"})]


def test_what_the_model_leaves_out_is_completed_from_the_words() -> None:
    found = read("set the temperature of Frigo Cucina to 4", (COMMAND, {"command_name": "set_temperature"}))
    assert made(found) == [(COMMAND, {"device_id": "Cucina", "machine_command_id": "c2", "value": 4.0})]


def test_a_machine_that_may_be_two_is_asked_about() -> None:
    found = read("turn on the light of the frigo", (COMMAND, {"command_name": "turn_on_light"}))
    assert (made(found), found.asking is not None) == ([], True)


def test_a_number_that_nothing_has_names_no_machine() -> None:
    found = read("turn on the light", (COMMAND, {"device_name": "#7", "command_name": "turn_on_light"}))
    assert (made(found), found.asking is not None) == ([], True)


def test_taking_back_needs_no_composer() -> None:
    assert made(read("no, back", ("undo", {}))) == [("undo", {})]
    assert [decide("no, back", (name, {})).act for name in ("undo", "redo")] == ["undo", "redo"]


def test_what_was_completed_is_done_with_its_reference() -> None:
    decision = decide("light in the sala", (COMMAND, {"device_name": "#2", "command_name": "turn_on_light"}))
    assert (decision.action, decision.intent) == ("execute", "run_command")
    assert [reference.task_id for reference in decision.references] == ["Sala"]


def test_the_embedded_model_gets_the_prompt_it_was_trained_on_and_others_get_theirs() -> None:
    embedded = make_request("hello", CONTEXT, Endpoint("embedded", "", "m"), "tools", MACHINES)
    assert embedded["tools"] == list(short_tools("machines"))
    assert embedded["messages"][1]["content"].startswith("#1 Frigo Cucina")
    other = make_request("hello", CONTEXT, Endpoint("custom", "", "m"), "tools", MACHINES)
    assert "device_id" in other["tools"][0]["function"]["parameters"]["properties"]
    assert "device_id" not in embedded["tools"][0]["function"]["parameters"]["properties"]
