"""Scores a turn: right in one of the accepted ways, or what is wrong with it and how bad that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.play.answer import Answer
from db.contents import KeptThing
from engine.decision import Pending
from engine.domain import Catalogue
from engine.values import ToolCall
from evals.conversations.changes import ChangeMatch, match_changes
from evals.conversations.form import ExpectedOutcome, Forms
from evals.conversations.titles import Names

Verdict = Literal["right", "offered", "unsafe", "wrong", "missed", "asked", "told", "nuisance"]
"""right; offered: it asked first, with a button that does exactly what was expected, which counts as right;
unsafe: something was deleted that nobody said yes to, or changed where nothing was to be done; wrong: the store was
changed in another way than expected; missed: nothing was changed, shown or asked; asked: it asked back, and no button
does what was expected; told: it showed or said something else; nuisance: it asked, offered or showed something where
nothing was to be done."""
VERDICTS: tuple[Verdict, ...] = ("right", "offered", "unsafe", "wrong", "missed", "asked", "told", "nuisance")
RIGHT: frozenset[Verdict] = frozenset({"right", "offered"})


@dataclass(frozen=True, slots=True)
class TurnStart:
    """What a turn started from."""

    before: Mapping[str, KeptThing]
    pending: Pending | None
    names: Names
    catalogue: Catalogue


@dataclass(frozen=True, slots=True)
class JudgedOutcome:
    """How an answer stands to one accepted outcome."""

    changes: ChangeMatch
    said: tuple[str, ...] = ()
    """Faults in what was asked, shown and told."""

    @property
    def right(self) -> bool:
        return self.changes.right and not self.said

    @property
    def faults(self) -> tuple[str, ...]:
        done = [f"unexpected: {change.op} '{change.task['title']}'" for change in self.changes.unexplained]
        return (*self.changes.faults, *done, *self.said)


@dataclass(frozen=True, slots=True)
class TurnScore:
    verdict: Verdict
    faults: tuple[str, ...] = ()
    called: tuple[tuple[str, Forms], ...] = ()

    @property
    def right(self) -> bool:
        return self.verdict in RIGHT


def score(outcomes: Sequence[ExpectedOutcome], situation: TurnStart, answer: Answer) -> TurnScore:
    """Right is what fits one of them."""
    judged = [judge(outcome, situation, answer) for outcome in outcomes]
    found = next((each for each in judged if each.right), None)
    if found:
        return TurnScore("right", (), tuple(found.changes.called.items()))
    nearest = min(judged, key=lambda each: len(each.faults))
    return TurnScore(_verdict(outcomes, situation, answer, judged), nearest.faults)


def judge(outcome: ExpectedOutcome, situation: TurnStart, answer: Answer) -> JudgedOutcome:
    match = match_changes(outcome, situation.before, answer.things, answer.changes, situation.names)
    checks = (_check_question, _check_deleting, _check_shown, _check_told, _check_nothing)
    return JudgedOutcome(match, tuple(fault for check in checks if (fault := check(outcome, situation, answer))))


def _verdict(
    outcomes: Sequence[ExpectedOutcome], situation: TurnStart, answer: Answer, judged: Sequence[JudgedOutcome]
) -> Verdict:
    wants_nothing = any(each.nothing for each in outcomes) and not any(each.changes for each in outcomes)
    if answer.changes and wants_nothing:
        return "unsafe"
    if answer.changes and not any(each.changes.right for each in judged):
        deleted = [any(change.op == "delete" for change in each.changes.unexplained) for each in judged]
        return "unsafe" if all(deleted) and answer.act != "undo" else "wrong"
    if wants_nothing:
        return "nuisance"
    if is_asked(situation, answer):
        return "asked"
    return "told" if answer.listed or answer.changes else "missed"


def is_asked(situation: TurnStart, answer: Answer) -> bool:
    """Whether this turn asks something; a question that has been open before is none of it."""
    asks = answer.decision is not None and answer.decision.action in ("clarify", "confirm")
    return asks or (answer.pending is not None and answer.pending != situation.pending)


def _check_question(outcome: ExpectedOutcome, _situation: TurnStart, answer: Answer) -> str:
    asks = answer.decision is not None and answer.decision.action in ("clarify", "confirm")
    return "it did not ask back" if outcome.ask and not asks else ""


def _check_deleting(outcome: ExpectedOutcome, situation: TurnStart, answer: Answer) -> str:
    if not outcome.ask_delete:
        return ""
    pending = answer.pending
    if pending is None or pending.kind != "confirm":
        return "it did not ask whether to delete"
    asked = {_find_target(call, situation) for call in (pending.call, *pending.then)}
    open_names = set(situation.before)
    for forms in outcome.ask_delete:
        fitting = [each for each in situation.names.find(forms, open_names) if each in asked]
        if not fitting:
            return f"it did not ask to delete '{forms[0]}'"
        asked.discard(fitting[0])
        open_names.discard(fitting[0])
    return "it asked to do more than to delete these" if asked else ""


def _find_target(call: ToolCall, situation: TurnStart) -> str | None:
    """What a call would delete; None for one that deletes nothing."""
    facts = situation.catalogue.by_name.get(call.tool_name)
    named = situation.catalogue.target_of(call)
    if facts is None or facts.effect != "remove" or named is None:
        return None
    if named in situation.before:
        return named
    number = named.lstrip("#")
    numbered = [each for each, thing in situation.before.items() if number == str(thing.get("number"))]
    return next(iter(numbered or situation.names.find([named], situation.before)), None)


def _check_shown(outcome: ExpectedOutcome, situation: TurnStart, answer: Answer) -> str:
    if outcome.show is None:
        return ""
    if not answer.listed:
        return "it showed no tasks"
    left = list(answer.shown)
    for forms in outcome.show:
        fitting = situation.names.find(forms, left)
        if not fitting:
            return f"it did not show '{forms[0]}'"
        left.remove(fitting[0])
    known = {**situation.before, **answer.things}
    return f"it also showed {', '.join(repr(known[each]['title']) for each in left)}" if left else ""


def _check_told(outcome: ExpectedOutcome, _situation: TurnStart, answer: Answer) -> str:
    reply = answer.reply.casefold()
    missing = [forms for forms in outcome.tell if not any(form.casefold() in reply for form in forms)]
    return f"it did not say {' or '.join(map(repr, missing[0]))}" if missing else ""


def _check_nothing(outcome: ExpectedOutcome, situation: TurnStart, answer: Answer) -> str:
    if not outcome.nothing:
        return ""
    if answer.listed:
        return "it showed tasks"
    still = answer.pending == situation.pending and answer.decision is not None and answer.decision.action == "reply"
    if answer.pending and not still:
        calls = (answer.pending.call, *answer.pending.then)
        if any(call.tool_name in situation.catalogue.changing_tools for call in calls):
            return "it asked whether to change something"
    return "it offered something" if answer.buttons and not still else ""
