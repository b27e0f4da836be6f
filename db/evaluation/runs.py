"""Evaluation runs: kept for the person who started them, worked on by one process at a time.

A run belongs to the process that works on it (`owner`), which says every few seconds that it still does. If it does not
any more, because the workbench was stopped, another one may claim the run and go on where the kept results end. Results
are only taken from the owner: whoever lost a run to another finds out with the next batch, and nothing is kept twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import Session, col, delete, select, update

from db.evaluation.run_models import EvaluationResultRow, EvaluationRunRow, EvaluationSetRow
from db.evaluation.run_values import KeptRun, RunStatus
from db.evaluation.sets import NAME_LIMIT, remove_unused_sets
from db.failures import ToolFailure
from domains.loading import TASKS
from engine.values import ErrorKind

KEPT_RUNS = 30
SILENCE = timedelta(seconds=45)
"""An owner that has said nothing for so long is gone."""
LATEST = timedelta(hours=1)
"""What was left behind before that is gone on with only by who asks for it."""


def start_run(
    session: Session,
    user_id: str,
    *,
    set_id: str,
    name: str,
    deciders: Sequence[Mapping[str, Any]],
    cases: int,
    owner: str,
    problems: Sequence[str] = (),
    domain: str = TASKS,
    part_of: str | None = None,
) -> str:
    """The run's id. The oldest runs beyond those kept go; a baseline and what still runs stay."""
    moment = datetime.now(UTC)
    row = EvaluationRunRow(
        id=str(uuid.uuid4()),
        user_id=user_id,
        set_id=set_id,
        domain=domain,
        name=_clean(name) or "Unnamed",
        status="running",
        deciders=[dict(each) for each in deciders],
        total=cases * len(deciders),
        problems=list(problems),
        part_of=part_of,
        owner=owner,
        seen_at=moment,
        created_at=moment,
    )
    session.add(row)
    session.flush()
    removable = [run for run in list_runs(session, user_id)[KEPT_RUNS:] if not run.is_baseline]
    for old in removable:
        if old.status != "running":
            remove_run(session, user_id, old.id)
    return row.id


def list_runs(session: Session, user_id: str, *, domain: str | None = None) -> tuple[KeptRun, ...]:
    """The newest first."""
    wanted = (
        select(EvaluationRunRow, EvaluationSetRow)
        .join(EvaluationSetRow, col(EvaluationSetRow.id) == col(EvaluationRunRow.set_id))
        .where(EvaluationRunRow.user_id == user_id)
        .order_by(col(EvaluationRunRow.created_at).desc(), col(EvaluationRunRow.id))
    )
    found = (_snapshot(row, kept) for row, kept in session.exec(wanted))
    return tuple(run for run in found if domain in (None, run.domain))


def find_run(session: Session, user_id: str, run_id: str) -> KeptRun | None:
    row = session.get(EvaluationRunRow, run_id)
    if row is None or row.user_id != user_id:
        return None
    kept = session.get(EvaluationSetRow, row.set_id)
    return _snapshot(row, kept) if kept else None


def is_interrupted(run: KeptRun, now: datetime | None = None) -> bool:
    """Whether nobody works on a run that has not ended: its owner has been silent. One's own process knows better than
    the clock what it works on; see `evals.evaluate.room`."""
    if run.status != "running":
        return False
    return run.seen_at is None or (now or datetime.now(UTC)) - run.seen_at > SILENCE


def claim_run(session: Session, user_id: str, run_id: str, owner: str) -> KeptRun | None:
    """Take a run over, whatever became of it before; None if there is no such run. An owner that is still there
    notices with its next batch."""
    row = _own_row(session, user_id, run_id)
    if row is None:
        return None
    row.owner, row.seen_at, row.status, row.finished_at = owner, datetime.now(UTC), "running", None
    row.wants_end = False
    session.flush()
    return find_run(session, user_id, run_id)


