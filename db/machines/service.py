"""The machine service: everything one user can do with their machines, inside the caller's transaction.

Every query names the user. Rows do not leave the room, except to `db.machines.tools` beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, func, or_, select

from db.changes import Change
from db.failures import ToolFailure
from db.machines.images import MachineSnapshot, make_machine_image, make_snapshot, put_state
from db.machines.models import CommandRow, MachineRow, MetricRow
from db.tasks.service import Clock
from db.text import serial_key
from db.users import User
from engine.text.folding import fold, split_words
from engine.values import ErrorKind

VALUE = "$value"
_LOOKED_AT = 6
_SHOWN_NAMES = 5


@dataclass(frozen=True, slots=True)
class MachineQuery:
    place: str | None = None
    connected: bool | None = None
    search: str | None = None
    limit: int | None = None
    offset: int = 0
    state: str | None = None
    """`on` and `off` of the whole machine, or of a part: `light on`."""


class MachineService:
    def __init__(self, session: Session, user: User, clock: Clock) -> None:
        self.session = session
        self._user = user
        self.clock = clock
        self.changes: list[Change] = []
        """What was done through this service, for the audit trail."""

    # Reading

    def get(self, device_id: str | None, device_name: str | None) -> MachineRow:
        """The one machine meant; several are never guessed between."""
        if not device_id and not device_name:
            raise ToolFailure(ErrorKind.MISSING_ARGUMENT, "Say which machine: give device_id or device_name.")
        found = [self._resolve(said) for said in (device_id, device_name) if said]
        if len({row.id for row in found}) > 1:
            names = " and ".join(row.name for row in found)
            raise ToolFailure(ErrorKind.SEVERAL_MATCHES, f"device_id and device_name are two machines: {names}.")
        return found[0]

    def find_all(self, query: MachineQuery) -> tuple[MachineSnapshot, ...]:
        rows = self._own().where(*self._conditions(query)).order_by(col(MachineRow.name_key), col(MachineRow.id))
        return tuple(make_snapshot(row) for row in self.session.exec(rows.limit(query.limit).offset(query.offset)))

    def count(self, query: MachineQuery) -> int:
        counted = select(func.count()).select_from(MachineRow).where(MachineRow.user_id == self._user.id)
        return self.session.exec(counted.where(*self._conditions(query))).one()

    def commands_of(self, machine_id: str) -> Sequence[CommandRow]:
        rows = select(CommandRow).where(CommandRow.machine_id == machine_id)
        return self.session.exec(rows.order_by(col(CommandRow.position))).all()

    def metrics_of(self, machine_id: str) -> Sequence[MetricRow]:
        rows = select(MetricRow).where(MetricRow.machine_id == machine_id)
        return self.session.exec(rows.order_by(col(MetricRow.position))).all()

    # Changing

    def run(self, row: MachineRow, command: CommandRow, value: float | None) -> bool:
        """Carry the command out; False where the machine already was as asked."""
        _check_value(row, command, value)
        if not row.connected:
            message = f"{row.name} is not connected, so {command.name} could not be sent. Nothing was changed."
            raise ToolFailure(ErrorKind.NOT_CONNECTED, message)
        before = make_machine_image(row)
        said = {key: _text(value) if text == VALUE else text for key, text in command.effect.items()}
        state = {**row.state, **said}
        if state == row.state:
            return False
        put_state(self.session, row, state, self.clock())
        self.changes.append(Change(row.id, before, make_machine_image(row), "machine"))
        return True

    # Inside

    def _own(self) -> Any:
        return select(MachineRow).where(MachineRow.user_id == self._user.id)

    def _resolve(self, said: str) -> MachineRow:
        key = fold(said)
        serial = MachineRow.serial_key == serial_key(said)
        steps = (MachineRow.id == said, serial, MachineRow.name_key == key, *_partial(key))
        for condition in steps:
            found = self.session.exec(self._own().where(condition).limit(_LOOKED_AT)).all()
            if len(found) == 1:
                return found[0]  # type: ignore[no-any-return]
            if found:
                raise ToolFailure(ErrorKind.SEVERAL_MATCHES, _several(said, found))
        raise ToolFailure(ErrorKind.NOT_FOUND, f"No machine found matching '{_short(said)}'.")

    def _conditions(self, query: MachineQuery) -> list[Any]:
        conditions: list[Any] = []
        if query.place:
            conditions.append(col(MachineRow.place_key) == fold(query.place))
        if query.connected is not None:
            conditions.append(col(MachineRow.connected).is_(query.connected))
        if query.state:
            conditions.append(_is_in_state(query.state))
        columns = (MachineRow.name_key, MachineRow.serial_key, MachineRow.place_key)
        for word in split_words(query.search or ""):
            folded = (col(column).contains(word, autoescape=True) for column in columns)
            conditions.append(or_(*folded, col(MachineRow.description).icontains(word, autoescape=True)))
        return conditions


def _is_in_state(said: str) -> Any:
    """A defrost that runs is on, one that is idle is off; any other value is compared as it is."""
    *part, value = split_words(said) or ("",)
    key = "_".join(part) or _WHOLE
    values = next((same for same in _SAME_STATE if value in same), (value,))
    return or_(*(col(MachineRow.state)[key].as_string() == each for each in values))


_WHOLE = "power"
_SAME_STATE = (("on", "running", "open"), ("off", "idle", "closed"))


def find_command(commands: Sequence[CommandRow], machine: str, command_id: str | None, name: str | None) -> CommandRow:
    """By id or by name, "turn on light" as good as "turn_on_light"."""
    said = [text for text in (command_id, name) if text]
    if not said:
        raise ToolFailure(ErrorKind.MISSING_ARGUMENT, "Say which command: give machine_command_id or command_name.")
    found = [each for text in said for each in commands if each.id == text or each.name == _command_name(text)]
    if len({each.id for each in found}) > 1:
        names = " and ".join(each.name for each in found)
        raise ToolFailure(ErrorKind.SEVERAL_MATCHES, f"machine_command_id and command_name are two commands: {names}.")
    if len(found) < len(said):
        known = ", ".join(each.name for each in commands) or "none"
        message = f"{machine} has no command '{_short(said[-1])}'. It has: {known}."
        raise ToolFailure(ErrorKind.NOT_FOUND, message)
    return found[0]


def _command_name(text: str) -> str:
    return "_".join(split_words(text))


def _check_value(row: MachineRow, command: CommandRow, value: float | None) -> None:
    if command.minimum is None or command.maximum is None:
        if value is not None:
            raise ToolFailure(ErrorKind.INVALID_VALUE, f"{command.name} of {row.name} takes no value.")
        return
    span = f"{_text(command.minimum)} to {_text(command.maximum)} {command.unit}".strip()
    if value is None:
        raise ToolFailure(ErrorKind.MISSING_ARGUMENT, f"{command.name} of {row.name} needs a value: {span}.")
    if not math.isfinite(value) or not command.minimum <= value <= command.maximum:
        shown = _text(value) if math.isfinite(value) else value
        raise ToolFailure(
            ErrorKind.INVALID_VALUE, f"{shown} is out of range for {row.name}: {command.name} takes {span}."
        )


def _partial(key: str) -> list[Any]:
    """The words said stand in the name, in any order."""
    words = split_words(key)
    return [_all(col(MachineRow.name_key).contains(word, autoescape=True) for word in words)] if words else []


def _all(conditions: Any) -> Any:
    first, *rest = conditions
    for condition in rest:
        first = first & condition
    return first


def _several(said: str, rows: Sequence[MachineRow]) -> str:
    names = ", ".join(f"{row.name} ({row.serial})" for row in rows[:_SHOWN_NAMES])
    more = " and others" if len(rows) > _SHOWN_NAMES else ""
    return f"Several machines match '{_short(said)}': {names}{more}. Please be more specific."


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


def _text(value: float | None) -> str:
    """Without a needless ".0": 4, 4.5."""
    return f"{value:g}" if value is not None else ""
