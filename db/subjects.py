"""What a change can be about, and how undo treats each kind: how to see it, put it back, and name it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlmodel import Session, select

from db.changes import SubjectKind
from db.items.service import apply_item_image, find_item_image
from db.machines.images import apply_machine_image, find_machine_image
from db.models import AuditRow, TaskRow
from db.tasks.images import Image, apply_image, make_image
from db.tasks.service import Clock


class Subject(NamedTuple):
    find_image: Callable[[Session, str, str], Image | None]
    """Of this user's one, as it is now; None where there is none."""
    apply_image: Callable[[Session, str, Image | None, Clock], None]
    describe: Callable[[Image], str]
    title: str
    """Under which name the image has what people call it."""
    id_name: str
    """The name of its id in results, and of its column in the audit trail."""
    revision: str
    """The user's column that counts its changes."""


def _find_task_image(session: Session, user_id: str, task_id: str) -> Image | None:
    row = session.exec(select(TaskRow).where(TaskRow.id == task_id, TaskRow.user_id == user_id)).first()
    return make_image(row) if row else None


def _apply_task_image(session: Session, task_id: str, image: Image | None, _clock: Clock) -> None:
    apply_image(session, task_id, image)


SUBJECTS: dict[SubjectKind, Subject] = {
    "task": Subject(
        _find_task_image,
        _apply_task_image,
        lambda image: f"Task #{image.get('number')} '{image.get('title')}'",
        "title",
        "task_id",
        "revision",
    ),
    "machine": Subject(
        find_machine_image,
        apply_machine_image,
        lambda image: f"{image.get('name')}",
        "name",
        "machine_id",
        "machines_revision",
    ),
    "item": Subject(
        find_item_image,
        lambda session, item_id, image, _clock: apply_item_image(session, item_id, image),
        lambda image: f"#{image.get('number')} '{image.get('title')}'",
        "title",
        "item_id",
        "revision",
    ),
}


def kind_of(row: AuditRow) -> SubjectKind | None:
    """What the row changed; None where it changed nothing."""
    return "task" if row.task_id else "machine" if row.machine_id else "item" if row.item_id else None
