"""What a filter of a run's table means in the database."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import and_, col, or_, select

from db.evaluation.run_models import EvaluationCaseRow, EvaluationResultRow, EvaluationRunRow, EvaluationSliceRow
from db.evaluation.run_values import Against, ResultFilter
from engine.text.folding import fold


def join_cases(query: Any, run_id: str, wanted: ResultFilter, other: Any = None) -> Any:
    """The query over the results of a run, with their cases and, where asked for, what they are held against."""
    query = query.join(EvaluationRunRow, col(EvaluationRunRow.id) == col(EvaluationResultRow.run_id)).join(
        EvaluationCaseRow,
        and_(
            col(EvaluationCaseRow.set_id) == col(EvaluationRunRow.set_id),
            col(EvaluationCaseRow.position) == col(EvaluationResultRow.position),
        ),
    )
    query = query.where(*_conditions(run_id, wanted))
    if wanted.against:
        query = _held_against(query, wanted.against, aliased(EvaluationResultRow) if other is None else other)
    return query


def _conditions(run_id: str, wanted: ResultFilter) -> list[Any]:
    found: list[Any] = [EvaluationResultRow.run_id == run_id, EvaluationResultRow.decider == wanted.decider]
    for name in ("verdict", "label", "final", "behind"):
        if getattr(wanted, name):
            found.append(getattr(EvaluationResultRow, name) == getattr(wanted, name))
    if wanted.passed is not None:
        found.append(col(EvaluationResultRow.passed).is_(wanted.passed))
    if wanted.severity:
        found.append(EvaluationCaseRow.severity == wanted.severity)
    if wanted.slice:
        name, value = wanted.slice
        inside = select(EvaluationSliceRow.position).where(
            EvaluationSliceRow.set_id == EvaluationRunRow.set_id,
            EvaluationSliceRow.name == name,
            EvaluationSliceRow.value == value,
        )
        found.append(col(EvaluationResultRow.position).in_(inside))
    if fold(wanted.text):
        words = fold(wanted.text)
        said = col(EvaluationCaseRow.text_key).contains(words, autoescape=True)
        found.append(or_(said, col(EvaluationCaseRow.case_id).icontains(words, autoescape=True)))
    return found


def _held_against(query: Any, against: Against, other: Any) -> Any:
    query = query.join(
        other,
        and_(
            other.run_id == against.run_id,
            other.decider == against.decider,
            other.case_key == EvaluationResultRow.case_key,
        ),
    )
    mine, theirs = col(EvaluationResultRow.passed), other.passed
    if against.change in ("fixed", "broken"):
        is_fixed = against.change == "fixed"
        query = query.where(mine.is_(is_fixed), theirs.is_(not is_fixed))
    elif against.change:
        same = EvaluationResultRow.signature == other.signature
        query = query.where(mine == theirs, same if against.change == "unchanged" else ~same)
    if against.tile:
        rights = {"both": (True, True), "first": (True, False), "second": (False, True), "neither": (False, False)}
        first, second = rights[against.tile]
        query = query.where(mine.is_(first), theirs.is_(second))
    return query
