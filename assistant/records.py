"""What is kept of a turn, in the transaction of what is done in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assistant.summary import summarise
from assistant.turn_values import Done, LLMProgress, OpenTurn, Settled, TurnTakenOverError
from db.connection import Database, Session
from db.reach import keep_choice
from db.turns.starting import start_turn
from db.turns.turns import (
    add_decision,
    get_turn,
    keep_llm_part,
    keep_progress,
    mark_driver,
    record_decision,
    settle_turn,
)
from db.turns.values import LLMStatus, Settlement, StoredTurn
from db.users import User
from engine.border.json_form import from_json, to_json
from engine.border.wire import write_context
from engine.decision import Decision
from engine.explaining.agreement import standing_of
from engine.outcome.routes import Route
from engine.outcome.routing import Routing
from llm.trace import LLMTrace, LLMTurn

_BUG = "Something went wrong in the LLM lane. The details are in the log."
_STOPPED = "Nothing was done: the workbench was stopped before the LLM answered. Please say it again."
_STOPPED_LLM = "The workbench was stopped before the LLM answered."
_CUT_OFF = "Then this message was cut off before it was finished: say it again to go on with it, or take it back."


class TurnRecords:
    def __init__(self, database: Database, user: User) -> None:
        self._database, self._user, self._user_id = database, user, user.id

    def keep_start(self, session: Session, turn: OpenTurn, settlement: Settlement | None = None) -> None:
        """The message and the engine's decision: before a turn waits for the LLM, or when it ends at once, with what
        came of it: then each row is written once."""
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
            since=turn.revision,
            settlement=settlement,
        )
        drives = settlement is not None and settlement.lane == "engine"
        body = to_json(turn.engine)
        add_decision(session, self._user_id, turn.conversation_id, turn.id, body=body, drives=drives)

    def check_open(self, session: Session, turn: OpenTurn, so_far: LLMProgress | None = None) -> None:
        """Whether the turn still waits for us, and has come as far as we know. Otherwise somebody else ended it or
        went on with it."""
        stored = get_turn(session, self._user_id, turn.id)
        kept = len(stored.progress["rounds"]) if stored.progress else 0
        if stored.lane is not None or kept != (len(so_far.rounds) if so_far else 0):
            raise TurnTakenOverError

    def keep_progress(self, session: Session, turn: OpenTurn, progress: LLMProgress) -> None:
        """What the LLM has done so far; it is asked again."""
        results = [each.record for each in progress.executed]
        keep_progress(session, self._user_id, turn.id, progress=to_json(progress), results=results)

    def keep_settled(self, session: Session, turn: OpenTurn, routing: Routing, done: Done) -> None:
        """What was done."""
        settlement = Settlement(
            lane=routing.lane,
            route=str(routing.route),
            reply=done.reply,
            task_ids=done.task_ids(turn.domain.catalogue),
            results=[each.record for each in done.executed],
            pending=to_json(done.pending),
            offers=to_json(done.offers),
        )
        if turn.waits:
            settle_turn(session, self._user_id, turn.id, settlement)
            mark_driver(session, turn.id, routing.lane)
        else:
            self.keep_start(session, turn, settlement)
        if routing.decision.taught:
            keep_choice(session, self._user, routing.decision.taught)

    def keep_llm(self, session: Session, turn: OpenTurn, asked: LLMTurn, settled: Settled) -> None:
        failed: LLMStatus = "cancelled" if asked.trace.failure == "cancelled" else "failed"
        status: LLMStatus = failed if asked.trace.outcome == "failed" else "answered"
        summary = {**summarise(settled.traces, turn.lanes.cost_of), "words": settled.words}
        body = _body(asked.decision, settled.traces)
        self._decision(session, turn.conversation_id, turn.id, body, drives=settled.lane == "llm")
        agreement = standing_of(turn.engine, asked.decision) if status == "answered" else None
        keep_llm_part(
            session,
            self._user_id,
            turn.id,
            status=status,
            summary=summary,
            context=_context(turn),
            agreement=agreement,
        )

    def keep_left_out(self, turn: OpenTurn) -> None:
        """The LLM was not asked."""
        with self._database.write() as session:
            keep_llm_part(session, self._user_id, turn.id, status="off", summary={})

    def keep_bug(self, turn: OpenTurn, sentence: str = _BUG) -> None:
        """Whatever went wrong, the turn ends: with what was done already, or with a sentence."""
        with self._database.write() as session:
            self._end_early(session, turn.id, sentence, _BUG, _context(turn))

    def give_up(self, turn: StoredTurn) -> None:
        """For a turn whose process was stopped while it waited: nothing more is done about it, unless somebody goes on
        with it."""
        with self._database.write() as session:
            self._end_early(session, turn.id, _STOPPED, _STOPPED_LLM)

    def _end_early(
        self, session: Session, turn_id: str, sentence: str, problem: str, context: dict[str, Any] | None = None
    ) -> None:
        stored = get_turn(session, self._user_id, turn_id)
        if stored.lane is not None and stored.llm_status != "waiting":
            return  # it came to its end meanwhile
        if stored.lane is None and stored.progress:
            self._cut_off(session, stored, stored.progress)
        elif stored.lane is None:
            nothing_done = Settlement("engine", str(Route.LLM_FAILED), sentence, (), (), None)
            settle_turn(session, self._user_id, turn_id, nothing_done)
        keep_llm_part(session, self._user_id, turn_id, status="failed", summary={"problem": problem}, context=context)

    def _cut_off(self, session: Session, stored: StoredTurn, kept: Mapping[str, Any]) -> None:
        """What was done of it is told, can be taken back, and can be gone on with."""
        progress = from_json(LLMProgress, kept)
        done = Done(progress.executed, f"{progress.reply} {_CUT_OFF}".strip())
        settlement = Settlement(
            lane="llm",
            route=str(Route.CUT_OFF),
            reply=done.reply,
            task_ids=done.named,
            results=stored.results,
            pending=None,
            progress=kept,
        )
        settle_turn(session, self._user_id, stored.id, settlement)
        body = _body(progress.first, progress.traces)
        self._decision(session, stored.conversation_id, stored.id, body, drives=True)
        mark_driver(session, stored.id, "llm")

    def _decision(
        self, session: Session, conversation_id: str, turn_id: str, body: dict[str, Any], *, drives: bool
    ) -> None:
        record_decision(session, self._user_id, conversation_id, turn_id, body=body, drives=drives)


def _body(decision: Decision, traces: Sequence[LLMTrace]) -> dict[str, Any]:
    return {**to_json(decision), "traces": [asdict(trace) for trace in traces]}


def _context(turn: OpenTurn) -> dict[str, Any] | None:
    """What both lanes saw: the LLM's look-ups came on top of the engine's. Where a turn is gone on with, the store was
    changed by what was done before, and what was seen at first stays."""
    return None if turn.so_far else write_context(turn.context, turn.index)
