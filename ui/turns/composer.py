"""What the composer made of a model's call: each argument before and after, and why. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.completing.values import Why
from ui.call_words import show_value
from ui.templates import draw
from ui.words import WHY_WORDS

_HEADS = {
    "completed": "Composer completed the call",
    "needs_clarification": "Composer asks back",
    "failed": "Composer refused",
}


class ComposedRow(NamedTuple):
    name: str
    before: str | None
    after: str | None
    """None: left out."""


class Note(NamedTuple):
    head: str
    why: str
    message: str
    rows: tuple[ComposedRow, ...]


def composer_html(notes: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    return draw("turns/composer", "notes", read_notes(notes, titles))


def read_notes(notes: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> tuple[Note, ...]:
    return tuple(_note(note, titles) for note in notes)


def _note(note: Mapping[str, Any], titles: Mapping[str, str]) -> Note:
    before, after, tool_name = note["before"], note["after"], str(note.get("tool_name") or "")
    kept = note["status"] != "completed" and after
    head = "Composer would ask, the call stands" if kept else _HEADS[note["status"]]
    rows = tuple(
        ComposedRow(name, *(_shown(tool_name, name, each.get(name), titles) for each in (before, after)))
        for name in dict.fromkeys((*before, *after))
    )
    return Note(head, WHY_WORDS[Why(note["why"])], str(note["message"]), rows)


def _shown(tool_name: str, name: str, value: Any, titles: Mapping[str, str]) -> str | None:
    return None if value is None else show_value(tool_name, name, value, titles) or "“”"
