"""Carrying out what was decided: the calls, the reply that says what was done, and the LLM's tool loop."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from assistant.consent import hold_back
from assistant.turn_values import Done, Executed, OpenTurn
from db.audit import UNDO, Origin
from db.executor import Executor
from engine.conduct import Ran
from engine.decision import Choice, Decision
from engine.outcome.report import report, report_undone
from engine.outcome.routing import Lane
from engine.talking.undoing import RESTORED
from engine.values import Argument, Provenance, ToolCall
from llm.patience import Cancel
from llm.rounds import MOST_ROUNDS
from llm.trace import LLMTrace, LLMTurn, Round

LISTED_TASKS = 10
"""A reply lists so many; the rest is on the Tasks page."""


def carry_out(decision: Decision, lane: Lane, turn: OpenTurn, executor: Executor) -> Done:
    """Run the calls of a decision that acts; one undo takes all of them back. The reply tells results, not plans."""
    if decision.action != "execute":
        return Done(reply=decision.message, pending=decision.pending)
    batch = str(uuid.uuid4()) if len(decision.calls) > 1 else None
    origin = Origin(lane, turn.conversation_id, turn.id, batch)
    back = _take_back(decision, origin, executor)
    done = [_execute(call, origin, turn, executor) for call in decision.calls]
    told = _tell(done, turn, decision)
    if back and not decision.undoes:
        told = [report_undone(turn.policy, back.result, decision.act), *told]
    done = [*([back] if back else []), *done]
    # What was planned is told by the results; a note about a date or the question that is left stays.
    rest = " ".join(sentence.text for sentence in decision.sentences if sentence.kind != "plan")
    reply = " ".join(part for part in (*told, rest) if part)
    return Done(tuple(done), reply, decision.pending, _suggest(done, turn))


def go_on(
    done: Done,
    asked: LLMTurn,
    turn: OpenTurn,
    executor: Executor,
    cancel: Cancel | None,
    began: float | None = None,
) -> tuple[Done, str, list[LLMTrace]]:
    """The tool loop: results go back to the model, which may call again or say something about them.

    `began`: when the turn did; all its questions share one time limit.
    Returns what was done in all, the model's own words, and every exchange.
    """
    traces, rounds, words = [asked.trace], [_round(asked, done.executed)], ""
    latest = done.executed
    while len(traces) < MOST_ROUNDS and turn.lanes.llm and _can_go_on(traces[-1], latest) and done.pending is None:
        answer = turn.lanes.llm.ask(turn.text, turn.context, cancel=cancel, rounds=tuple(rounds), began=began)
        traces.append(answer.trace)
        if answer.trace.outcome != "valid_call":
            words = answer.decision.message if answer.trace.outcome == "no_call" else ""
            break
        decision = hold_back(answer.decision, turn, _count_changes(done, turn))
        if _repeats(decision, done):
            break
        more = carry_out(decision, "llm", turn, executor)
        reply = f"{done.reply} {more.reply}".strip()
        done = Done((*done.executed, *more.executed), reply, more.pending, more.offers)
        latest = more.executed
        rounds.append(_round(answer, latest))
    return done, words, traces


def _execute(call: ToolCall, origin: Origin, turn: OpenTurn, executor: Executor) -> Executed:
    facts = turn.domain.catalogue.by_name.get(call.tool_name)
    limit = facts.argument("limit") if facts else ""
    if limit and call.parameters.get(limit) is None:
        call = replace(
            call, arguments=(*call.arguments, Argument(limit, LISTED_TASKS, Provenance("default", detail="chat")))
        )
    return Executed(call, executor.execute(call, origin))


def _take_back(decision: Decision, origin: Origin, executor: Executor) -> Executed | None:
    """The last change, where the message takes it back or puts it right; or the last undo, where it is wanted again."""
    if decision.act == "redo":
        return Executed(ToolCall(UNDO), executor.redo_last(origin))
    if decision.act == "undo" or decision.undoes:
        gone = next((str(slot.value) for slot in decision.slots if slot.name == RESTORED), "")
        return Executed(ToolCall(UNDO), executor.undo_last(origin, gone))
    return None


def _tell(done: Sequence[Executed], turn: OpenTurn, decision: Decision) -> list[str]:
    if turn.domain.conduct:
        return [turn.domain.conduct.tell(_ran(done, turn), turn.policy.language)]
    if any(sentence.kind == "answer" for sentence in decision.sentences):
        return []  # the answer says it all
    now, asks = turn.context.now, decision.asks
    return [report(turn.policy, each.call, each.result, now, _name_of(each, turn), asks) for each in done]


def _suggest(done: Sequence[Executed], turn: OpenTurn) -> tuple[Choice, ...]:
    if turn.domain.conduct is None:
        return ()
    return turn.domain.conduct.suggest(_ran(done, turn), turn.context, turn.policy.language)


def _ran(done: Sequence[Executed], turn: OpenTurn) -> list[Ran]:
    return [Ran(each.call, each.result, _name_of(each, turn)) for each in done]


def _name_of(each: Executed, turn: OpenTurn) -> str:
    """What the call acts on, as it was called when the message came."""
    target = turn.domain.catalogue.target_of(each.call)
    before = turn.context.tasks.find_by_id(target) if target else None
    return before.title if before else ""


def _count_changes(done: Done, turn: OpenTurn) -> int:
    return sum(each.call.tool_name in turn.policy.catalogue.changing_tools for each in done.executed)


def _can_go_on(trace: LLMTrace, executed: Sequence[Executed]) -> bool:
    # The embedded model on the schema path only ever repeats itself after a result.
    return bool(executed) and not (trace.endpoint == "embedded" and trace.path == "schema")


def _repeats(decision: Decision, done: Done) -> bool:
    before = [(each.call.tool_name, _asked(each.call)) for each in done.executed]
    return any((call.tool_name, _asked(call)) in before for call in decision.calls)


def _asked(call: ToolCall) -> dict[str, object]:
    return {each.name: each.value for each in call.arguments if each.provenance.source != "default"}


def _round(answer: LLMTurn, executed: Sequence[Executed]) -> Round:
    calls = answer.trace.answer.calls[: len(executed)]
    return Round(calls, tuple(each.result.payload for each in executed[: len(calls)]))
