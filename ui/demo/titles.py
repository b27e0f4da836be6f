"""What the ids in a turn stand for. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping

from ui.turns.card import TurnView


def bare_titles(view: TurnView) -> Mapping[str, str]:
    """Ids of what the deciders saw -> its name alone: "Buy milk", "Frigo Cucina", "turn_on_light"."""
    machines = view.turn.context.get("machines") or ()
    commands = (command for machine in machines for command in machine.get("commands") or ())
    return {
        **{str(task["id"]): str(task.get("title")) for task in view.turn.context.get("tasks") or ()},
        **{str(each["id"]): str(each["name"]) for each in (*machines, *commands)},
    }
