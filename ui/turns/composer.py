"""What the composer made of a model's call: each argument before and after, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from engine.composer.values import Why
from ui.words import WHY_WORDS

_HEADS = {
    "completed": "Composer completed the call",
    "needs_clarification": "Composer asks back",
    "failed": "Composer refused",
}
_NOTHING = '<span class="tl-muted">left out</span>'


def composer_html(notes: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    return "".join(_note(note, titles) for note in notes)


def _note(note: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    before, after = note["before"], note["after"]
    kept = note["status"] != "completed" and after
    head = "Composer would ask, the call stands" if kept else _HEADS[note["status"]]
    why = WHY_WORDS[Why(note["why"])]
    message = str(note["message"])
    rows = "".join(_row(name, before, after, titles) for name in dict.fromkeys((*before, *after)))
    table = f"<table><thead><tr><th></th><th>before</th><th>after</th></tr></thead><tbody>{rows}</tbody></table>"
    return (
        f'<div class="tl-composer"><p title="{escape(message)}"><b>{head}</b>: {escape(why)}</p>'
        f"{table if rows else ''}</div>"
    )


def _row(name: str, before: Mapping[str, Any], after: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    old, new = _shown(before.get(name), titles), _shown(after.get(name), titles)
    mark = "" if old == new else ' class="tl-new"'
    breakable = escape(name).replace("_", "_<wbr>")
    return f"<tr><th scope='row'>{breakable}</th><td>{old}</td><td{mark}>{new}</td></tr>"


def _shown(value: Any, titles: Mapping[str, str]) -> str:
    if value is None:
        return _NOTHING
    return escape(titles.get(str(value), str(value)) or "“”")
