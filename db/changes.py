"""What a tool call did to one thing, as the audit trail keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from db.tasks.images import Image

SubjectKind = Literal["task", "machine", "item"]


@dataclass(frozen=True, slots=True)
class Change:
    """An image of the task or machine before and after, None where it was not there."""

    subject_id: str
    before: Image | None
    after: Image | None
    kind: SubjectKind = "task"
