"""The audit trail: every tool call with what it changed, and the way back.

Rows are only added. Undo is a call like any other: it puts the image from before the change back, is
recorded itself, and can therefore be undone too.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal

from sqlalchemy import Integer, bindparam, insert, update
from sqlmodel import Session, col, func, select

from db.changes import Change, SubjectKind
from db.failures import ToolFailure
from db.models import AuditRow, UserRow
from db.plain_rows import read_rows
from db.subjects import SUBJECTS, kind_of
from db.tasks.images import Image
from db.tasks.service import Clock
from engine.text.folding import title_words
from engine.values import Argument, ErrorKind, ToolCall

UNDO = "undo"
SETUP = "setup"
"""The decider of what a new database starts with: in the trail, but not offered as the last change to undo."""
# Made once, as in `db.users`: every message asks these.
_BY_KEY = select(AuditRow.id).where(AuditRow.call_key == bindparam("key"))
# By what they undo alone: asked for the person as well, the database walks through the person's whole trail.
_UNDOS = select(AuditRow.id, AuditRow.undoes, AuditRow.user_id).where(
    col(AuditRow.undoes).in_(bindparam("ids", expanding=True))
)
_INSERT = insert(AuditRow)
_LOOK_BACK = 500
"""How many rows `find_undoable` reads at the most."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who asked for a call, and where."""

    decider: str
    """engine, llm, baseline, person, import, seed, or an MCP client (see `db.clients.calls`)."""
    conversation_id: str | None = None
    turn_id: str | None = None
    batch_id: str | None = None
    key: str | None = None
    """Of a change that must not be made twice: which turn, which round of it, which call of that."""


ChangeKind = Literal["added", "deleted", "completed", "reopened", "changed"]


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change that can be taken back."""

    audit_id: str
    kind: ChangeKind
    number: int
    title: str
    count: int
    """How many tasks it touched: more than one for a batch."""
    at: datetime


@dataclass(frozen=True, slots=True)
class TrailEntry:
    """A call that belongs into the trail."""

    call: ToolCall
    result: Mapping[str, Any]
    error: ErrorKind | None = None
    change: Change | None = None
    undoes: str | None = None


def append(
    session: Session,
    user_id: str,
    call: ToolCall,
    origin: Origin,
    *,
    result: Mapping[str, Any],
    error: ErrorKind | None = None,
    change: Change | None = None,
    undoes: str | None = None,
) -> str:
    """Add one row and return its id."""
    return append_all(session, user_id, origin, [TrailEntry(call, result, error, change, undoes)])[0]


def append_all(session: Session, user_id: str, origin: Origin, entries: Sequence[TrailEntry]) -> list[str]:
    """Add a row for each, in their order, and return the ids."""
    changed = Counter(SUBJECTS[entry.change.kind].revision for entry in entries if entry.change)
    counts = {"more_audit_count": len(entries), **{f"more_{name}": count for name, count in changed.items()}}
    # On the connection: through the session, SQLAlchemy would look through every object of a large batch.
    counted = session.connection().execute(_count(tuple(sorted(changed))), {"user": user_id, **counts})
    last = counted.scalar_one()
    first = last - len(entries) + 1
    rows = [_make_row(user_id, first + place, origin, entry) for place, entry in enumerate(entries)]
    session.flush()
    # As plain values: objects, of which an import makes thousands, cost most of its time.
    session.connection().execute(_INSERT, rows)
    return [str(row["id"]) for row in rows]


@cache
def _count(revisions: tuple[str, ...]) -> Any:
    """The statement that raises a person's counters. Made once each, as those above."""
    names = ("audit_count", *revisions)
    raised = {name: getattr(UserRow, name) + bindparam(f"more_{name}", type_=Integer) for name in names}
    counted = update(UserRow).where(col(UserRow.id) == bindparam("user")).values(raised)
    return counted.returning(col(UserRow.audit_count))


