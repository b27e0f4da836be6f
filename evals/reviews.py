"""Reviewing a turn: a verdict for each lane, and the labelled case that the right ones make. One transaction each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from db.connection import Session
from db.evaluation.cases import save_case
from db.evaluation.verdicts import (
    Lane,
    Verdict,
    VerdictChange,
    attach_case,
    find_case_ids,
    find_last_change,
    read_verdicts,
    set_verdict,
)
from db.turns.turns import get_own_turn, read_decisions, snapshot
from domains.loading import TASKS
from engine.border.json_form import from_json
from engine.decision import Decision
from evals.labels import label_of


@dataclass(frozen=True, slots=True)
class Reviewed:
    """How a turn stands after a verdict."""

    verdicts: Mapping[Lane, Verdict]
    complete: bool
    """Every lane that decided has its verdict."""
    changed: bool
    case_id: str | None = None
    new_case: bool = False
    """Whether the case was not there before."""

    @property
    def all_wrong(self) -> bool:
        return self.complete and set(self.verdicts.values()) == {"wrong"}


def review_turn(
    session: Session, user_id: str, turn_id: str, lane: Lane, verdict: Verdict | None, *, undoes: str | None = None
) -> Reviewed:
    """Give, change or (None) take back a verdict, and bring the turn's case in line with it."""
    before = find_case_ids(session, user_id, turn_id)
    changed = set_verdict(session, user_id, turn_id, lane, verdict, undoes=undoes)
    turn = snapshot(get_own_turn(session, user_id, turn_id))
    verdicts = read_verdicts(session, user_id, [turn_id]).get(turn_id, {})
    bodies = read_decisions(session, user_id, [turn_id]).get(turn_id, {})
    lanes = judged_lanes(turn.llm_status)
    right = [from_json(Decision, bodies[name]) for name in lanes if verdicts.get(name) == "right" and name in bodies]
    expected = label_of(right)
    case_id, new = None, False
    if expected:
        case, new = save_case(
            session, user_id, turn.text, context_of_case(turn.context, turn.domain), expected, from_review=True
        )
        case_id = case.id
    attach_case(session, user_id, turn_id, case_id, before)
    return Reviewed(verdicts, all(name in verdicts for name in lanes), changed, case_id, new)


def take_back_last(session: Session, user_id: str) -> VerdictChange | None:
    """Undo the latest verdict; what was undone, or None if there is nothing left to undo."""
    change = find_last_change(session, user_id)
    if change:
        review_turn(session, user_id, change.turn_id, change.lane, change.before, undoes=change.id)
    return change


def judged_lanes(llm_status: str) -> tuple[Lane, ...]:
    """An LLM that gave no answer decided nothing that could be judged."""
    return ("engine", "llm") if llm_status == "answered" else ("engine",)


def context_of_case(context: Mapping[str, Any], domain: str = TASKS) -> dict[str, Any]:
    """As Inspect writes it, so that the same case from there and from here is one."""
    kept = {name: value for name, value in context.items() if name != "lookups" or value}
    return kept if domain == TASKS else {**kept, "domain": domain}
