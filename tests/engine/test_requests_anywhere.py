"""Plain requests, after each kind of thing that can be done or asked: they come to the same everywhere.

A request that says all that is needed does not hang on what was said before it. To begin a conversation with, something
likely may be offered instead of done; a question that waits is no reason to do something else.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Message, Pending
from engine.policy.yaml_text import read_own_yaml
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, ToolCall, make_call

NOW = datetime(2026, 10, 22, 9)  # noqa: DTZ001 - a wall clock, as the Context has it, on a Thursday
_REQUESTS: dict[str, Any] = read_own_yaml((Path(__file__).parent / "requests_anywhere.yaml").read_text("utf-8"))
_TASKS = {
    language: tuple(
        Task(str(number), number, title, due_date=due, priority=priority or "medium")
        for number, (title, due, priority) in enumerate(tasks, start=1)
    )
    for language, tasks in _REQUESTS["tasks"].items()
}
_DELETE = make_call("delete_task", {"task_identifier": "4"}, "rules")
_BEFORE: dict[str, tuple[tuple[ToolCall, ...], tuple[str, ...]]] = {
    "nothing": ((), ()),
    "added": ((make_call("add_task", {"title": "🥖", "due_date": "2026-10-23"}, "rules"),), ("10",)),
    "changed": ((make_call("update_task", {"task_identifier": "7", "new_priority": "low"}, "rules"),), ("7",)),
    "finished": ((make_call("complete_task", {"task_identifier": "3"}, "rules"),), ("3",)),
    "listed": ((make_call("list_tasks", {"due": "this_week"}, "rules"),), ("6", "1", "8")),
    "asked": ((), ("4",)),
}


def _decide(text: str, language: str, before: str) -> Decision:
    calls, named = _BEFORE[before]
    history = (Message("user", "…"), Message("assistant", "…", named, calls)) if named else ()
    asked = Pending("confirm", "delete_task", _DELETE, question="?") if before == "asked" else None
    added = (Task("10", 10, _REQUESTS["added"][language], due_date="2026-10-23"),) if before == "added" else ()
    tasks = MemoryIndex((*_TASKS[language], *added))
    return make_engine().decide(text, Context(tasks, NOW, history, asked, language=language))


def _told(call: ToolCall) -> list[Any]:
    values = {name: value for name, value in call.parameters.items() if value is not None}
    return [call.tool_name, {name: values[name] for name in sorted(values)}]


def _cases() -> list[tuple[str, str, list[Any]]]:
    return [(language, say, calls) for language in ("en", "it") for say, calls in _REQUESTS[language].items()]


@pytest.mark.parametrize(("language", "say", "wanted"), _cases())
def test_a_request_comes_to_the_same_anywhere(language: str, say: str, wanted: list[Any]) -> None:
    for before in _BEFORE:
        decision = _decide(say, language, before)
        calls = [_told(call) for call in decision.calls]
        if before == "nothing" and not calls and decision.pending:
            calls = [_told(call) for call in (decision.pending.call, *decision.pending.then)]
        assert calls == wanted, f"after {before}: {decision.message}"
