"""What came of a line: said, decided, offered, changed, shown, and the store as it is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from assistant.buttons import Button
from db.contents import KeptThing
from db.turns.turns import StoredTurn
from engine.border.json_form import to_json
from engine.border.wire import write_decision
from engine.decision import Decision, Pending
from engine.domain import Catalogue

_NAMES = ("id", "number", "title")
_LISTS = ("tasks", "machines", "items")
"""Under which names a result has what it lists."""


class PlayedChange(NamedTuple):
    op: Literal["add", "set", "delete"]
    task: KeptThing
    """What people know it by."""
    before: KeptThing
    after: KeptThing
    """What differs; on one side everything where it is new or gone."""


@dataclass(frozen=True, slots=True)
class Answer:
    things: Mapping[str, KeptThing]
    """The whole store after the turn."""
    changes: tuple[PlayedChange, ...] = ()
    buttons: tuple[Button, ...] = ()
    pending: Pending | None = None
    decision: Decision | None = None
    """None where a person did something by hand."""
    lane: str = ""
    reply: str = ""
    shown: tuple[str, ...] = ()
    """Ids in the order shown."""
    listed: bool = False
    """Whether a list was shown, also an empty one."""

    @property
    def act(self) -> str:
        return str(getattr(self.decision, "act", ""))


def compare_contents(before: Mapping[str, KeptThing], after: Mapping[str, KeptThing]) -> tuple[PlayedChange, ...]:
    """What was changed between the two, by id: what was there first, then what is new."""
    changes = [_compare(before.get(each), after.get(each)) for each in {**before, **after}]
    return tuple(change for change in changes if change)


def _compare(before: KeptThing | None, after: KeptThing | None) -> PlayedChange | None:
    if before is None or after is None:
        known = after or before or {}
        return PlayedChange("add" if after else "delete", _known_by(known), _fields(before or {}), _fields(after or {}))
    differing = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if not differing:
        return None
    old, new = ({name: thing.get(name) for name in differing} for thing in (before, after))
    return PlayedChange("set", _known_by(after), old, new)


def _known_by(thing: KeptThing) -> KeptThing:
    return {name: thing[name] for name in _NAMES if name in thing}


def _fields(thing: KeptThing) -> KeptThing:
    return {name: value for name, value in thing.items() if name not in ("id", "number")}


def find_shown(turn: StoredTurn, pending: Pending | None) -> tuple[tuple[str, ...], bool]:
    """What the reply showed: lists, or else what can be chosen from. And whether there was a list."""
    payloads = [result["payload"] for result in turn.results]
    lists = [payload[name] for payload in payloads for name in _LISTS if isinstance(payload.get(name), list)]
    if lists:
        return tuple(dict.fromkeys(str(each["id"]) for listed in lists for each in listed)), True
    return (pending.options if pending else ()), False


def write_answer(answer: Answer, catalogue: Catalogue) -> dict[str, Any]:
    decision = answer.decision
    return {
        "reply": answer.reply,
        "action": decision.action if decision else "",
        "act": answer.act,
        "intent": decision.intent if decision else "",
        "reason": str(decision.reason) if decision else "",
        "lane": answer.lane,
        "calls": write_decision(decision, catalogue)["calls"] if decision else [],
        "offered": labels(answer.buttons),
        "pending": to_json(answer.pending) if answer.pending else None,
        "changes": [change._asdict() for change in answer.changes],
        "shown": list(answer.shown),
        "tasks": list(answer.things.values()),
    }


def labels(buttons: Sequence[Button]) -> list[str]:
    return [button.label for button in buttons]
