"""What would flip it, on the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from engine.border.wire import read_task
from engine.decider import RuleDecider
from engine.decision import Decision
from engine.explaining.flips import Flips, find_flips
from engine.policy.rule_places import find_rule_place, find_weight_place
from engine.targets.memory_index import MemoryIndex
from engine.targets.recorded_index import ReplayIndex, read_lookups
from ui.inspect.input import make_context
from ui.inspect.steps import render_table
from ui.inspect.words import headline
from ui.lanes import current_engine


@lru_cache(maxsize=64)
def _find(text: str, wire_json: str, decider: RuleDecider) -> Flips:
    """Cached: the page runs again at every click, and a search takes a few hundred decisions."""
    wire = json.loads(wire_json)
    tasks = [read_task(entry, position) for position, entry in enumerate(wire.get("tasks") or (), start=1)]
    lookups = read_lookups(wire.get("lookups"))
    make_index = partial(ReplayIndex, lookups=lookups) if lookups else MemoryIndex
    return find_flips(text, make_context(wire), tasks, decider, make_index=make_index)


def render_flips(text: str, wire: Mapping[str, Any]) -> None:
    st.markdown("### 8 · What would flip it")
    flips = _find(text, json.dumps(wire, sort_keys=True), current_engine())
    if not flips.found:
        st.caption("No small change was found that would lead to another decision.")
    else:
        st.caption(
            f"Now: {_said(flips.before, wire)}. The smallest changes after which it would be another decision, "
            "each tried on the engine:"
        )
        rows = []
        kind = ""
        for flip in flips.found:
            shown = flip.kind.replace(" ", "\u00a0") if flip.kind != kind else ""
            kind = flip.kind
            find_place = find_weight_place if flip.kind == "weight" else find_rule_place
            place = find_place(flip.rule, flip.policy) if flip.policy else None
            change = f"{flip.change} ({place})" if place else flip.change
            rows.append((shown, change, f"→ {headline(flip.after, flip.context)} ({flip.after.reason})"))
        render_table(("Kind", "Change", "Then"), rows)
    if not flips.complete:
        st.caption(f"The search stopped after {flips.runs} tries; there may be more.")


def _said(decision: Decision, wire: Mapping[str, Any]) -> str:
    return f"{headline(decision, make_context(wire))} ({decision.reason})".replace("*", "")
