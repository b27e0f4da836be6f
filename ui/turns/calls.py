"""A decision in a table cell: the call with its arguments, those that differ marked. Pure; all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

Titles = Mapping[str, str]


def call_html(
    tool_name: str, arguments: Mapping[str, object], marked: Iterable[str] = (), titles: Titles | None = None
) -> str:
    """`complete_task` with one line an argument; a marked one differs from what it is held against."""
    names = set(marked)
    head = f'<code class="{"tc-mark" if "tool" in names else "tc-tool"}">{escape(tool_name)}</code>'
    rows = "".join(
        f'<div class="{"tc-mark" if name in names else "tc-argument"}"><span>{escape(name)}</span> '
        f"{escape((titles or {}).get(str(value), str(value)))}</div>"
        for name, value in arguments.items()
    )
    return head + rows


def missing_html(names: Iterable[Any]) -> str:
    """Arguments that the other one has and this one has not."""
    return "".join(f'<div class="tc-mark"><span>{escape(str(name))}</span> nothing</div>' for name in names)
