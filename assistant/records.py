"""What is kept of a turn, and when: each function is one transaction."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from assistant.summary import summarise
from assistant.turn_values import Done, OpenTurn, Settled
from db.connection import Database, Session
from db.reach import keep_choice
from db.turns.turns import (
    LLMStatus,
    Settlement,
    StoredTurn,
    find_turn,
    keep_llm_part,
    mark_driver,
    record_decision,
    settle_turn,
    start_turn,
)
from db.users import User
from engine.border.json_form import to_json
from engine.border.wire import write_context
from engine.explaining.agreement import standing_of
from engine.outcome.routing import Route, Routing
from llm.trace import LLMTurn

_BUG = "Something went wrong in the LLM lane. The details are in the log."
_STOPPED = "Nothing was done: the workbench was stopped before the LLM answered. Please say it again."
_STOPPED_LLM = "The workbench was stopped before the LLM answered."


class TurnRecords:
    def __init__(self, database: Database, user: User) -> None:
        self._database, self._user, self._user_id = database, user, user.id

    def keep_start(self, turn: OpenTurn) -> None:
        """A turn that waits for the LLM: the message and the engine's decision."""
        with self._database.write() as session:
            self._start(session, turn)

    def keep_settled(self, turn: OpenTurn, routing: Routing, done: Done) -> None:
        """What was done. A turn that did not wait is recorded whole, at once: a second transaction would cost
        every message another wait for the disk."""
        settlement = Settlement(
            lane=routing.lane,
            route=str(routing.route),
            reply=done.reply,
            task_ids=done.task_ids(turn.domain.catalogue),
            results=[each.record for each in done.executed],
            pending=to_json(done.pending),
            offers=to_json(done.offers),
        )
        with self._database.write() as session:
            if not turn.waits:
                self._start(session, turn)
            settle_turn(session, self._user_id, turn.id, settlement)
            if routing.decision.taught:
                keep_choice(session, self._user, routing.decision.taught)
            mark_driver(session, turn.id, routing.lane)

    def keep_llm(self, turn: OpenTurn, asked: LLMTurn, settled: Settled) -> None:
        failed: LLMStatus = "cancelled" if asked.trace.failure == "cancelled" else "failed"
        status: LLMStatus = failed if asked.trace.outcome == "failed" else "answered"
        body = {**to_json(asked.decision), "traces": [asdict(trace) for trace in settled.traces]}
        summary = {**summarise(settled.traces, turn.lanes.cost_of), "words": settled.words}
        with self._database.write() as session:
            self._decision(session, turn, body, drives=settled.lane == "llm")
            agreement = standing_of(turn.engine, asked.decision) if status == "answered" else None
            self._llm_part(session, turn, status, summary, agreement)

    def keep_bug(self, turn: OpenTurn, sentence: str = _BUG) -> None:
        """Whatever went wrong, the turn ends: with what was done already, or with a sentence."""
        with self._database.write() as session:
            stored = find_turn(session, self._user_id, turn.id)
            if stored and stored.lane is None:
                settlement = Settlement("engine", str(Route.LLM_FAILED), sentence, (), (), None)
                settle_turn(session, self._user_id, turn.id, settlement)
            self._llm_part(session, turn, "failed", {"problem": _BUG})

    def give_up(self, turn: StoredTurn) -> None:
        """For a turn whose process was stopped while it waited: nothing more is done about it."""
        summary = {"problem": _STOPPED_LLM}
        with self._database.write() as session:
            if turn.lane is None:
                settlement = Settlement("engine", str(Route.LLM_FAILED), _STOPPED, (), (), None)
                settle_turn(session, self._user_id, turn.id, settlement)
            keep_llm_part(session, self._user_id, turn.id, status="failed", summary=summary, context=turn.context)

    def _start(self, session: Session, turn: OpenTurn) -> None:
        status: LLMStatus = "waiting" if turn.lanes.llm else "off"
        context = write_context(turn.context, turn.index)
        start_turn(
            session,
            self._user_id,
            turn.conversation_id,
            turn_id=turn.id,
            text=turn.text,
            driver=turn.driver,
            context=context,
            llm_status=status,
        )
        self._decision(session, turn, to_json(turn.engine), drives=False)

    def _llm_part(
        self,
        session: Session,
        turn: OpenTurn,
        status: LLMStatus,
        summary: dict[str, Any],
        agreement: str | None = None,
    ) -> None:
        # The LLM's look-ups came on top of the engine's.
        context = write_context(turn.context, turn.index)
        keep_llm_part(
            session,
            self._user_id,
            turn.id,
            status=status,
            summary=summary,
            context=context,
            agreement=agreement,
        )

    def _decision(self, session: Session, turn: OpenTurn, body: dict[str, Any], *, drives: bool) -> None:
        record_decision(session, self._user_id, turn.conversation_id, turn.id, body=body, drives=drives)
