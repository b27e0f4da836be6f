"""What would flip it, on the page."""

from __future__ import annotations

import json
from functools import lru_cache, partial

import streamlit as st

from domains.loading import load_domain
from engine.border.wire import read_task
from engine.decider import RuleDecider
from engine.decision import Decision
from engine.explaining.anatomy import ReadingDecider
from engine.explaining.flips import Flips, find_flips
from engine.policy.rule_places import find_rule_place, find_weight_place
from engine.targets.memory_index import MemoryIndex
from engine.targets.recorded_index import ReplayIndex, read_lookups
from ui.given.message import InspectInput, make_context
from ui.inspect.cells import HintedCell
from ui.inspect.editing import EditLinks
from ui.inspect.flip_words import describe_change, name_kind
from ui.inspect.table import render_table
from ui.lanes import reading_engine
from ui.turns.headline import headline

_EDITED = ("threshold", "weight")


@lru_cache(maxsize=64)
def _find(text: str, wire_json: str, domain: str, decider: ReadingDecider) -> Flips:
    """Cached: the page runs again at every click, and a search takes a few hundred decisions."""
    wire = json.loads(wire_json)
    context, states = make_context(wire, domain), load_domain(domain).catalogue.states
    if not isinstance(decider, RuleDecider):
        things, own_index = decider.things(context), partial(decider.with_things, context)
        return find_flips(text, context, things, decider, make_index=own_index)
    tasks = [read_task(entry, position, states) for position, entry in enumerate(wire.get("tasks") or (), start=1)]
    lookups = read_lookups(wire.get("lookups"))
    make_index = partial(ReplayIndex, lookups=lookups) if lookups else MemoryIndex
    return find_flips(text, context, tasks, decider, make_index=make_index)


def render_flips(given: InspectInput, links: EditLinks) -> None:
    st.markdown("### 8 · What would flip it")
    decider = reading_engine(load_domain(given.domain), given.thresholds)
    wire = json.dumps(given.context_wire, sort_keys=True)
    flips = _find(given.text, wire, given.domain, decider)  # type: ignore[arg-type]  # a decider is one of a kind
    if not flips.found:
        st.caption("No small change was found that would lead to another decision.")
    else:
        st.caption(
            f"Now: {_said(flips.before, given)}. The smallest changes after which it would be another decision, "
            "each tried on the engine:"
        )
        rows = []
        kind = ""
        for flip in flips.found:
            shown = name_kind(flip, given.domain).replace(" ", "\u00a0") if flip.kind != kind else ""
            kind = flip.kind
            find_place = find_weight_place if flip.kind == "weight" else find_rule_place
            place = find_place(flip.rule, flip.policy) if flip.policy else None
            change = HintedCell(describe_change(flip), f"{flip.change} ({place})" if place else "")
            edit = links.cell(flip.rule) if flip.kind in _EDITED else HintedCell("")
            rows.append(
                (shown, change, edit, HintedCell(f"→ {headline(flip.after, flip.context)}", str(flip.after.reason)))
            )
        render_table(("Kind", "Change", "What to edit", "Then"), rows, "What would flip it")
    if not flips.complete:
        st.caption(f"The search stopped after {flips.runs} tries; there may be more.")


def _said(decision: Decision, given: InspectInput) -> str:
    return headline(decision, make_context(given.context_wire, given.domain)).replace("*", "")
