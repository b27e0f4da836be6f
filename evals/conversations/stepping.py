"""Makes the store what was expected, by hand, so that one miss does not drag all later turns down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.play.player import Player
from db.contents import KeptThing
from engine.catalogue.facts import Effect, ToolFacts, base_name
from evals.conversations.form import AddedTask, Expectation
from evals.conversations.titles import Names

_NO_DATE = "none"


def put_in_step(
    player: Player,
    before: Mapping[str, KeptThing],
    now: Mapping[str, KeptThing],
    expectation: Expectation,
    names: Names,
) -> Mapping[str, KeptThing]:
    """The store afterwards: as before the turn, with the first outcome's changes. A question that is open stays so."""
    wanted = {task_id: dict(thing) for task_id, thing in before.items()}
    for changed in expectation.set:
        for task_id in names.find(changed.task, before)[:1]:
            wanted[task_id] |= _first_forms(changed.fields)
    for forms in expectation.delete:
        for task_id in names.find(forms, before)[:1]:
            wanted.pop(task_id, None)
    for task_id in [each for each in now if each not in wanted]:
        removing = _find_tool(player, "remove")
        player.do(removing.name, {removing.target: task_id})
    for task_id, thing in wanted.items():
        _make(player, thing, now.get(task_id))
    for added in expectation.add:
        _make(player, _new(added), None)
    return player.things


def _new(added: AddedTask) -> KeptThing:
    usual = {"description": "", "priority": "medium", "due_date": None, "status": "pending"}
    return {**usual, **_first_forms(added.fields)}


def _first_forms(fields: Mapping[str, Any]) -> KeptThing:
    """Of a title the first form; a note that is `null` is none."""
    first = {name: value[0] if name == "title" else value for name, value in fields.items()}
    return {name: value or "" if name == "description" else value for name, value in first.items()}


def _make(player: Player, wanted: KeptThing, there: KeptThing | None) -> None:
    """Make a task what is wanted; None: there is no such task yet."""
    if there is None:
        known = set(player.things)
        adding = _find_tool(player, "add")
        given = {argument: wanted[base_name(argument)] for argument in adding.reads}
        player.do(adding.name, {argument: value for argument, value in given.items() if value is not None})
        there = next(thing for task_id, thing in player.things.items() if task_id not in known)
    changing = _find_tool(player, "change")
    names = {argument: base_name(argument) for argument in changing.reads}
    changes = {argument: wanted[name] for argument, name in names.items() if wanted[name] != there[name]}
    date = changing.argument("date")
    if changes.get(date, "") is None:
        changes[date] = _NO_DATE
    if changes:
        player.do(changing.name, {changing.target: there["id"], **changes})


def _find_tool(player: Player, effect: Effect) -> ToolFacts:
    return next(facts for facts in player.domain.catalogue.tools if facts.effect == effect)
