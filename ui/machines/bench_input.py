"""What is written on the bench, as spec 5's payload; and what is wrong with it, with its place. No streamlit."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from domains.machines.tools import COMMAND_TOOL

MOST_MACHINES_TO_COPY = 200
_ROLES = {
    "user": "user",
    "utente": "user",
    "you": "user",
    "assistant": "assistant",
    "assistente": "assistant",
    "ai": "assistant",
}
EXAMPLE_PAYLOAD = {
    "user_message": "Accendi la luce del frigo",
    "function_call": {"name": COMMAND_TOOL, "arguments": {}},
    "conversation_history": [
        {"role": "user", "content": "Ho due frigo"},
        {"role": "assistant", "content": "Sì, vedo Frigo Cucina e Frigo Sala"},
    ],
    "machine_context": [
        {
            "id": "frigo-cucina",
            "name": "Frigo Cucina",
            "serial": "FRIGO001",
            "place": "Cucina",
            "commands": ["turn_on_light", "turn_off_light", "start_defrost"],
            "metrics": [{"name": "temperature", "unit": "°C"}],
        },
        {
            "id": "frigo-sala",
            "name": "Frigo Sala",
            "serial": "FRIGO002",
            "place": "Sala",
            "commands": ["turn_on_light", "turn_off_light"],
            "metrics": ["temperature"],
        },
    ],
}


class BenchError(ValueError):
    """Something on the bench cannot be read, in words for whoever wrote it."""


def read_json_object(text: str, what: str) -> dict[str, Any]:
    """An object; the error says in which line and column."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BenchError(f"{what}, line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except RecursionError:
        raise BenchError(f"{what}: nested too deeply.") from None
    if not isinstance(data, dict):
        raise BenchError(f"{what} must be a JSON object, in braces.")
    return data


def read_history(text: str) -> list[dict[str, str]]:
    """One message a line, "user: …" or "assistant: …"."""
    messages = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        role, colon, content = line.partition(":")
        known = _ROLES.get(role.strip().lower())
        if not colon or known is None:
            raise BenchError(f"Conversation, line {number}: begin it with “user:” or “assistant:”.")
        messages.append({"role": known, "content": content.strip()})
    return messages


def make_payload(message: str, tool_name: str | None, arguments: str, history: str) -> dict[str, Any]:
    payload: dict[str, Any] = {"user_message": message}
    given = read_json_object(arguments, "Arguments") if arguments.strip() else {}
    if tool_name:
        payload["function_call"] = {"name": tool_name, "arguments": given}
    elif given:
        raise BenchError("Arguments need a tool: choose the one that was called.")
    messages = read_history(history)
    if messages:
        payload["conversation_history"] = messages
    return payload


def make_command(payload: Mapping[str, Any]) -> str:
    """Only ASCII inside single quotes: no shell finds anything to expand, and no terminal anything to garble."""
    return f"printf '%s\\n' {shlex.quote(json.dumps(payload))} | python -m engine compose"
