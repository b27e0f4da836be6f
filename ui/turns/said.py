"""What was said in a turn and what was replied, for any chat. No streamlit, nothing decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ui.call_words import show_day
from ui.templates import draw


class ListedView(NamedTuple):
    number: int
    title: str
    due: str
    done: bool


@dataclass(frozen=True, slots=True)
class SaidView:
    turn_id: str
    text: str
    reply: str | None
    """None while it is not known yet."""
    undone: bool
    lists: Sequence[Sequence[ListedView]] = ()
    """The tasks that the reply lists."""
    words: str = ""
    """The model's own, beside the reply."""
    stripped: bool = False
    """Whether its words were taken out, after the time that turns are kept."""


def said_html(said: SaidView) -> str:
    return draw("turns/said", "said", said)


def listed_in(result: Mapping[str, Any]) -> tuple[ListedView, ...]:
    return tuple(
        ListedView(
            task["number"],
            task["title"],
            show_day(task["due_date"]) if task.get("due_date") else "",
            bool(task.get("completed")),
        )
        for task in result["payload"].get("tasks") or ()
    )
