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
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from assistant.records import TurnRecords
from assistant.settling import Settling
from assistant.surroundings import SoFar, make_context, read_so_far
from assistant.taking_back import find_cut_off, take_back
from assistant.turn_values import (
    Lanes,
    LLMProgress,
    OpenTurn,
    SaidAgainError,
    Settled,
    TurnCutOffError,
    TurnInProgressError,
    TurnTakenOverError,
)
from assistant.turnstiles import one_at_a_time
from assistant.waiting import Overdue, wait_of, why_not_waited
from db.connection import Database, Session
from db.executor import Executor
from db.failures import ConnectionLostError, StoreUnavailableError, ToolFailure
from db.reach import Reach, open_reach
from db.tasks.service import Clock
from db.turns.turns import ConversationMovedError, StoredTurn, read_decisions, reopen_turn
from db.users import User
from domains.loading import load_domain
from engine.border.json_form import from_json
from engine.decision import Context, Decision, Language
from engine.domain import Domain
from engine.outcome.routes import Route
from engine.outcome.routing import Driver, Routing, go_without_llm, needs_llm, route, route_at_once
from llm.patience import Cancel
from telemetry import metrics, spans

if TYPE_CHECKING:
    from llm.decider import LLMDecider  # late: its client takes a while to import
    from llm.trace import LLMTurn

_log = logging.getLogger(__name__)
OnText = Callable[[str], None]
_MOST_READINGS = 5


