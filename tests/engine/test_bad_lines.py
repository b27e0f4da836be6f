"""Whatever stands in a line of a batch, it costs its own answer and no other."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from benchmarks.fuzz_lines import main

GOOD = {"decide": b'{"id": "good", "text": "add milk"}', "compose": b'{"id": "good", "user_message": "add milk"}'}
DELETE = {"tool_name": "delete_task", "parameters": {"task_identifier": "a"}}


def pending(**parts: object) -> bytes:
    asked = {"kind": "choose", "intent": "delete_task", "call": DELETE, "options": ["a"], **parts}
    return json.dumps({"text": "yes", "user_message": "yes", "pending": asked}).encode()


BAD = {
    "a number of 5,000 digits": b'{"id": ' + b"9" * 5000 + b', "text": "x"}',
    "half a character": b'{"text": "add \\ud83d", "user_message": "add \\ud83d"}',
    "half a character as the id": b'{"id": "\\ud83d", "text": "x"}',
    "bytes that are no UTF-8": b'{"text": "caf\xff", "user_message": "caf\xff"}',
    "no number": b'{"id": NaN, "text": "x"}',
    "a number without end": b'{"id": 1e999, "text": "x"}',
    "nested too deeply": b'{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a question about no intent": pending(intent="unknown"),
    "a question about no tool": pending(call={**DELETE, "tool_name": "drop_tables"}),
    "a further call of no tool": pending(then=[{**DELETE, "tool_name": "drop_tables"}]),
    "a question that is a list": b'{"text": "yes", "user_message": "yes", "pending": [1]}',
}


@pytest.mark.parametrize("command", ["decide", "compose"])
def test_a_bad_line_costs_only_its_own_answer(command: str) -> None:
    lines = [line for bad in BAD.values() for line in (bad, GOOD[command])]
    done = subprocess.run(
        [sys.executable, "-m", "engine", command], input=b"\n".join(lines), capture_output=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.decode().split("\n")[:-1]]
    assert len(answers) == len(lines)
    assert [answer["id"] for answer in answers[1::2]] == ["good"] * len(BAD)
    errors = {name: answer.get("error", "") for name, answer in zip(BAD, answers[::2], strict=True)}
    assert [name for name, error in errors.items() if not error] == []
    assert [name for name, error in errors.items() if "could not be answered" in error] == []
    assert b"Traceback" not in done.stderr


def test_fuzzed_lines_are_all_answered_as_they_should_be() -> None:
    assert main(["--lines", "300"]) == 0
