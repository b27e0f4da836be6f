"""What deciders made of the cases of a run: added in batches, counted, filtered and paged by the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, and_, col, func, or_, select

from db.evaluation.run_models import EvaluationCaseRow, EvaluationResultRow, EvaluationRunRow, EvaluationSliceRow
from db.evaluation.run_values import Against, ListedCase, ResultFilter, ScoredCase
from db.evaluation.sets import kept_case, load_slices
from engine.text.folding import fold

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
    own = (
        select(EvaluationResultRow)
        .where(EvaluationResultRow.run_id == run_id, EvaluationResultRow.decider == decider)
        .order_by(col(EvaluationResultRow.position))
    )
    if not with_detail:
        own = own.options(defer(EvaluationResultRow.detail))  # type: ignore[arg-type]
    return tuple(_scored(row, with_detail=with_detail) for row in session.exec(own))


def count_results(session: Session, run_id: str, wanted: ResultFilter) -> int:
    query = _joined(select(func.count()).select_from(EvaluationResultRow), run_id, wanted)
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
    query: Any = _joined(chosen, run_id, wanted, other)
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
    query: Any = _joined(select(EvaluationResultRow, EvaluationCaseRow), run_id, ResultFilter(decider=decider))
    found = session.exec(query.where(EvaluationResultRow.position == position)).first()
    if found is None:
        return None
    slices = load_slices(session, found[1].set_id, [position])
    return ListedCase(kept_case(found[1], slices.get(position, {})), _scored(found[0]))


def find_positions(session: Session, run_id: str, wanted: ResultFilter) -> tuple[int, ...]:
    """Of every case that the filter shows: what is run again."""
    query: Any = _joined(select(EvaluationResultRow.position), run_id, wanted)
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


def _joined(query: Any, run_id: str, wanted: ResultFilter, other: Any = None) -> Any:
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
        found.append(or_(said, col(EvaluationCaseRow.case_id).contains(words, autoescape=True)))
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


def _scored(row: EvaluationResultRow, *, with_detail: bool = True) -> ScoredCase:
    plain = {name: getattr(row, name) for name in _COLUMNS}
    arguments = tuple((intent, name, right) for intent, name, right in row.arguments)
    return ScoredCase(key=row.case_key, arguments=arguments, detail=row.detail if with_detail else {}, **plain)