def _make_row(user_id: str, sequence: int, origin: Origin, entry: TrailEntry) -> dict[str, Any]:
    change = entry.change
    changed: dict[str, str | None] = {subject.id_name: None for subject in SUBJECTS.values()}
    if change:
        changed[SUBJECTS[change.kind].id_name] = change.subject_id
    return dict(
        id=str(uuid.uuid4()),
        user_id=user_id,
        sequence=sequence,
        conversation_id=origin.conversation_id,
        turn_id=origin.turn_id,
        batch_id=origin.batch_id,
        decider=origin.decider[:80],
        tool_name=entry.call.tool_name[:80],
        arguments=[_recorded_argument(argument) for argument in entry.call.arguments],
        result=_recorded_result(entry.result),
        error_kind=entry.error,
        **changed,
        before=change.before if change else None,
        after=change.after if change else None,
        undoes=entry.undoes,
        call_key=origin.key if change else None,
        created_at=datetime.now(UTC),
    )


def refuse_second(session: Session, origin: Origin) -> None:
    """Raise if the change with this key was made already. The table holds that, too, for whoever does not ask."""
    if origin.key and read_rows(session, _BY_KEY, {"key": origin.key}).first():
        raise ToolFailure(ErrorKind.CONFLICT, "This change was made already.")


def undo(session: Session, user_id: str, audit_id: str, origin: Origin, clock: Clock) -> list[Change]:
    """Take back the call, and all others of its batch; refuse if a task or machine was changed since."""
    row = session.exec(select(AuditRow).where(AuditRow.id == audit_id, AuditRow.user_id == user_id)).first()
    if row is None or kind_of(row) is None:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such change to undo.")
    rows: Sequence[AuditRow] = [row]
    if row.batch_id:
        whole = select(AuditRow).where(AuditRow.batch_id == row.batch_id, AuditRow.user_id == user_id)
        rows = [each for each in session.exec(whole.order_by(col(AuditRow.sequence).desc())) if kind_of(each)]
    # One undo of a batch is one batch itself, so that it can be taken back in one go.
    batch = Origin(origin.decider, origin.conversation_id, origin.turn_id, str(uuid.uuid4()) if row.batch_id else None)
    return _undo_all(session, user_id, rows, batch, clock)


def find_undoable(session: Session, user_id: str, kind: SubjectKind = "task") -> RecordedChange | None:
    """The latest change of this kind that still stands: neither an undo nor undone."""
    undone: set[str] = set()
    for row in session.exec(_changes(user_id, kind).limit(_LOOK_BACK)):
        if row.id in undone:
            continue
        if row.undoes is None:
            return _recorded_change(session, row)
        undone.add(row.undoes)
    return None


def find_deleted(session: Session, user_id: str, words: Sequence[str]) -> RecordedChange | None:
    """The latest deletion that still stands of something whose title has all of these words."""
    undone: set[str] = set()
    for row in session.exec(_changes(user_id).limit(_LOOK_BACK)):
        if row.id in undone:
            continue
        if row.undoes is not None:
            undone.add(row.undoes)
        elif row.before and row.after is None and set(words) <= set(title_words(str(row.before.get("title", "")))):
            return _recorded_change(session, row)
    return None


def find_redoable(session: Session, user_id: str, kind: SubjectKind = "task") -> RecordedChange | None:
    """The undo that was the very last change of this kind, if it was one: taking it back is a redo."""
    row = session.exec(_changes(user_id, kind).limit(1)).first()
    if row is None or row.undoes is None:
        return None
    undone = session.get(AuditRow, row.undoes)
    # Taking back a redo is an undo again; only an undo of a real change is offered as a redo.
    return _recorded_change(session, row) if undone is not None and undone.undoes is None else None


def find_undone(session: Session, user_id: str, audit_ids: Sequence[str]) -> set[str]:
    """Which of these changes are taken back at the moment: undone, and not redone since."""
    rows = read_rows(session, _UNDOS, {"ids": list(audit_ids)}) if audit_ids else ()
    undos = {row.id: str(row.undoes) for row in rows if row.user_id == user_id}
    redone = find_undone(session, user_id, list(undos)) if undos else set()
    return {change for undo_id, change in undos.items() if undo_id not in redone}


