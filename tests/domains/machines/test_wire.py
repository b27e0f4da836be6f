"""Spec 5's payload through the batch interface."""

from __future__ import annotations

import io
import json

import pytest

from engine.__main__ import main

PAYLOAD = {
    "user_message": "Accendi la luce del frigo",
    "function_call": {"name": "machine_command_execute", "arguments": {}},
    "conversation_history": [
        {"role": "user", "content": "Ho due frigo"},
        {"role": "assistant", "content": "Sì, vedo Frigo Cucina e Frigo Sala"},
    ],
    "machine_context": [
        {"id": "a", "name": "Frigo Cucina", "commands": [{"id": "c1", "name": "turn_on_light"}]},
        {"id": "b", "name": "Frigo Sala", "commands": [{"id": "c2", "name": "turn_on_light"}]},
    ],
}


def run(lines: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[dict]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["compose"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_payload_of_the_spec_is_asked_back_with_both_machines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (answer,) = run([{**PAYLOAD, "id": 7}], monkeypatch, capsys)
    assert answer["id"] == 7
    assert answer["status"] == "needs_clarification"
    assert [each["value"] for each in answer["suggestions"]] == [
        {"device_id": "a", "machine_command_id": "c1"},
        {"device_id": "b", "machine_command_id": "c2"},
    ]


def test_arguments_as_text_and_other_names_for_a_machines_fields_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = {"device_id": "a", "device_name": "Frigo", "serial_number": "F-1", "is_connected": False}
    payload = {
        "user_message": "turn on the light of f-1",
        "function_call": {"name": "machine_command_execute", "arguments": '{"device_id": "null"}'},
        "machines": [{**machine, "commands": ["turn_on_light"]}],
    }
    broken = {**payload, "function_call": {"name": "machine_command_execute", "arguments": "{"}}
    answers = run([payload, broken], monkeypatch, capsys)
    assert answers[0]["composed_input"] == {"device_id": "a", "machine_command_id": "turn_on_light"}
    assert "not JSON" in answers[1]["error"]


def test_a_completed_call_states_the_provenance_of_every_argument(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (answer,) = run([{**PAYLOAD, "user_message": "Accendi la luce del frigo sala"}], monkeypatch, capsys)
    assert answer["composed_input"] == {"device_id": "b", "machine_command_id": "c2"}
    (call,) = answer["calls"]
    assert set(call["provenance"]) == set(call["parameters"])


@pytest.mark.parametrize(
    ("broken", "word"),
    [
        ({"user_message": 5}, "user_message"),
        ({"function_call": "turn it on"}, "function_call"),
        ({"function_call": {"name": "x", "arguments": []}, "machine_context": "none"}, "machine_context"),
        ({"machine_context": [{"name": "no id"}]}, "machine_context[1]"),
        ({"machine_context": [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}]}, "same id"),
        ({"conversation_history": [{"content": "who?"}]}, "role"),
        ({"lang": "de"}, "lang"),
        ({"settings": {"threshold": "high"}}, "threshold"),
        ({"learned": [{"key": "k"}]}, "learned"),
    ],
)
def test_a_broken_payload_is_named_and_the_rest_goes_on(
    broken: dict, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = run([{**PAYLOAD, **broken}, "{", PAYLOAD], monkeypatch, capsys)
    assert word in answers[0]["error"]
    assert "JSON" in answers[1]["error"]
    assert answers[2]["status"] == "needs_clarification"
