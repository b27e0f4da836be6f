"""Makes the store what was expected, by hand, so that one miss does not drag all later turns down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.play.player import Player
from db.contents import Thing
from evals.conversations.form import AddedTask, Expectation
from evals.conversations.titles import Names

_FIELDS = ("title", "description", "priority", "due_date", "status")
_NO_DATE = "none"


def put_in_step(
    player: Player, before: Mapping[str, Thing], now: Mapping[str, Thing], expectation: Expectation, names: Names
) -> Mapping[str, Thing]:
    """The store afterwards: as before the turn, with the first outcome's changes. A question that is open stays so."""
    wanted = {task_id: dict(thing) for task_id, thing in before.items()}
    for changed in expectation.set:
        for task_id in names.find(changed.task, before)[:1]:
            wanted[task_id] |= _first_forms(changed.fields)
    for forms in expectation.delete:
        for task_id in names.find(forms, before)[:1]:
            wanted.pop(task_id, None)
    for task_id in [each for each in now if each not in wanted]:
        player.do("delete_task", {"task_identifier": task_id})
    for task_id, thing in wanted.items():
        _make(player, thing, now.get(task_id))
    for added in expectation.add:
        _make(player, _new(added), None)
    return player.things


def _new(added: AddedTask) -> Thing:
    usual = {"description": "", "priority": "medium", "due_date": None, "status": "pending"}
    return {**usual, **_first_forms(added.fields)}


def _first_forms(fields: Mapping[str, Any]) -> Thing:
    """Of a title the first form; a note that is `null` is none."""
    first = {name: value[0] if name == "title" else value for name, value in fields.items()}
    return {name: value or "" if name == "description" else value for name, value in first.items()}


def _make(player: Player, wanted: Thing, there: Thing | None) -> None:
    """Make a task what is wanted; None: there is no such task yet."""
    if there is None:
        known = set(player.things)
        player.do("add_task", {name: wanted[name] for name in _FIELDS if name != "status" and wanted[name] is not None})
        there = next(thing for task_id, thing in player.things.items() if task_id not in known)
    changes = {f"new_{name}": wanted[name] for name in _FIELDS if wanted[name] != there[name]}
    if changes.get("new_due_date", "") is None:
        changes["new_due_date"] = _NO_DATE
    if changes:
        player.do("update_task", {"task_identifier": there["id"], **changes})
