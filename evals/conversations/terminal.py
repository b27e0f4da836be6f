"""A run in the terminal: the figures, and for each failed turn what was said, expected and done, in three lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assistant.play.answer import Answer, PlayedChange
from evals.conversations.form import ExpectedOutcome, Forms
from evals.conversations.report import ConversationReport, TurnTally
from evals.conversations.running import ConversationResult, PlayedTurn

_COLUMNS = ("offered", "wrong", "unsafe", "missed", "asked", "told", "nuisance")
_LONGEST_REPLY = 160


def figure_lines(report: ConversationReport) -> Iterator[str]:
    total = report.total
    yield f"== conversations: {total.conversations.total} with {total.turns} turns; {report.mode}"
    yield f"{'turns right':<28} {total.right!s:<22} {total.right.count}/{total.turns}"
    whole = total.conversations
    yield f"{'whole conversations right':<28} {whole!s:<22} {whole.count}/{whole.total}"
    yield f"{'':<12}{'turns':>6}{'right':>6}   %" + "".join(f"{name:>9}" for name in _COLUMNS) + "   whole"
    yield from (_tally_line(each) for each in (total, *report.languages, *report.kinds))
    yield "offered counts as right; unsafe is part of wrong"


def _tally_line(tally: TurnTally) -> str:
    counts = {**tally.verdicts, "wrong": tally.wrong}
    share = f"{100 * (tally.right.value or 0):4.0f}"
    columns = "".join(f"{counts.get(name, 0) or '.':>9}" for name in _COLUMNS)  # type: ignore[call-overload]
    whole = tally.conversations
    return f"{tally.name:<12}{tally.turns:>6}{tally.right.count:>6}{share}{columns}   {whole.count}/{whole.total}"


def turn_lines(results: Sequence[ConversationResult], *, failures_only: bool, kind: str = "") -> Iterator[str]:
    for result in results:
        for turn in result.turns:
            if kind in ("", turn.turn.kind) and not (failures_only and turn.score.right):
                yield from _turn_lines(result.conversation.id, turn)


def _turn_lines(conversation_id: str, result: PlayedTurn) -> Iterator[str]:
    turn = result.turn
    mark = "+" if result.score.right else "-"
    yield f"{mark} {conversation_id} {result.place} [{turn.kind}: {result.score.verdict}] {turn.say!r}"
    expected = " | ".join(_outcome(each) for each in turn.expect.outcomes)
    faults = f"  <- {'; '.join(result.score.faults)}" if result.score.faults else ""
    yield f"    want {expected}{faults}"
    yield f"    got  {_answer(result.answer)}" + (f"; pressed {result.pressed!r}" if result.pressed else "")


def _outcome(outcome: ExpectedOutcome) -> str:
    parts = [f"add {_first(each.title)}{_fields(each.fields)}" for each in outcome.add]
    parts += [f"set {_first(each.task)}{_fields(each.fields)}" for each in outcome.set]
    for word, things in (("delete", outcome.delete), ("ask_delete", outcome.ask_delete), ("tell", outcome.tell)):
        parts += [f"{word} {_first(forms)}" for forms in things]
    if outcome.show is not None:
        parts.append("show " + (", ".join(_first(forms) for forms in outcome.show) or "none"))
    parts += ["ask"] if outcome.ask else []
    parts += ["nothing"] if outcome.nothing else []
    return ", ".join(parts)


def _first(forms: Forms) -> str:
    return repr(forms[0])


def _fields(fields: dict[str, Any]) -> str:
    rest = {name: value for name, value in fields.items() if name != "title" or isinstance(value, str)}
    return "".join(f" {name}={value}" for name, value in rest.items())


def _answer(answer: Answer) -> str:
    decision = answer.decision
    head = f"{decision.action} {decision.intent} {answer.act} ({decision.reason})" if decision else ""
    parts = [" ".join(head.split()), *(_change(each) for each in answer.changes)]
    if answer.listed:
        shown = [repr(answer.things[each]["title"]) for each in answer.shown if each in answer.things]
        parts.append("showed " + (", ".join(shown) or "none"))
    if answer.pending:
        call = answer.pending.call
        asked = ", ".join(f"{name}={_title(value, answer)}" for name, value in call.parameters.items())
        parts.append(f"pending {answer.pending.kind} {call.tool_name}({asked})")
    reply = " ".join(answer.reply.split())
    parts.append(f"{reply[:_LONGEST_REPLY]}…" if len(reply) > _LONGEST_REPLY else reply)
    return "; ".join(part for part in parts if part)


def _change(change: PlayedChange) -> str:
    title = change.task["title"]
    if change.op == "delete":
        return f"deleted '{title}'"
    usual = {"description": "", "priority": "medium", "status": "pending", "due_date": None, "title": title}
    after = {name: value for name, value in change.after.items() if change.op == "set" or value != usual.get(name)}
    word = "added" if change.op == "add" else "set"
    return f"{word} '{title}'" + "".join(f" {name}={value}" for name, value in after.items())


def _title(value: object, answer: Answer) -> str:
    thing = answer.things.get(str(value))
    return repr(thing["title"]) if thing else str(value)
