"""A person's turns.

`begin_turn` is quick: the engine decides, and acts unless the turn waits for the LLM. `finish_turn` asks the
LLM and may take its time, in a thread of its own. `run_turn` is both, one after the other.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.actions import carry_out, go_on
from assistant.consent import hold_back
from assistant.records import TurnRecords
from assistant.turn_values import Done, Lanes, OpenTurn, Settled, TurnInProgressError, TurnNotRecordedError
from db.connection import Database, Session
from db.executor import Executor
from db.failures import StoreUnavailableError, ToolFailure
from db.reach import Reach, open_reach, read_choices
from db.tasks.service import Clock
from db.turns.conversations import get_own_row
from db.turns.turns import StoredTurn, read_turns
from db.users import User
from domains.loading import load_domain
from engine.border.json_form import from_json
from engine.decision import Choice, Context, Language, Message, Pending
from engine.domain import Domain
from engine.outcome.routing import Driver, Route, Routing, needs_llm, route, route_at_once, route_off
from engine.outcome.seen import ask_anew, with_marks
from llm.patience import Cancel
from llm.trace import LLMTurn

if TYPE_CHECKING:
    from llm.decider import LLMDecider  # late: its client takes a while to import

_log = logging.getLogger(__name__)
_HISTORY_TURNS = 12
OnText = Callable[[str], None]


class _Turnstile:
    """One at a time, please: two tabs must not answer the same question twice."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


_turnstiles: weakref.WeakValueDictionary[str, _Turnstile] = weakref.WeakValueDictionary()


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
        self._executor, self._records = Executor(database, user, clock), TurnRecords(database, user)

    def run_turn(
        self, conversation_id: str, text: str, driver: Driver, lanes: Lanes, on_text: OnText | None = None
    ) -> str:
        """The whole turn; its id."""
        turn = self.begin_turn(conversation_id, text, driver, lanes)
        self.finish_turn(turn, on_text)
        return turn.id

    def begin_turn(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        """The engine's decision, carried out unless the LLM has a say first. Never waits for the LLM."""
        turnstile = _turnstiles.setdefault(conversation_id, _Turnstile())
        with turnstile.lock:
            turn = self._decide(conversation_id, text, driver, lanes)
            try:
                if turn.waits:
                    self._records.keep_start(turn)
                else:
                    self._settle(turn, _route_now(turn))
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
                self._finish(turn, turn.lanes.llm, on_text, cancel)
            except (StoreUnavailableError, TurnNotRecordedError, ToolFailure):
                raise
            except Exception:  # a bug of ours must not leave the turn waiting for ever
                _log.exception("The LLM's part of turn %s failed", turn.id)
                self._records.keep_bug(turn)

    def _finish(self, turn: OpenTurn, llm: LLMDecider, on_text: OnText | None, cancel: Cancel | None) -> None:
        began = time.monotonic()
        try:
            asked = llm.ask(turn.text, turn.context, on_text, cancel, began=began)
        except Exception:  # nothing was done yet: the engine can still act
            if turn.waits:
                self._settle(turn, Routing("engine", Route.LLM_FAILED, turn.engine))
            raise
        settled = Settled("engine", (asked.trace,))
        if turn.waits:
            routing = route(turn.driver, turn.engine, asked.decision, turn.policy)
            settled = self._settle(turn, routing, asked, cancel, began)
        self._records.keep_llm(turn, asked, settled)

    def end_turn(self, turn: OpenTurn, sentence: str) -> None:
        """For a turn that could not be finished: it waits no longer, and the sentence says why."""
        self._records.keep_bug(turn, sentence)

    def give_up_turn(self, turn: StoredTurn) -> None:
        self._records.give_up(turn)

    def _decide(self, conversation_id: str, text: str, driver: Driver, lanes: Lanes) -> OpenTurn:
        text = text.encode("utf-8", "replace").decode()  # no store keeps a lone surrogate
        with ExitStack() as stack:
            session = stack.enter_context(self._database.read())
            index = open_reach(session, self._user, self._clock, self._domain.name)
            context = self._read_context(session, conversation_id, index)
            began = time.perf_counter()
            engine = lanes.engine.decide(text, context)
            engine = replace(engine, elapsed_ms=round((time.perf_counter() - began) * 1000, 3))
            waits = lanes.llm is not None and needs_llm(driver, engine, asked=_was_asked(context))
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
                waits=waits,
                snapshot=stack.pop_all(),  # whatever failed above has closed the session; from here on the turn does
            )

    def _read_context(self, session: Session, conversation_id: str, index: Reach) -> Context:
        pending = get_own_row(session, self._user.id, conversation_id).pending
        turns = read_turns(session, self._user.id, conversation_id, limit=_HISTORY_TURNS, whole=False)
        if turns and turns[-1].lane is None and turns[-1].llm_status == "waiting":
            raise TurnInProgressError
        history = [
            message
            for turn in turns
            for message in (Message("user", turn.text), Message("assistant", turn.reply or "", turn.task_ids))
        ]
        return Context(
            index,
            self._clock(),
            tuple(history),
            from_json(Pending, pending) if pending else None,
            self._user.handle,
            self._language,
            learned=read_choices(session, self._user, self._domain.name),
            offered=tuple(from_json(Choice, each) for each in turns[-1].offers) if turns else (),
        )

    def _settle(
        self,
        turn: OpenTurn,
        routing: Routing,
        asked: LLMTurn | None = None,
        cancel: Cancel | None = None,
        began: float | None = None,
    ) -> Settled:
        """Carry out what was decided, say so and keep it."""
        decision = ask_anew(routing.decision, turn.context.pending, turn.context.tasks, turn.policy)
        routing = replace(routing, decision=hold_back(decision, turn) if routing.lane == "llm" else decision)
        done = carry_out(routing.decision, routing.lane, turn, self._executor)
        settled = Settled(routing.lane, (asked.trace,) if asked else ())
        if routing.lane == "llm" and asked and done.executed:
            done, words, traces = go_on(done, asked, turn, self._executor, cancel, began)
            settled = Settled(routing.lane, tuple(traces), words)
        try:
            done = self._note_what_is_shown(done, turn)
            self._records.keep_settled(turn, routing, done)
        except StoreUnavailableError as error:
            if any(each.result.ok for each in done.executed):
                raise TurnNotRecordedError(done.reply) from error
            raise
        return settled

    def _note_what_is_shown(self, done: Done, turn: OpenTurn) -> Done:
        """A yes to the question will count for its tasks as they are shown now."""
        if done.pending is None:
            return done
        if not done.executed:  # then the reply shows them as they were when the message came
            return replace(done, pending=with_marks(done.pending, turn.context.tasks, turn.domain.catalogue))
        with self._database.read() as session:
            index = open_reach(session, self._user, self._clock, self._domain.name)
            return replace(done, pending=with_marks(done.pending, index, turn.domain.catalogue))


def _route_now(turn: OpenTurn) -> Routing:
    asked = _was_asked(turn.context)
    if turn.lanes.llm is None and needs_llm(turn.driver, turn.engine, asked=asked):
        return route_off(turn.engine)
    return route_at_once(turn.driver, turn.engine, asked=asked)


def _was_asked(context: Context) -> bool:
    """Whether a message may be the answer to something: a question, or an offer."""
    return context.pending is not None or bool(context.offered)
