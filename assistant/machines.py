"""A person's turns with their machines: composed, carried out, told in one answer, learned from and kept."""

from __future__ import annotations

import threading
import uuid
import weakref
from collections.abc import Callable, Sequence

from assistant.machine_composing import Scene, compose_choice, compose_message, compose_suggestion
from assistant.machine_values import Composed, read_next_actions, read_waiting, record_composed, record_ran
from assistant.turn_values import TurnNotRecordedError
from db.audit import Origin
from db.composer_choices import read_learned, record_choice
from db.connection import Database, Session
from db.executor import Executor
from db.failures import StoreUnavailableError, ToolFailure
from db.fleet import load_fleet
from db.machine_turns import MachineTurn, add_machine_turn, find_machine_turn, read_machine_turns
from db.tasks import Clock
from db.users import User
from domains.machines.composing.next_actions import suggest_next
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.report import report_machines, say_cancelled
from engine.border.composition_record import write_suggestion
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings, Suggestion
from engine.conduct import Ran
from engine.decision import Message
from engine.values import ErrorKind, ToolCall

DECIDER = "composer"
_HISTORY_TURNS = 12
_MOST_NEXT = 3
_GONE = "That question is no longer open. Please say it again."


class _Door:
    """One at a time, please: two tabs must not answer the same question twice."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


_doors: weakref.WeakValueDictionary[str, _Door] = weakref.WeakValueDictionary()


class MachineAssistant:
    def __init__(
        self, database: Database, user: User, clock: Clock, settings: ComposerSettings = DEFAULT_SETTINGS
    ) -> None:
        self._database, self._user = database, user
        self._executor = Executor(database, user, clock)
        self._settings = settings

    def run_turn(self, text: str) -> str:
        """What somebody wrote: a request, or the answer to the question that waits. Returns the turn's id."""

        def read(scene: Scene, turns: Sequence[MachineTurn]) -> Composed:
            return compose_message(text, read_waiting(turns[-1] if turns else None), scene)

        text = text.encode("utf-8", "replace").decode()  # no store keeps a lone surrogate
        return self._run(text, read)

    def run_choice(self, turn_id: str, place: int) -> str:
        """A click on one of the suggestions of the last turn."""

        def read(scene: Scene, turns: Sequence[MachineTurn]) -> Composed:
            last = turns[-1] if turns else None
            waiting = read_waiting(last)
            if last is None or waiting is None or last.id != turn_id:
                raise ToolFailure(ErrorKind.CONFLICT, _GONE)
            return compose_choice(waiting, waiting.composition.suggestions[place], scene)

        with self._database.read() as session:
            label = str(self._own_turn(session, turn_id).composition["suggestions"][place]["label"])
        return self._run(label, read)

    def run_next(self, turn_id: str, place: int) -> str:
        """A click on one of the actions that were offered after a turn."""
        with self._database.read() as session:
            turn = self._own_turn(session, turn_id)
        suggestion, language = read_next_actions(turn)[place], turn.composition["language"]
        return self._run(suggestion.label, lambda scene, _turns: compose_suggestion(suggestion, language, scene))

    def _own_turn(self, session: Session, turn_id: str) -> MachineTurn:
        turn = find_machine_turn(session, self._user.id, turn_id)
        if turn is None:
            raise ToolFailure(ErrorKind.NOT_FOUND, _GONE)
        return turn

    def _run(self, text: str, read: Callable[[Scene, Sequence[MachineTurn]], Composed]) -> str:
        door = _doors.setdefault(self._user.id, _Door())
        with door.lock:
            with self._database.read() as session:
                turns = read_machine_turns(session, self._user.id, limit=_HISTORY_TURNS)
                scene = Scene(
                    load_fleet(session, self._user.id),
                    _history(turns),
                    read_learned(session, self._user.id),
                    self._settings,
                )
            composed = read(scene, turns)
            turn_id = str(uuid.uuid4())
            ran = self._carry_out(composed, turn_id, scene.fleet)
            self._keep(turn_id, text, composed, ran, scene.fleet)
        return turn_id

    def _carry_out(self, composed: Composed, turn_id: str, fleet: MemoryFleet) -> list[Ran]:
        """Run what is complete; one undo takes all of it back."""
        calls = [each.call for each in composed.composition.calls]
        if composed.composition.status != "completed":
            return []
        origin = Origin(DECIDER, None, turn_id, str(uuid.uuid4()) if len(calls) > 1 else None)
        return [Ran(call, self._executor.execute(call, origin), _machine_name(call, fleet)) for call in calls]

    def _keep(self, turn_id: str, text: str, composed: Composed, ran: Sequence[Ran], fleet: MemoryFleet) -> None:
        composition = composed.composition
        if composed.cancelled:
            reply = say_cancelled(composition.language)
        else:
            reply = report_machines(ran, composition.language) if ran else composition.message
        try:
            with self._database.write() as session:
                if composed.learned:
                    record_choice(session, self._user.id, *composed.learned)
                add_machine_turn(
                    session,
                    self._user.id,
                    turn_id=turn_id,
                    text=text,
                    composition=record_composed(composed),
                    results=[record_ran(each) for each in ran],
                    reply=reply,
                    next_actions=[write_suggestion(each) for each in _next_actions(ran, fleet, composed)],
                )
        except StoreUnavailableError as error:
            if any(each.result.ok for each in ran):
                raise TurnNotRecordedError(reply) from error
            raise


def _history(turns: Sequence[MachineTurn]) -> tuple[Message, ...]:
    return tuple(
        message for turn in turns for message in (Message("user", turn.text), Message("assistant", turn.reply))
    )


def _machine_name(call: ToolCall, fleet: MemoryFleet) -> str:
    machine = fleet.find_by_id(str(call.parameters.get("device_id", "")))
    return machine.name if machine else str(call.parameters.get("device_name", ""))


def _next_actions(ran: Sequence[Ran], fleet: MemoryFleet, composed: Composed) -> list[Suggestion]:
    found: dict[str, Suggestion] = {}
    done = [(each.call.tool_name, each.call.parameters) for each in ran]
    for each in ran:
        machine = fleet.find_by_id(str(each.result.payload.get("device_id", "")))
        if machine and each.result.ok:
            offered = suggest_next(each.call, each.result.payload, machine, composed.composition.language)
            found |= {way.label: way for way in offered if (way.tool_name, dict(way.value)) not in done}
    return list(found.values())[:_MOST_NEXT]
