"""Holds one conversation after the other, each on a store of its own: says, presses, takes back, and does by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from assistant.buttons import Button, answers_to, going_on, offers_of
from assistant.play.answer import Answer, compare_contents, find_shown, labels
from assistant.play.lanes import configured_lanes
from assistant.play.start import Start
from assistant.taking_back import PERSON, changes_in, is_undone, take_back
from assistant.turn_values import Lanes
from assistant.turns import Assistant
from db.audit import Origin, find_undone
from db.connection import Session
from db.contents import KeptThing, load_starting_things, read_contents
from db.executor import Executor
from db.seed import set_up_tasks
from db.temporary import TemporaryStore
from db.turns.conversations import find_conversation, start_conversation
from db.turns.turns import StoredTurn, get_turn, read_decisions, read_turns
from db.users import create_user
from domains.loading import load_domain
from engine.border.json_form import from_json
from engine.decider import DECIDER_NAME
from engine.decision import Decider, Decision, Pending
from engine.values import ToolResult, make_call

UNDO = "Undo"
_BETWEEN_TASKS = timedelta(minutes=1)
_SET_UP_BEFORE = timedelta(days=1)
"""What is there at the start was put there the day before, one after the other: the last one is the latest."""


class PlayError(ValueError):
    """Something that cannot be done here, in words for whoever asked for it."""


class Player:
    """One conversation; `start` begins the next. The clock stands, but for a second a turn."""

    def __init__(
        self,
        store: TemporaryStore,
        start: Start | None = None,
        engine: Decider | None = None,
        lanes: Lanes | None = None,
    ) -> None:
        """`engine` decides in place of the domain's own, and alone; `lanes` decide in place of the settings'."""
        self._store = store
        self._given = lanes or (Lanes(engine) if engine else None)
        self.start(start or Start())

    def start(self, start: Start) -> Mapping[str, KeptThing]:
        """The store it begins with."""
        self._store.begin_anew()
        self.id, self._now = start.id, start.moment
        self.domain, self._driver = load_domain(start.domain), start.driver
        self._lanes = self._given or configured_lanes(self.domain, start.driver)
        database = self._store.database
        with database.write() as session:
            self._user = create_user(session, start.user)
            self._conversation_id = start_conversation(session, self._user.id, domain=start.domain)
            tasks = [task.model_dump() for task in start.tasks]
            set_up_tasks(session, self._user, tasks, _moments(len(tasks), self._now))
        load_starting_things(database, self._user, self._clock, start.domain)
        self._assistant = Assistant(database, self._user, self._clock, self.domain, start.lang)
        self._executor = Executor(database, self._user, self._clock)
        with database.read() as session:
            self.things = self._read_things(session)
        self._buttons: tuple[Button, ...] = ()
        return self.things

    def say(self, text: str) -> Answer:
        self._tick()
        begun = self._assistant.begin_turn(self._conversation_id, text, self._driver, self._lanes)
        if begun.waits or not self._lanes.llm:
            self._assistant.finish_turn(begun)
        else:
            self._assistant.leave_llm_out(begun)
        with self._store.database.read() as session:
            turn = get_turn(session, self._user.id, begun.id)
            decision = begun.engine if turn.lane == DECIDER_NAME else self._read_decision(session, turn)
            return self._answer(session, turn, decision)

    def press(self, label: str) -> Answer:
        if label == UNDO:
            return self.undo()
        found = next((button for button in self._buttons if label in (button.label, button.says)), None)
        if found is None:
            there = ", ".join(map(repr, labels(self._buttons))) or "none"
            raise PlayError(f"there is no button {label!r}; there are: {there}")
        return self.say(found.says)

    def undo(self) -> Answer:
        """The lowest Undo on the page: under the latest turn whose changes still stand."""
        self._tick()
        with self._store.database.read() as session:
            turn = next(iter(reversed(self._standing(session))), None)
        result = take_back(self._executor, turn) if turn else None
        if result is None:
            raise PlayError("there is nothing to undo")
        return self._by_hand(result)

    def do(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """A change that the person makes by hand, as on the Tasks page."""
        self._tick()
        return self._by_hand(self._executor.execute(make_call(name, arguments, PERSON), Origin(PERSON)))

    def mark(self) -> tuple[bytes, Any]:
        """Where the conversation stands, for `put_back`."""
        return self._store.mark(), (self._now, self.things, self._buttons)

    def put_back(self, mark: tuple[bytes, Any]) -> None:
        self._store.put_back(mark[0])
        self._now, self.things, self._buttons = mark[1]

    def _by_hand(self, result: ToolResult) -> Answer:
        if not result.ok:
            raise PlayError(result.error_message)
        with self._store.database.read() as session:
            turn = next(iter(read_turns(session, self._user.id, self._conversation_id, limit=1)), None)
            return self._answer(session, turn)

    def _answer(self, session: Session, turn: StoredTurn | None, decision: Decision | None = None) -> Answer:
        """`decision`: what the turn came to; None: something was done by hand after it."""
        before, self.things = self.things, self._read_things(session)
        pending = self._read_pending(session)
        self._buttons = self._read_buttons(session, turn, pending) if turn else ()
        answer = Answer(self.things, compare_contents(before, self.things), self._buttons, pending, lane=PERSON)
        if turn is None or decision is None:
            return answer
        shown, listed = find_shown(turn, decision.pending)
        said = turn.reply or ""
        return replace(answer, decision=decision, lane=turn.lane or "", reply=said, shown=shown, listed=listed)

    def _read_decision(self, session: Session, turn: StoredTurn) -> Decision:
        """What the lane that acted decided."""
        return from_json(
            Decision, read_decisions(session, self._user.id, [turn.id])[turn.id][turn.lane or DECIDER_NAME]
        )

    def _read_buttons(self, session: Session, turn: StoredTurn, pending: Pending | None) -> tuple[Button, ...]:
        undone = is_undone(turn, find_undone(session, self._user.id, changes_in(turn)))
        return answers_to(turn, pending) + (() if undone else going_on(turn) + offers_of(turn))

    def _standing(self, session: Session) -> list[StoredTurn]:
        turns = read_turns(session, self._user.id, self._conversation_id)
        undone = find_undone(session, self._user.id, [change for turn in turns for change in changes_in(turn)])
        return [turn for turn in turns if changes_in(turn) and not is_undone(turn, undone)]

    def _read_pending(self, session: Session) -> Pending | None:
        conversation = find_conversation(session, self._user.id, self._conversation_id)
        return from_json(Pending, conversation.pending) if conversation and conversation.pending else None

    def _read_things(self, session: Session) -> dict[str, KeptThing]:
        return read_contents(session, self._user, self._clock, self.domain.name)

    def _clock(self) -> datetime:
        return self._now

    def _tick(self) -> None:
        self._now += timedelta(seconds=1)


def _moments(count: int, now: datetime) -> list[datetime]:
    return [now - _SET_UP_BEFORE - place * _BETWEEN_TASKS for place in range(count, 0, -1)]
