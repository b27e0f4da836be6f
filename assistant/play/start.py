"""How a conversation begins, as a line or a file says it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from db.failures import ToolFailure
from db.tasks.due import parse_due
from db.text import clean_description, clean_title
from db.users import NAME_LIMIT
from domains.loading import TASKS, list_domains, load_domain
from engine.outcome.routing import Driver
from engine.values import Priority, Status


def _as_the_store(keeps: Callable[[str], object]) -> AfterValidator:
    """A text in the form that the store keeps; what it refuses is told as it tells it."""

    def check(text: str) -> str:
        try:
            return str(keeps(text))
        except ToolFailure as failure:
            raise ValueError(failure.message) from None

    return AfterValidator(check)


DueText = Annotated[str, _as_the_store(parse_due)]
"""A day, or a day with a time."""
Title = Annotated[str, _as_the_store(clean_title)]
NoteText = Annotated[str, _as_the_store(clean_description)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StartingTask(Strict):
    """A task that is there before the first turn."""

    title: Title
    description: NoteText = ""
    priority: Priority = "medium"
    due_date: DueText | None = None
    status: Status = "pending"

    @model_validator(mode="before")
    @classmethod
    def _leave_out_null(cls, given: Any) -> Any:
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given


def _known_domain(name: str) -> str:
    if name not in list_domains():
        raise ValueError(f"there is no domain {name!r}; there are: {', '.join(list_domains())}")
    return name


class Start(Strict):
    """Everything has a default: an empty store, the engine, the time it is."""

    id: Any = None
    """Comes back with every answer of the conversation."""
    user: Title = Field(default="Maya", max_length=NAME_LIMIT)
    now: datetime = Field(default_factory=datetime.now)
    lang: str | None = None
    """None: the words tell."""
    driver: Driver = "engine"
    domain: Annotated[str, AfterValidator(_known_domain)] = TASKS
    tasks: tuple[StartingTask, ...] = ()

    def model_post_init(self, _context: Any) -> None:
        known = load_domain(self.domain).languages
        if self.lang is not None and self.lang not in known:
            raise ValueError(f"lang must be one of {', '.join(known)}, not {self.lang!r}")
        if self.tasks and self.domain != TASKS:
            raise ValueError(f"tasks can only be given in the domain {TASKS}")

    @property
    def moment(self) -> datetime:
        """With its zone; without one it is the time here."""
        return self.now if self.now.tzinfo else self.now.astimezone()
