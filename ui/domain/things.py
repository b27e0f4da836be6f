"""A domain's things as a table, with what the last turn changed marked. No streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from db.turns.turns import StoredTurn
from engine.items import Item
from ui.templates import draw

_MOST_FIELDS = 2


class ThingRow(NamedTuple):
    number: int
    title: str
    about: str
    mark: str
    """What the last turn did to it."""
    settled: bool


def things_html(items: Sequence[Item], settled_status: str, last: StoredTurn | None, total: int, label: str) -> str:
    changed = changed_in(last)
    rows = [
        ThingRow(item.number, item.title, _about(item), changed.get(item.id, ""), item.status == settled_status)
        for item in items
    ]
    return draw("domain/things", "things", rows, f"{total - len(items):,}" if total > len(items) else "", label)


def changed_in(turn: StoredTurn | None) -> dict[str, str]:
    results = turn.results if turn else ()
    return {str(result["payload"].get("item_id")): "changed" for result in results if result["audit_id"]}


def _about(item: Item) -> str:
    told = [str(value) for value in item.fields.values() if isinstance(value, str | int | float)]
    return " · ".join([*told[:_MOST_FIELDS], item.status.replace("_", " ")])