def find_left(session: Session, now: datetime) -> tuple[tuple[str, str], ...]:
    """Runs whose owner fell silent a while ago, and whose they are: another process may go on with them."""
    running = select(EvaluationRunRow).where(
        EvaluationRunRow.status == "running",
        col(EvaluationRunRow.seen_at) < now - SILENCE,
        col(EvaluationRunRow.seen_at) > now - LATEST,
        col(EvaluationRunRow.wants_end).is_(False),
    )
    return tuple((row.user_id, row.id) for row in session.exec(running))


def ask_to_end(session: Session, user_id: str, run_id: str) -> None:
    """Whichever process works on it hears so within seconds."""
    own = (col(EvaluationRunRow.id) == run_id, col(EvaluationRunRow.user_id) == user_id)
    session.exec(update(EvaluationRunRow).where(*own).values(wants_end=True))


def wants_end(session: Session, run_id: str) -> bool:
    return bool(session.exec(select(EvaluationRunRow.wants_end).where(EvaluationRunRow.id == run_id)).first())


def say_alive(session: Session, run_id: str, owner: str) -> bool:
    """Whether the run is still this owner's."""
    told = session.exec(
        update(EvaluationRunRow)
        .where(col(EvaluationRunRow.id) == run_id, col(EvaluationRunRow.owner) == owner)
        .values(seen_at=datetime.now(UTC))
    )
    return bool(told.rowcount)


def finish_run(session: Session, run_id: str, owner: str, status: RunStatus) -> None:
    """Only the owner ends a run."""
    row = session.get(EvaluationRunRow, run_id)
    if row is not None and row.owner == owner:
        row.status, row.finished_at = status, datetime.now(UTC)
        session.flush()


def rename_run(session: Session, user_id: str, run_id: str, name: str) -> None:
    row = _own_row(session, user_id, run_id)
    if row is None:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such run.")
    row.name = _clean(name) or row.name
    session.flush()


def mark_baseline(session: Session, user_id: str, run_id: str, *, is_baseline: bool) -> None:
    """The run that others are held against: at most one for each person and domain."""
    row = _own_row(session, user_id, run_id)
    if row is None:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such run.")
    if is_baseline:
        others = select(EvaluationRunRow).where(
            EvaluationRunRow.user_id == user_id, EvaluationRunRow.domain == row.domain
        )
        for other in session.exec(others):
            other.is_baseline = False
    row.is_baseline = is_baseline
    session.flush()


def remove_run(session: Session, user_id: str, run_id: str) -> bool:
    row = _own_row(session, user_id, run_id)
    if row is None:
        return False
    session.exec(delete(EvaluationResultRow).where(col(EvaluationResultRow.run_id) == run_id))
    session.delete(row)
    session.flush()
    remove_unused_sets(session, user_id)
    return True


def _own_row(session: Session, user_id: str, run_id: str) -> EvaluationRunRow | None:
    row = session.get(EvaluationRunRow, run_id)
    return row if row is not None and row.user_id == user_id else None


def _clean(name: str) -> str:
    return " ".join(name.split())[:NAME_LIMIT]


def _in_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _snapshot(row: EvaluationRunRow, kept: EvaluationSetRow) -> KeptRun:
    return KeptRun(
        id=row.id,
        set_id=row.set_id,
        domain=row.domain,
        name=row.name,
        status=row.status,  # type: ignore[arg-type]
        deciders=tuple(row.deciders),
        total=row.total,
        done=row.done,
        problems=tuple(row.problems),
        is_baseline=row.is_baseline,
        part_of=row.part_of,
        owner=row.owner,
        seen_at=_in_utc(row.seen_at) if row.seen_at else None,
        created_at=_in_utc(row.created_at),
        finished_at=_in_utc(row.finished_at) if row.finished_at else None,
        set_name=kept.name,
        fingerprint=kept.fingerprint,
        size=kept.size,
    )