class Assistant:
    def __init__(
        self,
        database: Database,
        user: User,
        clock: Clock,
        domain: Domain | None = None,
        language: Language | None = None,
    ) -> None:
        """`domain`: what the turns are about; None: the tasks. `language`: what is spoken; None: the words tell."""
        self._database, self._user, self._clock, self._language = database, user, clock, language
        self._domain = domain or load_domain()
        self._records, self._settling = TurnRecords(database, user), Settling(database, user, clock)

    def run_turn(
        self, conversation_id: str, text: str, driver: Driver, lanes: Lanes, on_text: OnText | None = None
    ) -> str:
        """The whole turn; its id."""
        turn = self.begin_turn(conversation_id, text, driver, lanes)
        self.finish_turn(turn, on_text)
        return turn.id

    def begin_turn(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        """The engine's decision, carried out unless the LLM has a say first. Never waits for the LLM. What was cut off
        and is said again is gone on with."""
        with spans.turn(conversation_id, domain=self._domain.name, driver=driver), one_at_a_time(conversation_id):
            try:
                turn = self._begin(conversation_id, text, driver, lanes)
            except SaidAgainError as again:
                turn = self._take_up(again.turn, lanes) or self._begin(conversation_id, text, driver, lanes)
        if lanes.llm is None:
            turn.snapshot.close()
        return turn

    def finish_turn(self, turn: OpenTurn, on_text: OnText | None = None, cancel: Cancel | None = None) -> None:
        """The LLM's part: asked, carried out if it drives, recorded. A failure is recorded as one, too."""
        if turn.lanes.llm is None:
            return
        with turn.snapshot, spans.under(turn.place):
            try:
                self._finish(turn, turn.lanes.llm, on_text, cancel)
            except TurnTakenOverError:
                _log.info("Turn %s came to its end elsewhere.", turn.id)
            except (StoreUnavailableError, ToolFailure):
                raise
            except Exception:  # a bug of ours must not leave the turn waiting for ever
                _log.exception("The LLM's part of turn %s failed", turn.id)
                self._records.keep_bug(turn)

    def _begin(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        """The turnstile is this process's. Where another process was quicker in the same conversation, the message is
        read again with what was said there: a question is answered once. So it is where the database was gone in the
        middle: nothing of it was kept then."""
        failed: ConnectionLostError | None = None
        for _ in range(_MOST_READINGS):
            try:
                return self._read_and_act(conversation_id, text, driver, lanes)
            except ConversationMovedError:
                _log.info("Conversation %s moved on while a message was read.", conversation_id)
                failed = None
            except ConnectionLostError as error:
                _log.info("The database was gone while a message was read: it is read again.")
                failed = error
        raise failed or TurnInProgressError

    def _read_and_act(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        turn = self._decide(conversation_id, text, driver, lanes)
        try:
            if turn.waits:
                with self._database.write() as session:
                    self._records.keep_start(session, turn)
            else:
                self._settle(turn, self._route_now(turn))
        except BaseException:
            turn.snapshot.close()
            raise
        return turn

    def _take_up(self, found: StoredTurn, lanes: Lanes) -> OpenTurn | None:
        """The turn that was cut off, waiting again for the LLM. Where no LLM can go on with it, what it did is taken
        back, and its words are read anew."""
        if lanes.llm:
            return self._reopen(found, lanes)
        result = take_back(Executor(self._database, self._user, self._clock), found)
        if result and not result.ok:
            raise TurnCutOffError(found.reply or "")
        return None

    def _reopen(self, found: StoredTurn, lanes: Lanes) -> OpenTurn:
        with ExitStack() as stack:
            session = stack.enter_context(self._database.read())
            index = open_reach(session, self._user, self._clock, self._domain.name)
            so_far = read_so_far(session, self._user, found.conversation_id)
            context = self._make_context(session, so_far, index, leave_out=found.id)
            body = read_decisions(session, self._user.id, [found.id])[found.id]
            with self._database.write() as writing:
                if not reopen_turn(writing, self._user.id, found.id):
                    raise TurnInProgressError
            return OpenTurn(
                id=found.id,
                conversation_id=found.conversation_id,
                text=found.text,
                driver=cast("Driver", found.driver),
                lanes=lanes,
                context=context,
                index=index,
                domain=self._domain,
                engine=from_json(Decision, body["engine"]),
                waits=True,
                so_far=from_json(LLMProgress, found.progress),
                snapshot=stack.pop_all(),
                place=spans.here(),
            )

    def _finish(self, turn: OpenTurn, llm: LLMDecider, on_text: OnText | None, cancel: Cancel | None) -> None:
        began = time.monotonic()
        so_far = turn.so_far or self._ask_first(turn, llm, on_text, cancel, began)
        while so_far:
            asked = llm.ask(turn.text, turn.context, cancel=cancel, rounds=so_far.told, began=began, wait=wait_of(turn))
            so_far = self._settling.go_on(turn, so_far, asked)
            if so_far is None:
                _count_turn(turn, "llm")

    def _ask_first(
        self, turn: OpenTurn, llm: LLMDecider, on_text: OnText | None, cancel: Cancel | None, began: float
    ) -> LLMProgress | None:
        overdue = Overdue(turn, lambda: self._settle(turn, go_without_llm(turn.engine, Route.LLM_SLOW)))
        wait, timer = wait_of(turn), overdue.timer
        try:
            asked = llm.ask(turn.text, turn.context, on_text, cancel, began=began, wait=wait, timer=timer)
        except Exception:  # nothing was done yet: the engine can still act
            if turn.waits and not overdue.acted:
                self._settle(turn, Routing("engine", Route.LLM_FAILED, turn.engine))
            raise
        metrics.decided(lane="llm", action=asked.decision.action, seconds=asked.trace.total_ms / 1000)
        if turn.waits and not overdue.acted:
            return self._settle(turn, _route_asked(turn, asked), asked)
        with self._database.write() as session:
            self._records.keep_llm(session, turn, asked, Settled("engine", (asked.trace,)))
        return None

    def _settle(self, turn: OpenTurn, routing: Routing, asked: LLMTurn | None = None) -> LLMProgress | None:
        so_far = self._settling.settle(turn, routing, asked)
        if so_far is None:
            _count_turn(turn, routing.lane)
        return so_far

    def leave_llm_out(self, turn: OpenTurn) -> None:
        """For a turn that came to its end without the LLM, where nobody looks at the two side by side."""
        with turn.snapshot:
            self._records.keep_left_out(turn)

    def end_turn(self, turn: OpenTurn, sentence: str) -> None:
        """For a turn that could not be finished: it waits no longer, and the sentence says why."""
        self._records.keep_bug(turn, sentence)

    def give_up_turn(self, turn: StoredTurn) -> None:
        self._records.give_up(turn)

    def _decide(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        text = text.encode("utf-8", "replace").decode()  # no store keeps a lone surrogate
        with ExitStack() as stack:
            session = stack.enter_context(self._database.read())
            so_far = read_so_far(session, self._user, conversation_id)
            if again := find_cut_off(session, so_far.turns, text):
                raise SaidAgainError(again)
            index = open_reach(session, self._user, self._clock, self._domain.name)
            context = self._make_context(session, so_far, index)
            began = time.perf_counter()
            engine = lanes.engine.decide(text, context)
            seconds = time.perf_counter() - began
            engine = replace(engine, elapsed_ms=round(seconds * 1000, 3))
            metrics.decided(lane="engine", action=engine.action, seconds=seconds)
            needed = self._needs_llm(driver, engine, lanes, context)
            without_llm = why_not_waited(driver, lanes) if needed else None
            return OpenTurn(
                id=str(uuid.uuid4()),
                conversation_id=conversation_id,
                text=text,
                driver=driver,
                lanes=lanes,
                context=context,
                index=index,
                domain=self._domain,
                engine=engine,
                waits=needed and without_llm is None,
                snapshot=stack.pop_all(),  # whatever failed above has closed the session; from here on the turn does
                place=spans.here(),
                revision=so_far.revision,
                without_llm=without_llm,
            )

    def _needs_llm(self, driver: Driver, engine: Decision, lanes: Lanes, context: Context) -> bool:
        catalogue = self._domain.catalogue
        return needs_llm(driver, engine, catalogue, asked=_was_asked(context), router=lanes.router)

    def _route_now(self, turn: OpenTurn) -> Routing:
        if turn.without_llm:
            return go_without_llm(turn.engine, turn.without_llm)
        return route_at_once(turn.driver, turn.engine, asked=_was_asked(turn.context))

    def _make_context(self, session: Session, so_far: SoFar, index: Reach, leave_out: str | None = None) -> Context:
        return make_context(
            session,
            self._user,
            so_far,
            index,
            domain=self._domain.name,
            now=self._clock(),
            language=self._language,
            leave_out=leave_out,
        )


def _count_turn(turn: OpenTurn, lane: str) -> None:
    seconds = time.monotonic() - turn.began
    metrics.turn_ended(domain=turn.domain.name, driver=turn.driver, lane=lane, seconds=seconds)


def _route_asked(turn: OpenTurn, asked: LLMTurn) -> Routing:
    if asked.trace.failure == "busy":
        return go_without_llm(turn.engine, Route.LLM_BUSY)
    return route(turn.driver, turn.engine, asked.decision, turn.policy, turn.context, turn.lanes.router)


def _was_asked(context: Context) -> bool:
    """Whether a message may be the answer to something: a question, or an offer."""
    return context.pending is not None or bool(context.offered)
