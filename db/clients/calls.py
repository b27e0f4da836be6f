"""The calls of MCP clients, read from the audit trail: for the Tools page, and for whoever lists what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text
from sqlmodel import Session, col, select

from db.models import AuditRow
from engine.values import ErrorKind

CLIENT_MARK = "mcp: "
"""How the decider of a client's call begins; its name follows. The index `tool_calls_by_client` knows it, too."""
OF_CLIENTS = "decider >= 'mcp: ' AND decider < 'mcp:!'"
"""Word for word what the index says: with bound values in its place SQLite would not use it."""
_MOST_NAME = 70


@dataclass(frozen=True, slots=True)
class ClientCall:
    audit_id: str
    sequence: int
    """Counts up per person; `before=` takes it to read on."""
    at: datetime
    client: str
    tool_name: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]
    """As recorded: a list's tasks by their ids."""
    error: ErrorKind | None

    @property
    def message(self) -> str:
        return str(self.result.get("error_message", ""))


def client_decider(name: str) -> str:
    """What stands as the decider of a client's calls. The name comes from outside: one line, no more than fits."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in name).split())
    return CLIENT_MARK + (plain[:_MOST_NAME] or "a client without a name")


def list_client_calls(
    session: Session, user_id: str, *, limit: int, before: int | None = None
) -> tuple[ClientCall, ...]:
    """Newest first."""
    calls = select(AuditRow).where(AuditRow.user_id == user_id, text(OF_CLIENTS))
    if before is not None:
        calls = calls.where(AuditRow.sequence < before)
    return tuple(_read(row) for row in session.exec(calls.order_by(col(AuditRow.sequence).desc()).limit(limit)))


def _read(row: AuditRow) -> ClientCall:
    return ClientCall(
        audit_id=row.id,
        sequence=row.sequence,
        at=row.created_at if row.created_at.tzinfo else row.created_at.replace(tzinfo=UTC),
        client=row.decider.removeprefix(CLIENT_MARK),
        tool_name=row.tool_name,
        arguments={argument["name"]: argument["value"] for argument in row.arguments},
        result=row.result,
        error=ErrorKind(row.error_kind) if row.error_kind else None,
    )
