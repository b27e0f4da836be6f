"""Carrying out what was decided: the calls, and the reply that says what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.turn_values import Done, Executed, OpenTurn
from db.audit import UNDO, Origin
from db.changes import SubjectKind
from db.executor import Executor, changed_by
from engine.conduct import Ran
from engine.decision import Choice, Decision
from engine.outcome.report import report, report_undone
from engine.outcome.routing import Lane
from engine.talking.ways.undoing import RESTORED
from engine.values import Argument, Provenance, ToolCall

LISTED_TASKS = 10
"""A reply lists so many; the rest is on the Tasks page."""


def carry_out(decision: Decision, lane: Lane, turn: OpenTurn, executor: Executor, rounds_before: int = 0) -> Done:
    """Run the calls of a decision that acts; one undo takes all of them back. The reply tells results, not plans.
    Each change has a key that the store takes once: the turn, the round (`rounds_before`), the place of the call."""
    if decision.action != "execute":
        return Done(reply=decision.message, pending=decision.pending)
    # An LLM may go on in further rounds: whatever one turn of its does is one batch.
    batch = turn.id if lane == "llm" or len(decision.calls) > 1 else None
    origin = Origin(lane, turn.conversation_id, turn.id, batch)
    back = _take_back(decision, origin, executor, changed_by(turn.domain))
    done = [
        _execute(call, replace(origin, key=f"{turn.id}/{rounds_before}/{place}"), turn, executor)
        for place, call in enumerate(decision.calls)
    ]
    told = _tell(done, turn, decision)
    if back and not decision.undoes:
        told = [report_undone(turn.policy, back.result, decision.act), *told]
    done = [*([back] if back else []), *done]
    # What was planned is told by the results; a note about a date or the question that is left stays.
    rest = " ".join(sentence.text for sentence in decision.sentences if sentence.kind != "plan")
    reply = " ".join(part for part in (*told, rest) if part)
    return Done(tuple(done), reply, decision.pending, _suggest(done, turn))


def _execute(call: ToolCall, origin: Origin, turn: OpenTurn, executor: Executor) -> Executed:
    facts = turn.domain.catalogue.by_name.get(call.tool_name)
    limit = facts.argument("limit") if facts else ""
    if limit and call.parameters.get(limit) is None:
        call = replace(
            call, arguments=(*call.arguments, Argument(limit, LISTED_TASKS, Provenance("default", detail="chat")))
        )
    return Executed(call, executor.execute(call, origin))


def _take_back(decision: Decision, origin: Origin, executor: Executor, kind: SubjectKind) -> Executed | None:
    """The last change, where the message takes it back or puts it right; or the last undo, where it is wanted again."""
    if decision.act == "redo":
        return Executed(ToolCall(UNDO), executor.redo_last(origin, kind))
    if decision.act == "undo" or decision.undoes:
        gone = next((str(slot.value) for slot in decision.slots if slot.name == RESTORED), "")
        return Executed(ToolCall(UNDO), executor.undo_last(origin, gone, kind))
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
