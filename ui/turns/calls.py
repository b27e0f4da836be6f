"""A call in a table cell: the tool with its arguments, those that differ marked. No streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ui.call_words import show_value

Titles = Mapping[str, str]


class ShownArgument(NamedTuple):
    name: str
    value: str
    marked: bool


class ShownCall(NamedTuple):
    """`complete_task` with one line an argument; what is marked differs from what it is held against."""

    tool_name: str
    marked: bool
    arguments: tuple[ShownArgument, ...]


def show_call(
    tool_name: str, arguments: Mapping[str, object], marked: Iterable[str] = (), titles: Titles | None = None
) -> ShownCall:
    names = set(marked)
    shown = (
        ShownArgument(name, show_value(tool_name, name, value, titles), name in names)
        for name, value in arguments.items()
    )
    return ShownCall(tool_name, "tool" in names, tuple(shown))
