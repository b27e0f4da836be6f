"""Machines as every decider takes them: text and Context in, Decision out."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

import pytest

from domains.loading import load_domain
from domains.machines.decider import MachineDecider
from domains.machines.judging import REASONS
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange
from engine.border.json_form import from_json, to_json
from engine.border.wire import read_context, write_context
from engine.completing.values import ComposerSettings, Why
from engine.decision import Choice, Context, Decision, Learned, Message, Reason
from engine.text.normalise import TEXT_LIMIT

NOW = datetime(2026, 11, 2, 9, 0)  # noqa: DTZ001 - the engine takes the user's own clock
RANGE = ValueRange("°C", 1, 9)


def commands(*names: str) -> tuple[MachineCommand, ...]:
    return tuple(MachineCommand(name, name, value=RANGE if name == "set_temperature" else None) for name in names)


TEMPERATURE = (MachineMetric("temperature", "°C"),)
FLEET = MemoryFleet(
    (
        Machine("a", "Frigo Cucina", commands=commands("turn_on_light", "turn_off_light", "set_temperature"),
                metrics=TEMPERATURE),
        Machine("b", "Frigo Sala", commands=commands("turn_on_light", "set_temperature"), metrics=TEMPERATURE),
        Machine("c", "Forno", commands=commands("turn_on")),
    )
)  # fmt: skip
EMPTY = Context(FleetIndex(FLEET), NOW)
WHICH = "Accendi la luce del frigo"


def decide(text: str, context: Context = EMPTY) -> Decision:
    decision = MachineDecider().decide(text, context)
    assert decision == MachineDecider().decide(text, context), "the same input, an equal decision"
    assert from_json(Decision, json.loads(json.dumps(to_json(decision)))) == decision
    assert sum(factor.amount for factor in decision.ledger) == pytest.approx(decision.confidence or 0.0)
    return decision


def after(text: str, context: Context = EMPTY) -> Context:
    decision = decide(text, context)
    said = (Message("user", text), Message("assistant", decision.message))
    return replace(context, history=(*context.history, *said), pending=decision.pending)


@pytest.mark.parametrize(
    ("text", "action", "intent", "reason"),
    [
        ("turn on the light of Frigo Cucina", "execute", "run_command", "matched_rule"),
        ("what is the temperature of frigo sala", "execute", "read_metrics", "matched_rule"),
        ("show me the state of forno", "execute", "show_machine", "matched_rule"),
        ("list my machines", "execute", "list_machines", "matched_rule"),
        (WHICH, "clarify", "run_command", "ambiguous_target"),
        ("set the temperature of frigo sala", "clarify", "run_command", "missing_parameter"),
        ("turn on the light and turn off the light of frigo cucina", "clarify", "run_command", "contradiction"),
        ("set frigo sala to 55 degrees", "reply", "run_command", "invalid_parameter"),
        ("open the door of forno", "reply", "run_command", "unable"),
        ("turn on the blender", "reply", "run_command", "no_target"),
        ("don't turn on the light of frigo sala", "reply", "unknown", "negated"),
        ("how do I turn on the light of frigo sala?", "reply", "unknown", "question_about_tool"),
        ("turn on the light of frigo sala tomorrow", "reply", "unknown", "hypothetical"),
        ("if it is dark, turn on the light of frigo sala", "reply", "unknown", "hypothetical"),
        ("hello there", "reply", "unknown", "not_about_tasks"),
        ("", "reply", "unknown", "empty"),
    ],
)
def test_action_intent_and_reason(text: str, action: str, intent: str, reason: str) -> None:
    decision = decide(text)
    assert (decision.action, decision.intent, str(decision.reason)) == (action, intent, reason)


def test_every_why_has_a_reason() -> None:
    assert set(REASONS) == set(Why)


def test_evidence_stands_at_its_place_and_losers_stay_with_a_word_on_why() -> None:
    text = "turn off the light of the frigo"
    decision = decide(text)
    said = {text[each.span.start : each.span.end] for each in decision.scores[0].evidence}
    assert {"turn off", "light", "frigo"} <= said
    (reference,) = decision.references
    assert (reference.mention, reference.task_id) == ("frigo", "a")
    assert {each.task_id: bool(each.lost) for each in reference.candidates} == {"a": False, "b": True}
    assert {slot.name for slot in decision.slots} == {"device_id", "machine_command_id"}


def test_a_question_is_answered_in_words_and_the_rest_comes_from_the_request() -> None:
    pending = decide(WHICH).pending
    assert pending
    assert [choice.label for choice in pending.choices] == ["Frigo Cucina", "Frigo Sala"]
    decision = decide("il secondo", after(WHICH))
    assert (decision.action, decision.reason, decision.language) == ("execute", Reason.ANSWERED, "it")
    (call,) = decision.calls
    assert call.parameters == {"device_id": "b", "machine_command_id": "turn_on_light"}
    assert [each.provenance.source for each in call.arguments] == ["answer", "words"]
    assert decision.taught == (pending.learns, "b")


def test_one_answer_leads_to_the_next_question() -> None:
    context = after("Frigo Sala", after("set the temperature of the frigo"))
    assert context.pending
    assert (context.pending.kind, context.pending.parameter) == ("fill", "value")
    (call,) = decide("5 degrees", context).calls
    assert call.parameters == {"device_id": "b", "machine_command_id": "set_temperature", "value": 5.0}
    sources = {each.name: each.provenance.source for each in call.arguments}
    assert sources == {"device_id": "answer", "machine_command_id": "words", "value": "answer"}


def test_none_of_them_cancels_and_a_new_request_is_heard_as_one() -> None:
    cancelled = decide("nessuno", after(WHICH))
    assert (cancelled.action, cancelled.reason) == ("reply", Reason.CANCELLED)
    assert cancelled.message == "Va bene, non è stato fatto nulla."
    assert decide("turn on the forno", after(WHICH)).calls[0].parameters["device_id"] == "c"


def test_one_way_below_the_threshold_is_offered_and_a_yes_runs_it() -> None:
    only = replace(EMPTY, tasks=FleetIndex(MemoryFleet(FLEET.machines()[2:])))
    offered = decide("turn it on", only)
    assert (offered.action, offered.reason) == ("confirm", Reason.UNCERTAIN_TARGET)
    assert offered.calls[0].parameters["device_id"] == "c"
    decision = decide("yes", after("turn it on", only))
    assert (decision.action, decision.calls[0].parameters["machine_command_id"]) == ("execute", "turn_on")


def test_a_choice_often_made_settles_the_question() -> None:
    pending = decide(WHICH).pending
    assert pending
    decision = decide(WHICH, replace(EMPTY, learned=(Learned(pending.learns, "b", 3),)))
    assert (decision.action, decision.reason) == ("execute", Reason.LEARNED)
    assert decision.calls[0].arguments[0].provenance.source == "learned"


def test_what_was_offered_is_asked_for_by_its_label() -> None:
    arguments = {"device_id": "a", "machine_command_id": "turn_off_light"}
    offered = Choice("Frigo Cucina: turn off the light", "machine_command_execute", arguments)
    decision = decide(offered.label, replace(EMPTY, offered=(offered,)))
    assert (decision.action, decision.reason) == ("execute", Reason.ANSWERED)
    assert decision.calls[0].parameters == arguments


def test_a_chosen_machine_that_is_gone_is_said_to_be_gone() -> None:
    without = replace(after(WHICH), tasks=FleetIndex(MemoryFleet(FLEET.machines()[:1])))
    decision = decide("Frigo Sala", without)
    assert (decision.action, decision.reason) == ("reply", Reason.NO_TARGET)


def test_a_recorded_context_gives_the_same_decision_again() -> None:
    context = after(WHICH)
    recorded = json.loads(json.dumps(write_context(context, FleetIndex(FLEET))))
    assert decide("il secondo", read_context(recorded, NOW, load_domain("machines"))) == decide("il secondo", context)


def test_switched_off_and_too_long_are_said() -> None:
    off = MachineDecider(ComposerSettings(enabled=False)).decide("turn on the light", EMPTY)
    assert (off.action, off.reason) == ("reply", Reason.SWITCHED_OFF)
    assert decide("x" * (TEXT_LIMIT + 1)).reason is Reason.TOO_LONG
