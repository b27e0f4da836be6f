"""A run held against another, or a decider against another of the same run: what was fixed and what broke."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.evaluation.run_values import KeptRun
from evals.evaluate.comparing import RunComparison
from ui.address_controls import render_segments
from ui.evaluate.filters import AGAINST, ALL, CHANGE, show_all
from ui.evaluate.reading import read_comparison, stamp_of
from ui.evaluate.slice_tables import compared_slices_html
from ui.evaluate.words import format_moment
from ui.markdown import verbatim
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import place_of, put_value, read_value

Other = tuple[KeptRun, int]


def render_against(run: KeptRun, decider: int, runs: Sequence[KeptRun]) -> tuple[Other, str] | None:
    """What it is held against, and which of the counts was chosen; None where there is nothing to hold it against."""
    options = find_others(run, decider, runs)
    if not options:
        st.info(
            "There is nothing to hold it against yet. Run several deciders at once, or run the same cases again after "
            "a change.",
            icon=":material/difference:",
        )
        return None
    start_from_address(AGAINST, list(options), next(iter(options)))
    st.selectbox(
        "Held against",
        list(options),
        index=place_of(AGAINST, list(options)),
        format_func=lambda name: _describe(run, *options[name]) if name in options else "",
        key=AGAINST,
        on_change=show_all,
        help="A baseline run stands first, then the other deciders of this run, then older runs.",
    )
    show_in_address(AGAINST, next(iter(options)))
    other, other_decider = options[str(read_value(AGAINST))]
    names = _name_both(run, decider, other, other_decider)
    compared = read_comparison(stamp_of(other), other_decider, names[0], stamp_of(run), decider, names[1], run.set_id)
    st.markdown(f"**{verbatim(compared.sentence)}**")
    if compared.sharing_sentence:
        st.warning(verbatim(compared.sharing_sentence), icon=":material/join_inner:")
    chosen = _render_tiles(compared) if other.id == run.id else _render_changes(compared)
    _render_slices(compared)
    return (other, other_decider), chosen


def find_others(run: KeptRun, decider: int, runs: Sequence[KeptRun]) -> dict[str, Other]:
    """The baseline first, then this run's other deciders, then other runs, the newest first."""
    fitting = [each for each in runs if each.domain == run.domain and each.done and each.id != run.id]
    baseline = [each for each in fitting if each.is_baseline]
    others = [each for each in fitting if not each.is_baseline]
    here = [(run, place) for place in range(len(run.labels)) if place != decider]
    before = [(each, _same_decider(run, decider, each)) for each in baseline]
    elsewhere = [(each, place) for each in others for place in range(len(each.labels))]
    rest = [(each, place) for each in baseline for place in range(len(each.labels))]
    return {f"{each.id}:{place}": (each, place) for each, place in (*before, *here, *rest, *elsewhere)}


def _same_decider(run: KeptRun, decider: int, other: KeptRun) -> int:
    """The one of the same name, or else the first."""
    label = run.labels[decider]
    return other.labels.index(label) if label in other.labels else 0


def _describe(run: KeptRun, other: KeptRun, decider: int) -> str:
    if other.id == run.id:
        return f"{run.labels[decider]}, in this run"
    star = "★ " if other.is_baseline else ""
    return f"{star}{other.labels[decider]}, in {other.name} of {format_moment(other.created_at)}"


def _name_both(run: KeptRun, decider: int, other: KeptRun, other_decider: int) -> tuple[str, str]:
    """Short names for a sentence: of two runs the runs', unless they are called alike."""
    if other.id == run.id:
        return other.labels[other_decider], run.labels[decider]
    first, second = other.labels[other_decider], run.labels[decider]
    return f"{first} before", f"{second} now" if first == second else second


def _render_changes(compared: RunComparison) -> str:
    counts = {
        ALL: compared.shared,
        "fixed": len(compared.fixed),
        "broken": len(compared.broken),
        "changed": len(compared.changed),
        "unchanged": len(compared.unchanged),
    }
    words = {ALL: "All", "fixed": "✓ Fixed", "broken": "✕ Broken", "changed": "Changed", "unchanged": "Unchanged"}
    labels = {name: f"{words[name]} {count:,}" for name, count in counts.items()}
    hint = "**Changed**: as right or as wrong as before, but decided otherwise."
    # What broke is what one came for; then what was fixed.
    first = next((name for name in ("broken", "fixed", "changed") if counts[name]), ALL)
    return str(render_segments("Changes", CHANGE, labels, first, hint=hint))


def _render_tiles(compared: RunComparison) -> str:
    """Who is right, as four tiles that open their messages."""
    tiles = {
        "both": ("Both right", compared.both),
        "first": (f"Only {compared.second}", len(compared.fixed)),
        "second": (f"Only {compared.first}", len(compared.broken)),
        "neither": ("Neither", compared.neither),
    }
    start_from_address(CHANGE, [ALL, *tiles], ALL)
    chosen = str(read_value(CHANGE))
    for (name, (label, count)), column in zip(tiles.items(), st.columns(len(tiles)), strict=True):
        with column:
            share = f"{count / compared.shared:.1%}" if compared.shared else "–"
            st.button(
                f"**{count:,}**  \n{verbatim(label)} · {share}",
                key=f"tile-{name}",
                type="primary" if chosen == name else "secondary",
                width="stretch",
                on_click=choose_tile,
                args=(ALL if chosen == name else name,),
                help="Shows all again." if chosen == name else "Shows these messages below.",
            )
    show_in_address(CHANGE, ALL)
    return chosen


def choose_tile(name: str) -> None:
    put_value(CHANGE, name)
    show_all()


def _render_slices(compared: RunComparison) -> None:
    if compared.slices:
        with st.expander("Slice by slice", icon=":material/segment:"):
            st.caption("p is McNemar's, corrected by Holm over the slices; with fewer than 20 cases none is given.")
            st.html(compared_slices_html(compared))
