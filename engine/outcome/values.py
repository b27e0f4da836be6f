"""What comes of one request."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Action, Factor, Intent, IntentScore, Pending, Reason, Reference, Slot, Step
from engine.values import ToolCall


class Outcome(NamedTuple):
    """What would be called, or what has to be asked."""

    action: Action
    intent: Intent
    reason: Reason
    message: str
    call: ToolCall | None = None
    pending: Pending | None = None
    confidence: float = 0.0
    ledger: tuple[Factor, ...] = ()
    scores: tuple[IntentScore, ...] = ()
    references: tuple[Reference, ...] = ()
    slots: tuple[Slot, ...] = ()
    steps: tuple[Step, ...] = ()
