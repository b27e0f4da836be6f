"""What a change can be about, and how undo treats each kind: how to see it, put it back, and name it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from sqlmodel import Session

from db.changes import SubjectKind
from db.items.service import apply_item_image, find_item_image
from db.machines.images import apply_machine_image, find_machine_image
from db.models import AuditRow
from db.tasks.images import Image, apply_images, find_images
from db.tasks.service import Clock


class Subject(NamedTuple):
    find_images: Callable[[Session, str, Collection[str]], Mapping[str, Image]]
    """Of this user's ones with these ids, as they are now; those that are gone are missing."""
    apply_images: Callable[[Session, str, Mapping[str, Image | None], Clock], None]
    """Make this user's ones what the images say, or gone."""
    describe: Callable[[Image], str]
    title: str
    """Under which name the image has what people call it."""
    id_name: str
    """The name of its id in results, and of its column in the audit trail."""
    revision: str
    """The user's column that counts its changes."""


def _apply_task_images(session: Session, user_id: str, images: Mapping[str, Image | None], _clock: Clock) -> None:
    apply_images(session, user_id, images)


def _one_by_one(find: Callable[[Session, str, str], Image | None]) -> Callable[..., Mapping[str, Image]]:
    """Of things that are never changed by thousands."""

    def find_all(session: Session, user_id: str, ids: Collection[str]) -> Mapping[str, Image]:
        found = {each: find(session, user_id, each) for each in ids}
        return {each: image for each, image in found.items() if image is not None}

    return find_all


def _apply_machine_images(session: Session, _user_id: str, images: Mapping[str, Image | None], clock: Clock) -> None:
    for machine_id, image in images.items():
        apply_machine_image(session, machine_id, image, clock)


def _apply_item_images(session: Session, _user_id: str, images: Mapping[str, Image | None], _clock: Clock) -> None:
    for item_id, image in images.items():
        apply_item_image(session, item_id, image)


SUBJECTS: dict[SubjectKind, Subject] = {
    "task": Subject(
        find_images,
        _apply_task_images,
        lambda image: f"Task #{image.get('number')} '{image.get('title')}'",
        "title",
        "task_id",
        "revision",
    ),
    "machine": Subject(
        _one_by_one(find_machine_image),
        _apply_machine_images,
        lambda image: f"{image.get('name')}",
        "name",
        "machine_id",
        "machines_revision",
    ),
    "item": Subject(
        _one_by_one(find_item_image),
        _apply_item_images,
        lambda image: f"#{image.get('number')} '{image.get('title')}'",
        "title",
        "item_id",
        "revision",
    ),
}


def kind_of(row: AuditRow) -> SubjectKind | None:
    """What the row changed; None where it changed nothing."""
    return "task" if row.task_id else "machine" if row.machine_id else "item" if row.item_id else None
