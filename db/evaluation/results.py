"""What deciders made of the cases of a run: added in batches, counted, filtered and paged by the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy import select as sa_select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from db.evaluation.result_filters import join_cases
from db.evaluation.run_models import EvaluationCaseRow, EvaluationResultRow, EvaluationRunRow
from db.evaluation.run_values import ListedCase, ResultFilter, ScoredCase
from db.evaluation.sets import kept_case, load_slices

_COLUMNS = (
    "position", "verdict", "passed", "label", "final", "behind", "reading_right", "action", "outcome", "confidence",
    "milliseconds", "signature", "prompt_tokens", "answer_tokens", "cost", "weighing",
)  # fmt: skip


def add_results(session: Session, run_id: str, owner: str, results: Sequence[tuple[int, ScoredCase]]) -> bool:
    """Each with the number of its decider. False, and nothing is kept, where the run is not this owner's any more."""
    row = session.get(EvaluationRunRow, run_id)
    if row is None or row.owner != owner:
        return False
    if results:
        session.execute(insert(EvaluationResultRow), [_values(run_id, decider, each) for decider, each in results])
    row.done, row.seen_at = row.done + len(results), datetime.now(UTC)
    session.flush()
    return True


def _values(run_id: str, decider: int, scored: ScoredCase) -> dict[str, Any]:
    plain = {name: getattr(scored, name) for name in _COLUMNS if name != "weighing"}
    return {
        **plain,
        "run_id": run_id,
        "decider": decider,
        "case_key": scored.key,
        "arguments": [list(each) for each in scored.arguments],
        "weighing": dict(scored.weighing) if scored.weighing is not None else None,
        "detail": dict(scored.detail),
    }


def done_positions(session: Session, run_id: str) -> set[tuple[int, int]]:
    """Decider and position of what is finished: the rest is to do."""
    found = session.exec(
        select(EvaluationResultRow.decider, EvaluationResultRow.position).where(EvaluationResultRow.run_id == run_id)
    )
    return {(decider, position) for decider, position in found}


def load_scored(session: Session, run_id: str, decider: int, *, with_detail: bool = False) -> tuple[ScoredCase, ...]:
    """All results of a decider, by position. Figures need no details, which are most of what is kept."""
    names = ("case_key", "arguments", *_COLUMNS, *(("detail",) if with_detail else ()))
    # Columns rather than rows: an object of the mapper for each of ten thousand takes three times as long.
    own = (
        sa_select(*(getattr(EvaluationResultRow, name) for name in names))
        .where(col(EvaluationResultRow.run_id) == run_id, col(EvaluationResultRow.decider) == decider)
        .order_by(col(EvaluationResultRow.position))
    )
    plain = names[2:]
    return tuple(
        ScoredCase(key=key, arguments=_arguments(arguments), **dict(zip(plain, rest, strict=True)))
        for key, arguments, *rest in session.execute(own)
    )


def count_results(session: Session, run_id: str, wanted: ResultFilter) -> int:
    query = join_cases(select(func.count()).select_from(EvaluationResultRow), run_id, wanted)
    return int(session.exec(query).one())


def find_results(
    session: Session, run_id: str, wanted: ResultFilter, *, limit: int | None = None, offset: int = 0
) -> tuple[ListedCase, ...]:
    """A page of a table, in the order of the set."""
    other = aliased(EvaluationResultRow)
    chosen = (
        select(EvaluationResultRow, EvaluationCaseRow, other)
        if wanted.against
        else select(EvaluationResultRow, EvaluationCaseRow)
    )
    query: Any = join_cases(chosen, run_id, wanted, other)
    rows = session.exec(query.order_by(col(EvaluationResultRow.position)).limit(limit).offset(offset)).all()
    if not rows:
        return ()
    slices = load_slices(session, rows[0][1].set_id, [row[1].position for row in rows])
    return tuple(
        ListedCase(
            kept_case(row[1], slices.get(row[1].position, {})),
            _scored(row[0]),
            _scored(row[2]) if wanted.against else None,
        )
        for row in rows
    )


def find_result(session: Session, run_id: str, decider: int, position: int) -> ListedCase | None:
    """One line of a table, by the case's place in its set."""
    query: Any = join_cases(select(EvaluationResultRow, EvaluationCaseRow), run_id, ResultFilter(decider=decider))
    found = session.exec(query.where(EvaluationResultRow.position == position)).first()
    if found is None:
        return None
    slices = load_slices(session, found[1].set_id, [position])
    return ListedCase(kept_case(found[1], slices.get(position, {})), _scored(found[0]))


def find_positions(session: Session, run_id: str, wanted: ResultFilter) -> tuple[int, ...]:
    """Of every case that the filter shows: what is run again."""
    query: Any = join_cases(select(EvaluationResultRow.position), run_id, wanted)
    return tuple(session.exec(query.order_by(col(EvaluationResultRow.position))))


def count_cells(session: Session, run_id: str, decider: int, *, behind: bool) -> dict[tuple[str, str], int]:
    """(label, what came of it) -> how many cases: a confusion matrix."""
    column = EvaluationResultRow.behind if behind else EvaluationResultRow.final
    counted = (
        select(EvaluationResultRow.label, column, func.count())
        .where(EvaluationResultRow.run_id == run_id, EvaluationResultRow.decider == decider)
        .group_by(EvaluationResultRow.label, column)
    )
    return {(label, came): count for label, came, count in session.exec(counted)}


def _scored(row: EvaluationResultRow) -> ScoredCase:
    plain = {name: getattr(row, name) for name in _COLUMNS}
    return ScoredCase(key=row.case_key, arguments=_arguments(row.arguments), detail=row.detail, **plain)


def _arguments(kept: list[list[Any]]) -> tuple[tuple[str, str, bool], ...]:
    return tuple((intent, name, right) for intent, name, right in kept)