def _changes(user_id: str, kind: SubjectKind = "task") -> Any:
    subject = col(getattr(AuditRow, SUBJECTS[kind].id_name))
    changes = select(AuditRow).where(AuditRow.user_id == user_id, subject.is_not(None))
    changes = changes.where(AuditRow.decider != SETUP)
    return changes.order_by(col(AuditRow.sequence).desc())


def _recorded_change(session: Session, row: AuditRow) -> RecordedChange:
    count, subject = 1, SUBJECTS[kind_of(row) or "task"]
    if row.batch_id:
        batch = select(func.count()).select_from(AuditRow)
        changed = col(getattr(AuditRow, subject.id_name)).is_not(None)
        count = session.exec(batch.where(AuditRow.batch_id == row.batch_id, changed)).one()
    image: Image = row.after or row.before or {}
    kind, number = _kind(row.before, row.after), int(image.get("number", 0))
    return RecordedChange(row.id, kind, number, str(image[subject.title]), count, row.created_at)


def _kind(before: Image | None, after: Image | None) -> ChangeKind:
    if before is None:
        return "added"
    if after is None:
        return "deleted"
    if before.get("status") != after.get("status"):
        return "completed" if after["status"] == "completed" else "reopened"
    return "changed"


def _undo_all(session: Session, user_id: str, rows: Sequence[AuditRow], origin: Origin, clock: Clock) -> list[Change]:
    """The later change first: one thing may have been changed several times in a batch."""
    changed = [(kind_of(row) or "task", row) for row in rows]
    images: dict[SubjectKind, dict[str, Image | None]] = {}
    for kind in dict.fromkeys(kind for kind, _ in changed):
        ids = dict.fromkeys(_subject_id(kind, row) for each, row in changed if each == kind)
        images[kind] = {**ids, **SUBJECTS[kind].find_images(session, user_id, ids)}
    entries = []
    for kind, row in changed:
        subject, subject_id, image = SUBJECTS[kind], _subject_id(kind, row), row.before or row.after or {}
        if images[kind][subject_id] != row.after:
            message = f"{subject.describe(image)} was changed since. Undo the later change first."
            raise ToolFailure(ErrorKind.CONFLICT, message)
        images[kind][subject_id] = row.before
        change = Change(subject_id, before=row.after, after=row.before, kind=kind)
        result = {"status": "success", subject.id_name: subject_id, "title": str(image.get(subject.title, ""))}
        entries.append(TrailEntry(ToolCall(UNDO), result, change=change, undoes=row.id))
    for kind, wanted in images.items():
        SUBJECTS[kind].apply_images(session, user_id, wanted, clock)
    append_all(session, user_id, origin, entries)
    return [entry.change for entry in entries if entry.change]


def _subject_id(kind: SubjectKind, row: AuditRow) -> str:
    return str(getattr(row, SUBJECTS[kind].id_name))


def _recorded_argument(argument: Argument) -> dict[str, Any]:
    """Values come from outside: keep what JSON can hold, and no more of a huge text than helps."""
    value, origin = argument.value, argument.provenance
    if isinstance(value, str):
        value = value[:2000].encode("utf-8", "replace").decode()
    elif not isinstance(value, int | float | bool | None):
        value = repr(value)[:2000].encode("utf-8", "replace").decode()
    span = {"start": origin.span.start, "end": origin.span.end} if origin.span else None
    provenance = {"source": origin.source, "span": span, "detail": origin.detail}
    return {"name": str(argument.name)[:80], "value": value, "provenance": provenance}


def _recorded_result(result: Mapping[str, Any]) -> dict[str, Any]:
    """What a list holds is recorded by its ids: the tasks and machines themselves have their own history."""
    recorded = {key: value for key, value in result.items() if key not in ("tasks", "machines")}
    for listed, ids in (("tasks", "task_ids"), ("machines", "machine_ids")):
        if listed in result:
            recorded[ids] = [each["id"] for each in result[listed]]
    return recorded
