"""A person's turns.

`begin_turn` is quick: the engine decides, and acts unless the turn waits for the LLM. `finish_turn` asks the
LLM and may take its time, in a thread of its own. `run_turn` is both, one after the other.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import Any

from assistant.actions import carry_out, go_on
from assistant.summary import summarise
from assistant.turn_values import Lanes, OpenTurn, Settled, TurnInProgressError
from db.connection import Database, Session
from db.conversations import get_own_row
from db.executor import Executor
from db.tasks import Clock, TaskService
from db.turns import (
    LLMStatus,
    Settlement,
    StoredTurn,
    keep_llm_part,
    mark_driver,
    read_turns,
    record_decision,
    settle_turn,
    start_turn,
)
from db.users import User
from engine.decision import Context, Message
from engine.record import write_context, write_record
from engine.recorded_index import RecordingIndex
from engine.routing import Driver, Route, Routing, needs_llm, route, route_at_once, route_off
from engine.wire import read_pending, write_pending
from llm.patience import Cancel
from llm.trace import LLMTurn

_log = logging.getLogger(__name__)
_HISTORY_TURNS = 12
_BUG = "Something went wrong in the LLM lane. The details are in the log."
_STOPPED = "Nothing was done: the workbench was stopped before the LLM answered. Please say it again."
_STOPPED_LLM = "The workbench was stopped before the LLM answered."
OnText = Callable[[str], None]


class Assistant:
    def __init__(self, database: Database, user: User, clock: Clock) -> None:
        self._database, self._user, self._clock = database, user, clock
        self._executor = Executor(database, user, clock)

    def run_turn(
        self, conversation_id: str, text: str, driver: Driver, lanes: Lanes, on_text: OnText | None = None
    ) -> str:
        """The whole turn; its id."""
        turn = self.begin_turn(conversation_id, text, driver, lanes)
        self.finish_turn(turn, on_text)
        return turn.id

    def begin_turn(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        """The engine's decision, carried out unless the LLM has a say first. Never waits for the LLM."""
        turn = self._decide(conversation_id, text, driver, lanes)
        try:
            self._record_start(turn)
            if not turn.waits:
                asked = turn.context.pending is not None
                off = lanes.llm is None and needs_llm(driver, turn.engine, asked=asked)
                self._settle(turn, route_off(turn.engine) if off else route_at_once(driver, turn.engine, asked=asked))
        except BaseException:
            turn.snapshot.close()
            raise
        if lanes.llm is None:
            turn.snapshot.close()
        return turn

    def finish_turn(self, turn: OpenTurn, on_text: OnText | None = None, cancel: Cancel | None = None) -> None:
        """The LLM's part: asked, carried out if it drives, recorded. A failure is recorded as one, too."""
        if turn.lanes.llm is None:
            return
        with turn.snapshot:
            try:
                asked = turn.lanes.llm.ask(turn.text, turn.context, on_text, cancel)
            except Exception:  # a bug of ours must not leave the turn waiting for ever
                _log.exception("The LLM's part of turn %s failed", turn.id)
                self._record_bug(turn)
                return
            settled = Settled("engine", (asked.trace,))
            if turn.waits:
                routing = route(turn.driver, turn.engine, asked.decision, turn.policy)
                settled = self._settle(turn, routing, asked, cancel)
            self._record_llm(turn, asked, settled)

    def give_up_turn(self, turn: StoredTurn) -> None:
        """For a turn whose process was stopped while it waited: nothing more is done about it."""
        with self._database.write() as session:
            if turn.lane is None:
                settlement = Settlement("engine", str(Route.LLM_FAILED), _STOPPED, (), (), None)
                settle_turn(session, self._user.id, turn.id, settlement)
            summary = {"problem": _STOPPED_LLM}
            keep_llm_part(session, self._user.id, turn.id, status="failed", summary=summary, context=turn.context)

    def _decide(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        with ExitStack() as stack:
            session = stack.enter_context(self._database.read())
            index = RecordingIndex(TaskService(session, self._user, self._clock))
            context = self._read_context(session, conversation_id, index)
            began = time.perf_counter()
            engine = lanes.engine.decide(text, context)
            engine = replace(engine, elapsed_ms=round((time.perf_counter() - began) * 1000, 3))
            waits = lanes.llm is not None and needs_llm(driver, engine, asked=context.pending is not None)
            return OpenTurn(
                id=str(uuid.uuid4()),
                conversation_id=conversation_id,
                text=text,
                driver=driver,
                lanes=lanes,
                context=context,
                index=index,
                engine=engine,
                waits=waits,
                snapshot=stack.pop_all(),  # whatever failed above has closed the session; from here on the turn does
            )

    def _read_context(self, session: Session, conversation_id: str, index: RecordingIndex) -> Context:
        pending = get_own_row(session, self._user.id, conversation_id).pending
        turns = read_turns(session, self._user.id, conversation_id, limit=_HISTORY_TURNS)
        if turns and turns[-1].lane is None and turns[-1].llm_status == "waiting":
            raise TurnInProgressError
        history = [
            message
            for turn in turns
            for message in (Message("user", turn.text), Message("assistant", turn.reply or "", turn.task_ids))
        ]
        waiting = read_pending(pending) if pending else None
        return Context(index, self._clock(), tuple(history), waiting, self._user.handle)

    def _settle(
        self, turn: OpenTurn, routing: Routing, asked: LLMTurn | None = None, cancel: Cancel | None = None
    ) -> Settled:
        """Carry out what was decided, say so and keep it."""
        done = carry_out(routing.decision, routing.lane, turn, self._executor)
        settled = Settled(routing.lane, (asked.trace,) if asked else ())
        if routing.lane == "llm" and asked and done.executed:
            done, words, traces = go_on(done, asked, turn, self._executor, cancel)
            settled = Settled(routing.lane, tuple(traces), words)
        settlement = Settlement(
            lane=routing.lane,
            route=str(routing.route),
            reply=done.reply,
            task_ids=done.task_ids,
            results=[each.record for each in done.executed],
            pending=write_pending(done.pending) if done.pending else None,
        )
        with self._database.write() as session:
            settle_turn(session, self._user.id, turn.id, settlement)
            mark_driver(session, turn.id, routing.lane)
        return settled

    def _record_start(self, turn: OpenTurn) -> None:
        status: LLMStatus = "waiting" if turn.lanes.llm else "off"
        context = write_context(turn.context, turn.index)
        with self._database.write() as session:
            start_turn(
                session, self._user.id, turn.conversation_id,
                turn_id=turn.id, text=turn.text, driver=turn.driver, context=context, llm_status=status,
            )  # fmt: skip
            self._record_decision(session, turn, write_record(turn.engine))

    def _record_llm(self, turn: OpenTurn, asked: LLMTurn, settled: Settled) -> None:
        failed: LLMStatus = "cancelled" if asked.trace.failure == "cancelled" else "failed"
        status: LLMStatus = failed if asked.trace.outcome == "failed" else "answered"
        body = {**write_record(asked.decision), "traces": [asdict(trace) for trace in settled.traces]}
        summary = {**summarise(settled.traces, turn.lanes.cost_of), "words": settled.words}
        with self._database.write() as session:
            self._record_decision(session, turn, body, drives=settled.lane == "llm")
            keep_llm_part(
                session, self._user.id, turn.id,
                status=status, summary=summary, context=write_context(turn.context, turn.index),
            )  # fmt: skip

    def _record_bug(self, turn: OpenTurn) -> None:
        if turn.waits:
            self._settle(turn, Routing("engine", Route.LLM_FAILED, turn.engine))
        context = write_context(turn.context, turn.index)
        with self._database.write() as session:
            keep_llm_part(
                session, self._user.id, turn.id, status="failed", summary={"problem": _BUG}, context=context
            )  # fmt: skip

    def _record_decision(self, session: Session, turn: OpenTurn, body: dict[str, Any], *, drives: bool = False) -> None:
        record_decision(session, self._user.id, turn.conversation_id, turn.id, body=body, drives=drives)
