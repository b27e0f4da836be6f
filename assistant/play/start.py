"""How a conversation begins, as a line or a file says it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from db.failures import ToolFailure
from db.tasks.due import parse_due
from domains.loading import TASKS, list_domains, load_domain
from engine.outcome.routing import Driver
from engine.values import DESCRIPTION_LIMIT, TITLE_LIMIT, Priority, Status


def _canonical_due(text: str) -> str:
    try:
        return str(parse_due(text))
    except ToolFailure as failure:
        raise ValueError(failure.message) from None


Due = Annotated[str, AfterValidator(_canonical_due)]
"""A day, or a day with a time, as the store writes it."""


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StartingTask(Strict):
    """A task that is there before the first turn."""

    title: str = Field(min_length=1, max_length=TITLE_LIMIT)
    description: str = Field(default="", max_length=DESCRIPTION_LIMIT)
    priority: Priority = "medium"
    due_date: Due | None = None
    status: Status = "pending"


def _known_domain(name: str) -> str:
    if name not in list_domains():
        raise ValueError(f"there is no domain {name!r}; there are: {', '.join(list_domains())}")
    return name


class Start(Strict):
    """Everything has a default: an empty store, the engine, the time it is."""

    id: Any = None
    """Comes back with every answer of the conversation."""
    user: str = Field(default="Maya", min_length=1, max_length=80)
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
