"""A decision in a table cell: the call with its arguments, those that differ marked. Pure; all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from engine.agreement import calls_of
from engine.decision import Decision
from ui.words import ACTION_WORDS

Titles = Mapping[str, str]


def call_html(tool_name: str, arguments: Mapping[str, object], marked: Iterable[str] = (), titles: Titles = {}) -> str:  # noqa: B006 - only read
    """`complete_task` with one line an argument; a marked one differs from what it is held against."""
    names = set(marked)
    head = f'<code class="{"tc-mark" if "tool" in names else "tc-tool"}">{escape(tool_name)}</code>'
    rows = "".join(
        f'<div class="{"tc-mark" if name in names else "tc-argument"}"><span>{escape(name)}</span> '
        f"{escape(titles.get(str(value), str(value)))}</div>"
        for name, value in arguments.items()
    )
    return head + rows


def decision_html(decision: Decision, titles: Titles, differences: Sequence[str] = ()) -> str:
    action = f'<div class="tc-action">{escape(ACTION_WORDS[decision.action])}</div>'
    calls = "".join(call_html(call.tool_name, call.parameters, differences, titles) for call in calls_of(decision))
    return action + (calls or '<div class="tl-muted">no call</div>')


def missing_html(names: Iterable[Any]) -> str:
    """Arguments that the other one has and this one has not."""
    return "".join(f'<div class="tc-mark"><span>{escape(str(name))}</span> nothing</div>' for name in names)
