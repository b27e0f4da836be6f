"""What a turn changed, and whether that was taken back. No streamlit."""

from __future__ import annotations

from db.turns.turns import StoredTurn


def changes_in(turn: StoredTurn) -> list[str]:
    """Where in the audit trail the turn's changes are."""
    return [str(result["audit_id"]) for result in turn.results if result["audit_id"]]


def is_undone(turn: StoredTurn, undone: set[str]) -> bool:
    changes = changes_in(turn)
    return bool(changes) and all(change in undone for change in changes)
