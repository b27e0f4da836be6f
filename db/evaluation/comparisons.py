"""Runs of the Compare page: kept in the database, each for the person who started it, and only the latest of them.

In the database rather than in files: the lines are filtered and paged by it, isolation between people is the same as
everywhere, and removing a person's data finds all of it in one place.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlmodel import Session, col, delete, func, select

from db.failures import ToolFailure
from db.models import ComparedLineRow, ComparisonRow
from db.processes import OWN_ID
from domains.loading import TASKS
from engine.values import ErrorKind

KEPT_RUNS = 20
NAME_LIMIT = 80
Status = Literal["running", "done", "cancelled", "failed"]
Show = Literal["all", "wrong", "right", "differs", "silent", "broken", "agree"]


@dataclass(frozen=True, slots=True)
class Comparison:
    id: str
    domain: str
    name: str
    status: Status
    deciders: tuple[str, ...]
    total: int
    done: int
    summary: tuple[Mapping[str, Any], ...]
    problems: tuple[str, ...]
    created_at: datetime
    worker: str | None = None
    """The process that works on it, while it runs."""


@dataclass(frozen=True, slots=True)
class ComparedLine:
    line: int
    text: str
    context: Mapping[str, Any] | None
    intent: str
    differs: bool
    silent: bool
    broken: bool
    answers: tuple[Mapping[str, Any], ...]
    expected: Mapping[str, Any] | None = None
    """What it should come to, as a case says it; None: nobody said."""
    wrong: bool | None = None
    """Whether a decider missed that; None: nothing was expected."""


def start_comparison(
    session: Session,
    user_id: str,
    *,
    name: str,
    deciders: Sequence[str],
    total: int,
    problems: Sequence[str],
    domain: str = TASKS,
    recipe: Mapping[str, Any] | None = None,
) -> str:
    """The run's id. The oldest runs beyond those kept go. `recipe`: what another process needs to go on with it."""
    row = ComparisonRow(
        id=str(uuid.uuid4()),
        user_id=user_id,
        domain=domain,
        name=" ".join(name.split())[:NAME_LIMIT] or "Unnamed",
        status="running",
        deciders=list(deciders),
        total=total,
        problems=list(problems),
        worker=OWN_ID,
        recipe=dict(recipe) if recipe else None,
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    for old in list_comparisons(session, user_id)[KEPT_RUNS:]:
        remove_comparison(session, user_id, old.id)
    return row.id


def add_lines(
    session: Session, comparison_id: str, lines: Iterable[ComparedLine], summary: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether the run is still this process's: it may have been removed meanwhile, or taken over."""
    row = session.get(ComparisonRow, comparison_id)
    if row is None or row.worker != OWN_ID:
        return False
    added = [
        ComparedLineRow(
            comparison_id=comparison_id,
            line=each.line,
            text=each.text,
            context=dict(each.context) if each.context is not None else None,
            intent=each.intent,
            differs=each.differs,
            silent=each.silent,
            broken=each.broken,
            answers=[dict(answer) for answer in each.answers],
            expected=dict(each.expected) if each.expected is not None else None,
            wrong=each.wrong,
        )
        for each in lines
    ]
    session.add_all(added)
    row.done, row.summary = row.done + len(added), [dict(each) for each in summary]
    session.flush()
    return True


def finish_comparison(session: Session, comparison_id: str, status: Status) -> None:
    """Only the process that works on it ends it."""
    row = session.get(ComparisonRow, comparison_id)
    if row is not None and row.worker == OWN_ID:
        row.status, row.recipe = status, None
        session.flush()


def list_comparisons(session: Session, user_id: str) -> tuple[Comparison, ...]:
    """The newest first."""
    own = select(ComparisonRow).where(ComparisonRow.user_id == user_id)
    return tuple(_snapshot(row) for row in session.exec(own.order_by(col(ComparisonRow.created_at).desc())))


def find_comparison(session: Session, user_id: str, comparison_id: str) -> Comparison | None:
    row = session.get(ComparisonRow, comparison_id)
    return _snapshot(row) if row is not None and row.user_id == user_id else None


def rename_comparison(session: Session, user_id: str, comparison_id: str, name: str) -> None:
    row, cleaned = session.get(ComparisonRow, comparison_id), " ".join(name.split())
    if row is None or row.user_id != user_id:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such run.")
    row.name = cleaned[:NAME_LIMIT] or row.name
    session.flush()


def remove_comparison(session: Session, user_id: str, comparison_id: str) -> bool:
    row = session.get(ComparisonRow, comparison_id)
    if row is None or row.user_id != user_id:
        return False
    session.exec(delete(ComparedLineRow).where(col(ComparedLineRow.comparison_id) == comparison_id))
    session.delete(row)
    session.flush()
    return True


def count_lines(session: Session, comparison_id: str, show: Show = "all", intent: str | None = None) -> int:
    wanted = select(func.count()).select_from(ComparedLineRow).where(*_conditions(comparison_id, show, intent))
    return session.exec(wanted).one()


def find_lines(
    session: Session,
    comparison_id: str,
    show: Show = "all",
    intent: str | None = None,
    *,
    limit: int | None = None,
    offset: int = 0,
) -> tuple[ComparedLine, ...]:
    wanted = select(ComparedLineRow).where(*_conditions(comparison_id, show, intent))
    rows = session.exec(wanted.order_by(col(ComparedLineRow.line)).limit(limit).offset(offset))
    return tuple(_line(row) for row in rows)


def find_line(session: Session, user_id: str, comparison_id: str, line: int) -> ComparedLine | None:
    if find_comparison(session, user_id, comparison_id) is None:
        return None
    row = session.get(ComparedLineRow, (comparison_id, line))
    return _line(row) if row else None


def _line(row: ComparedLineRow) -> ComparedLine:
    return ComparedLine(
        line=row.line,
        text=row.text,
        context=row.context,
        intent=row.intent,
        differs=row.differs,
        silent=row.silent,
        broken=row.broken,
        answers=tuple(row.answers),
        expected=row.expected,
        wrong=row.wrong,
    )


def _conditions(comparison_id: str, show: Show, intent: str | None) -> list[Any]:
    found: list[Any] = [ComparedLineRow.comparison_id == comparison_id]
    if show == "agree":
        flags = (ComparedLineRow.differs, ComparedLineRow.silent, ComparedLineRow.broken)
        found += [col(flag).is_(False) for flag in flags]
    elif show == "right":
        found.append(col(ComparedLineRow.wrong).is_(False))
    elif show != "all":
        found.append(col(getattr(ComparedLineRow, show)).is_(True))
    if intent:
        found.append(ComparedLineRow.intent == intent)
    return found


def _snapshot(row: ComparisonRow) -> Comparison:
    return Comparison(
        id=row.id,
        domain=row.domain,
        name=row.name,
        status=row.status,  # type: ignore[arg-type]
        deciders=tuple(row.deciders),
        total=row.total,
        done=row.done,
        summary=tuple(row.summary),
        problems=tuple(row.problems),
        created_at=row.created_at,
        worker=row.worker,
    )
