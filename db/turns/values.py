"""A turn as it leaves the room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row

from db.models import TurnRow

LLMStatus = Literal["off", "waiting", "answered", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class StoredTurn:
    id: str
    user_id: str
    conversation_id: str
    position: int
    text: str
    driver: str
    lane: str | None
    """Who acted; None while the turn waits for the LLM."""
    route: str | None
    reply: str | None
    task_ids: tuple[str, ...]
    results: tuple[Mapping[str, Any], ...]
    context: Mapping[str, Any]
    llm_status: LLMStatus
    llm_summary: Mapping[str, Any]
    created_at: datetime
    agreement: str | None = None
    domain: str = "tasks"
    offers: tuple[Mapping[str, Any], ...] = ()
    """What it offered to do next."""
    stripped: bool = False
    """Whether its words were taken out, after the time that turns are kept."""
    worker: str | None = None
    """The process that asks the LLM for it."""
    progress: Mapping[str, Any] | None = None
    """How far an LLM has come in it; None: it has done nothing yet, or is at its end."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What came of a turn."""

    lane: str
    route: str
    reply: str
    task_ids: Sequence[str]
    results: Sequence[Mapping[str, Any]]
    pending: Mapping[str, Any] | None
    offers: Sequence[Mapping[str, Any]] = ()
    progress: Mapping[str, Any] | None = None
    """Where the turn was cut off: from where it can be gone on with."""


def snapshot(row: TurnRow | Row[Any], *, whole: bool = True) -> StoredTurn:
    return StoredTurn(
        id=row.id,
        user_id=row.user_id,
        conversation_id=row.conversation_id,
        position=row.position,
        text=row.text,
        driver=row.driver,
        lane=row.lane,
        route=row.route,
        reply=row.reply,
        task_ids=tuple(row.task_ids),
        results=tuple(row.results),
        context=row.context if whole else {},
        llm_status=row.llm_status,  # type: ignore[arg-type]
        llm_summary=row.llm_summary,
        created_at=row.created_at,
        agreement=row.agreement,
        domain=row.domain,
        offers=tuple(row.offers),
        stripped=row.stripped_at is not None,
        worker=row.worker,
        progress=row.progress,
    )
