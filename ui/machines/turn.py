"""A turn of the chat with the machines: what was said, and under it how the call was completed. No streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from assistant.machine_values import read_asked, read_composition
from db.machine_turns import MachineTurn
from engine.memory_fleet import MemoryFleet
from ui.machines.composition import (
    calls_html,
    candidates_html,
    hints_html,
    label_ids,
    ledger_html,
    verdict_html,
)


@dataclass(frozen=True, slots=True)
class MachineTurnView:
    turn: MachineTurn
    undone: bool
    threshold: float


def changes_in(turn: MachineTurn) -> list[str]:
    """Where in the audit trail the turn's changes are."""
    return [str(result["audit_id"]) for result in turn.results if result["audit_id"]]


def said_html(view: MachineTurnView) -> str:
    turn = view.turn
    undone = ' <span class="tl-chip">undone</span>' if view.undone else ""
    return (
        f'<div class="tl-turn" id="turn-{escape(turn.id)}"><div class="tl-said"><span class="tl-who">You</span>'
        f'{_text(turn.text) or "<i>(empty)</i>"}</div><div class="tl-reply">{_text(turn.reply)}{undone}</div></div>'
    )


def reasoning_html(view: MachineTurnView, fleet: MemoryFleet, *, folded: bool) -> str:
    """One line that opens to the reasoning."""
    composition = read_composition(view.turn)
    asked = read_asked(view.turn)
    losers = [each for each in composition.candidates if each.lost]
    parts = [
        calls_html(composition, label_ids(composition, fleet)),
        hints_html(asked.text, composition) if composition.hints else "",
        ledger_html(composition, view.threshold),
        candidates_html(composition.candidates) if losers or composition.status != "completed" else "",
    ]
    opened = "" if folded else " open"
    cancelled = view.turn.composition.get("cancelled")
    verdict = '<p class="tm-verdict">The question was called off.</p>' if cancelled else verdict_html(composition)
    return (
        f'<details class="tl-fold tm-fold"{opened}><summary>{verdict}</summary>'
        f'<div class="tm-reasoning">{"".join(parts)}</div></details>'
    )


def _text(text: object) -> str:
    return escape(str(text)).replace("\n", "<br>")
