"""Which turns of a person: a query as a value, and what it means in the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, case
from sqlmodel import and_, col, not_, or_, select

from db.evaluation.review_models import VerdictRow
from db.evaluation.verdicts import Lane, Verdict
from db.models import DecisionRow, TurnRow
from engine.text.folding import fold

Standing = Literal["all", "disagree", "agree", "differ", "silent", "broken", "alone"]
HistoryOrder = Literal["newest", "differ"]
_STANDINGS: dict[str, tuple[str, ...]] = {
    "agree": ("agree", "both_silent"),
    "differ": ("differ",),
    "silent": ("first_silent", "second_silent"),
    "disagree": ("differ", "first_silent", "second_silent", "broken"),
}
_FAILED = ("failed", "cancelled")
_DECIDED = ("intent", "action", "reason")


@dataclass(frozen=True, slots=True)
class TurnQuery:
    """Which turns. What is None does not matter."""

    standing: Standing = "all"
    """`disagree`: both answered, and not the same; `broken`: a broken call or no answer; `alone`: the LLM was not
    asked, or has not answered yet."""
    domain: str | None = None
    driver: str | None = None
    lane: str | None = None
    route: str | None = None
    decider: str | None = None
    """Whose intent, action and reason are meant; None: either lane's."""
    intent: str | None = None
    action: str | None = None
    reason: str | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Up to, and without, this moment."""
    with_words: bool = False
    """Only those that still have theirs: the others can be counted, but not read or decided again."""
    reviewed: bool | None = None
    verdict: tuple[Lane, Verdict] | None = None
    order: HistoryOrder = "newest"


def standing_of_turn(agreement: str | None, status: str) -> Standing:
    """The same for one turn: the class that it is counted in."""
    if agreement == "broken" or status in _FAILED:
        return "broken"
    found: tuple[Standing, ...] = ("agree", "differ", "silent")
    return next((name for name in found if agreement in _STANDINGS[name]), "alone")


def conditions(user_id: str, query: TurnQuery) -> list[Any]:
    found: list[Any] = [TurnRow.user_id == user_id]
    for name in ("domain", "driver", "lane", "route"):
        if getattr(query, name):
            found.append(getattr(TurnRow, name) == getattr(query, name))
    found += _standing_conditions(query.standing)
    read = [getattr(DecisionRow, name) == getattr(query, name) for name in _DECIDED if getattr(query, name)]
    if query.decider:
        read.append(DecisionRow.decider == query.decider)
    if read:
        # Not "exists": to look each turn up took three times as long as one list of those that fit.
        found.append(col(TurnRow.id).in_(select(DecisionRow.turn_id).where(DecisionRow.user_id == user_id, *read)))
    if query.text and fold(query.text):
        found.append(col(TurnRow.text_key).contains(fold(query.text), autoescape=True))
    if query.with_words:
        found.append(col(TurnRow.stripped_at).is_(None))
    if query.since:
        found.append(TurnRow.created_at >= query.since)
    if query.until:
        found.append(TurnRow.created_at < query.until)
    return found + _review_conditions(user_id, query)


def _standing_conditions(standing: Standing) -> list[ColumnElement[bool]]:
    if standing in _STANDINGS:
        return [col(TurnRow.agreement).in_(_STANDINGS[standing])]
    if standing == "broken":
        return [or_(col(TurnRow.agreement) == "broken", col(TurnRow.llm_status).in_(_FAILED))]
    if standing == "alone":
        return [col(TurnRow.agreement).is_(None), col(TurnRow.llm_status).not_in(_FAILED)]
    return []


def _review_conditions(user_id: str, query: TurnQuery) -> list[ColumnElement[bool]]:
    """Verdicts are few beside turns: the database looks each turn up in the list of those that have one."""
    found = []
    if query.verdict:
        found.append(_judged(user_id, *query.verdict))
    if query.reviewed is not None:
        silent = col(TurnRow.llm_status) != "answered"
        complete = and_(_judged(user_id, "engine"), or_(silent, _judged(user_id, "llm")))
        found.append(complete if query.reviewed else not_(complete))
    return found


def _judged(user_id: str, lane: Lane, verdict: Verdict | None = None) -> ColumnElement[bool]:
    rows = select(VerdictRow.turn_id).where(VerdictRow.user_id == user_id, VerdictRow.lane == lane)
    return col(TurnRow.id).in_(rows.where(VerdictRow.verdict == verdict) if verdict else rows)


def order_of(query: TurnQuery) -> tuple[Any, ...]:
    newest = (col(TurnRow.created_at).desc(), col(TurnRow.position).desc(), col(TurnRow.id).desc())
    if query.order == "newest":
        return newest
    weight = case(
        (col(TurnRow.agreement) == "differ", 0),
        (col(TurnRow.agreement).in_(_STANDINGS["silent"]), 1),
        (col(TurnRow.agreement) == "broken", 2),
        else_=3,
    )
    return (weight, *newest)
