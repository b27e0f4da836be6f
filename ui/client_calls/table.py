"""The calls of MCP clients as a table: when, who, what was asked, what came of it. No streamlit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from db.clients.calls import ClientCall
from engine.values import ErrorKind
from ui.counting import count_of
from ui.templates import draw
from ui.words import REASON_WORDS, WHY_WORDS, name_action, name_intent

_MOST_VALUE = 90
_REASONS: dict[str, str] = {
    **{str(code): words for code, words in REASON_WORDS.items()},
    **{str(code): words for code, words in WHY_WORDS.items()},
}


class ClientCallRow(NamedTuple):
    when: str
    client: str
    tool_name: str
    arguments: str
    look: str
    mark: str
    words: str


def calls_html(calls: Sequence[ClientCall], now: datetime) -> str:
    return draw("client_calls/table", "calls", [_row(call, now) for call in calls])


def _row(call: ClientCall, now: datetime) -> ClientCallRow:
    arguments = ", ".join(f"{name}: {_value(value)}" for name, value in call.arguments.items())
    return ClientCallRow(_when(call.at, now), call.client, call.tool_name, arguments, *result_words(call))


def result_words(call: ClientCall) -> tuple[str, str, str]:
    """How it looks (done, asked, failed), the sign for it, and what came of it in a few words."""
    result = call.result
    if call.error is ErrorKind.NEEDS_CONFIRMATION:
        return "asked", "?", f"asked before deleting {_task(result)}"
    if call.error is ErrorKind.NEEDS_CLARIFICATION:
        return "asked", "?", call.message or "asked which one"
    if call.error:
        return "failed", "✗", call.message or str(call.error)
    if "task_ids" in result:
        return "done", "✓", _tell_list(result, "task")
    if "machine_ids" in result:
        return "done", "✓", _tell_list(result, "machine")
    if "device_name" in result:
        return "done", "✓", f"{result['device_name']}{_what(result)}"
    if "outcome" in result:
        return "done", "✓", f"{result['outcome'].replace('_', ' ')}: {_why(result)}"
    if "reason" in result:
        return "done", "✓", _tell_decision(result)
    return "done", "✓", _task(result) if "title" in result else str(result.get("name", "done"))


def _tell_list(result: Any, one: str) -> str:
    return f"{result.get('count')} of {count_of(int(result.get('total') or 0), one)}"


def _tell_decision(result: Any) -> str:
    return f"{name_intent(str(result.get('intent')))}: {name_action(result.get('action'))}, {_why(result)}"


def _why(result: Any) -> str:
    return _REASONS.get(str(result["reason"]), str(result["reason"]))


def _what(result: Any) -> str:
    """The command that was run, or what was read."""
    if "command" in result:
        return f": {str(result['command']).replace('_', ' ')}"
    metrics = result.get("metrics") or []
    read = [f"{each['metric']} {each['value']} {each['unit']}" for each in metrics if isinstance(each, dict)]
    return f": {', '.join(read[:2])}" if read else ""


def _task(result: Any) -> str:
    return f"#{result.get('number')} {result.get('title')}"


def _value(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_VALUE else text[: _MOST_VALUE - 1] + "…"


def _when(at: datetime, now: datetime) -> str:
    local = at.astimezone(now.tzinfo)
    return local.strftime("%H:%M:%S" if local.date() == now.date() else "%-d %b, %H:%M")
