"""What can be pressed under the last turn: answers to its question, and what people often do next.

Pressing a button says its words, so that an answer reads the same whether it was pressed or typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from assistant.taking_back import is_cut_off
from db.turns.turns import StoredTurn
from engine.decision import Pending

Weight = Literal["primary", "secondary", "tertiary"]
LONGEST_LABEL = 60


class Button(NamedTuple):
    label: str
    says: str
    weight: Weight = "secondary"
    """How much it stands out."""
    declines: bool = False
    """Whether it says no."""


def answers_to(turn: StoredTurn, pending: Pending | None) -> tuple[Button, ...]:
    """For the question that the turn left open. `turn` is whole: its context has the titles."""
    if pending is None or turn.lane is None:
        return ()
    if pending.kind == "confirm":
        return Button("Yes", "yes", "primary"), Button("No", "no", declines=True)
    if pending.choices:
        return _with_none_of_them([Button(each.label[:LONGEST_LABEL], each.label) for each in pending.choices])
    if pending.kind != "choose":
        return ()
    seen = {str(task["id"]): task for task in turn.context.get("tasks") or ()}
    chosen = [seen[task_id] for task_id in pending.options if task_id in seen]
    return _with_none_of_them(
        [Button(f"#{task['number']} {str(task['title'])[:LONGEST_LABEL]}", f"#{task['number']}") for task in chosen]
    )


def going_on(turn: StoredTurn) -> tuple[Button, ...]:
    """For a turn that was cut off: its words again, which are taken as going on with it. Beside it stands Undo."""
    return (Button("Go on", turn.text, "primary"),) if is_cut_off(turn) else ()


def offers_of(turn: StoredTurn) -> tuple[Button, ...]:
    """What people often do next."""
    labels = [str(offer["label"]) for offer in turn.offers]
    return tuple(Button(label[:LONGEST_LABEL], label, "tertiary") for label in labels)


def _with_none_of_them(buttons: Sequence[Button]) -> tuple[Button, ...]:
    return *buttons, Button("None of them", "no", "tertiary", declines=True)
