"""A turn of the chat with the machines: what was said, and under it how the call was completed. No streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.machine_values import read_asked, read_composition
from db.machine_turns import MachineTurn
from domains.machines.memory_fleet import MemoryFleet
from ui.machines.calls import Call, label_ids, read_calls
from ui.machines.composition import (
    Candidates,
    Ledger,
    Verdict,
    read_candidates,
    read_hints,
    read_ledger,
    read_verdict,
)
from ui.templates import draw
from ui.turns import said
from ui.turns.marked_text import Chip, split_at_chips


@dataclass(frozen=True, slots=True)
class MachineTurnView:
    turn: MachineTurn
    undone: bool
    threshold: float


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What unfolds under a turn; whatever is None or empty is not shown."""

    opened: bool
    verdict: Verdict | None
    """None: the question was called off."""
    calls: tuple[Call, ...]
    stretches: tuple[tuple[str, Chip | None], ...]
    ledger: Ledger | None
    candidates: Candidates | None


def changes_in(turn: MachineTurn) -> list[str]:
    """Where in the audit trail the turn's changes are."""
    return [str(result["audit_id"]) for result in turn.results if result["audit_id"]]


def said_html(view: MachineTurnView) -> str:
    turn = view.turn
    return said.said_html(said.Said(turn.id, turn.text, turn.reply, view.undone))


def reasoning_html(view: MachineTurnView, fleet: MemoryFleet, *, folded: bool) -> str:
    """One line that opens to the reasoning."""
    composition, asked = read_composition(view.turn), read_asked(view.turn)
    losers = any(each.lost for each in composition.candidates)
    cancelled = bool(view.turn.composition.get("cancelled"))
    return draw(
        "machines/turn",
        "reasoning",
        Reasoning(
            opened=not folded,
            verdict=None if cancelled else read_verdict(composition),
            calls=read_calls(composition, label_ids(composition, fleet)),
            stretches=split_at_chips(asked.text, read_hints(composition)) if composition.hints else (),
            ledger=read_ledger(composition, view.threshold),
            candidates=read_candidates(composition.candidates) if losers or composition.status != "completed" else None,
        ),
    )
