"""Where a turn changes something: what was decided is carried out, told and kept in one transaction a round, so that a
crash leaves all of it or nothing."""

from __future__ import annotations

from dataclasses import replace

from assistant.actions import carry_out
from assistant.consent import hold_back
from assistant.records import TurnRecords
from assistant.tool_loop import count_changes, first_round, goes_on, next_round, repeats
from assistant.turn_values import Done, LLMProgress, OpenTurn, Settled
from db.connection import Database, Session
from db.executor import Executor
from db.reach import open_reach
from db.tasks.service import Clock
from db.users import User
from engine.outcome.routing import Routing
from engine.outcome.seen import ask_anew, with_marks
from llm.trace import LLMTurn


class Settling:
    def __init__(self, database: Database, user: User, clock: Clock) -> None:
        self._database, self._user, self._clock = database, user, clock
        self._executor, self._records = Executor(database, user, clock), TurnRecords(database, user)

    def settle(self, turn: OpenTurn, routing: Routing, asked: LLMTurn | None = None) -> LLMProgress | None:
        """Carry out what was decided, say so and keep it, all in one transaction. What the LLM goes on from; None: the
        turn is at its end."""
        decision = ask_anew(routing.decision, turn.context.pending, turn.context.tasks, turn.policy)
        routing = replace(routing, decision=hold_back(decision, turn) if routing.lane == "llm" else decision)
        with self._database.write() as session:
            if turn.waits:
                self._records.check_open(session, turn)
            done = carry_out(routing.decision, routing.lane, turn, self._executor.within(session))
            if routing.lane == "llm" and asked:
                progress = first_round(routing.route, asked, done)
                if goes_on(progress, done):
                    self._records.keep_progress(session, turn, progress)
                    return progress
            self._records.keep_settled(session, turn, routing, self._note_what_is_shown(session, done, turn))
            if asked:
                self._records.keep_llm(session, turn, asked, Settled(routing.lane, (asked.trace,)))
        return None

    def go_on(self, turn: OpenTurn, so_far: LLMProgress, asked: LLMTurn) -> LLMProgress | None:
        """A further round, in one transaction as the first: what the model calls after it saw results, or its words."""
        decision, pending, words = hold_back(asked.decision, turn, count_changes(so_far, turn)), None, ""
        traces = (*so_far.traces, asked.trace)
        with self._database.write() as session:
            self._records.check_open(session, turn, so_far)
            if asked.trace.outcome == "no_call":
                words = asked.decision.message
            elif asked.trace.outcome == "valid_call" and not repeats(decision, so_far):
                more = carry_out(decision, "llm", turn, self._executor.within(session), len(so_far.rounds))
                so_far, pending = next_round(so_far, asked, more), more.pending
                if goes_on(so_far, more):
                    self._records.keep_progress(session, turn, so_far)
                    return so_far
            done = Done(so_far.executed, so_far.reply, pending, so_far.offers)
            routing = Routing("llm", so_far.route, so_far.first)
            self._records.keep_settled(session, turn, routing, self._note_what_is_shown(session, done, turn))
            first = LLMTurn(so_far.first, so_far.traces[0])
            self._records.keep_llm(session, turn, first, Settled("llm", traces, words))
        return None

    def _note_what_is_shown(self, session: Session, done: Done, turn: OpenTurn) -> Done:
        """A yes to the question will count for its tasks as they are shown now."""
        if done.pending is None:
            return done
        if not done.executed:  # then the reply shows them as they were when the message came
            return replace(done, pending=with_marks(done.pending, turn.context.tasks, turn.domain.catalogue))
        index = open_reach(session, self._user, self._clock, turn.domain.name)
        return replace(done, pending=with_marks(done.pending, index, turn.domain.catalogue))
