"""What is written on the bench: read, or refused with the place of the mistake; and the way back to the terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from domains.composing import compose
from domains.machines.wire import read_machines, read_request
from engine.border.json_form import to_json
from engine.completing.wire import write_composition
from ui.machines.bench_input import (
    EXAMPLE_PAYLOAD,
    BenchError,
    make_command,
    make_payload,
    read_history,
    read_json_object,
)

ROOT = Path(__file__).parents[3]


def test_fields_become_a_payload() -> None:
    payload = make_payload(
        "Accendi la luce", "machine_command_execute", '{"device_name": "frigo"}', "user: Ciao\n\nAssistente: Dimmi: sì?"
    )
    assert payload == {
        "user_message": "Accendi la luce",
        "function_call": {"name": "machine_command_execute", "arguments": {"device_name": "frigo"}},
        "conversation_history": [
            {"role": "user", "content": "Ciao"},
            {"role": "assistant", "content": "Dimmi: sì?"},
        ],
    }
    assert make_payload("x", None, " ", "") == {"user_message": "x"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": }', "Arguments, line 1, column 7: Expecting value."),
        ('{\n  "a": 1\n  "b": 2}', "Arguments, line 3, column 3"),
        ("[1]", "Arguments must be a JSON object"),
        ("null", "Arguments must be a JSON object"),
        ('{"a":' * 100_000, "Arguments"),
        ("\x00", "Arguments, line 1, column 1"),
    ],
)
def test_a_mistake_in_the_json_is_told_with_its_place(text: str, words: str) -> None:
    with pytest.raises(BenchError) as refused:
        read_json_object(text, "Arguments")
    assert words in str(refused.value)


def test_a_line_of_the_conversation_without_a_speaker_is_told_by_its_number() -> None:
    with pytest.raises(BenchError, match=r"line 2: begin it with “user:”"):
        read_history("user: hello\nhello again")


def test_arguments_without_a_tool_are_refused() -> None:
    with pytest.raises(BenchError, match="need a tool"):
        make_payload("x", None, '{"a": 1}', "")


def test_machines_come_back_as_they_were() -> None:
    machines = read_machines(EXAMPLE_PAYLOAD["machine_context"])
    assert read_machines(to_json(machines)) == machines


def test_the_example_payload_asks_which_fridge() -> None:
    composition = compose(read_request(EXAMPLE_PAYLOAD, datetime(2026, 3, 4)))  # noqa: DTZ001
    assert composition.status == "needs_clarification"
    assert [each.label for each in composition.suggestions] == ["Frigo Cucina", "Frigo Sala"]


def test_the_copied_command_gives_the_same_result_in_a_shell() -> None:
    payload = {**EXAMPLE_PAYLOAD, "user_message": "Accendi la luce d'«emergenza» `id` $(id)\n'del frigo'"}
    command = make_command(payload).replace("python -m", f"{sys.executable} -m")
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=True)
    expected = write_composition(compose(read_request(payload, datetime(2026, 3, 4))))  # noqa: DTZ001
    assert json.loads(done.stdout) == {"id": None, **json.loads(json.dumps(expected))}
