"""A bulk run on Evaluate: its figures at once, and the messages of a cell, a part, a rule or a change page by page."""

from __future__ import annotations

import streamlit as st

from db.users import User
from evals.bulk.report import BulkFigures
from ui.address_controls import render_segments
from ui.bulk.changes import render_changes
from ui.bulk.reading import ListedBulkRun, read_figures
from ui.bulk.runs import choose_bulk_run, render_bad_lines
from ui.bulk.table import render_table
from ui.evaluate.bulk_confidence import render_confidence
from ui.evaluate.bulk_figures import render_parts, render_rules, render_shares
from ui.evaluate.bulk_filters import render_filters
from ui.evaluate.confusion import render_matrix, render_ways
from ui.evaluate.sentences import order_mistakes
from ui.state.address import first_page, show_in_address, start_from_address
from ui.state.fields import place_of, read_value

VIEWS = {
    "figures": "Figures",
    "confusion": "Confusion",
    "changes": "Changes",
    "parts": "Slices",
    "confidence": "Confidence",
    "rules": "Rules",
}
WHO = "who"


def render_bulk(user: User) -> None:
    run = choose_bulk_run()
    if run is None:
        return
    figures = read_figures(run)
    if figures is None:
        st.caption("Figures and messages appear here with the first shard.")
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(width="content"):
            view = render_segments("View", "bulk_view", _views(run, figures), "figures")
        side = _render_who(run) if view != "changes" else 0
    if view == "changes":
        render_changes(user, run, figures)
    elif view == "confidence":
        render_confidence(figures, side)
    else:
        _render_with_messages(user, run, figures, view, side)
    render_bad_lines(figures.bad, list(figures.whole.get("bad_lines", ())))


def _views(run: ListedBulkRun, figures: BulkFigures) -> dict[str, str]:
    """Only what the run has something for: a confusion needs labels, a change two policies."""
    left_out = {*([] if figures.labelled else ["confusion"]), *([] if run.both else ["changes"])}
    return {name: words for name, words in VIEWS.items() if name not in left_out}


def _render_with_messages(user: User, run: ListedBulkRun, figures: BulkFigures, view: str, side: int) -> None:
    rule = ""
    if view == "figures":
        render_shares(figures, side)
    elif view == "confusion":
        behind, shares = render_ways()
        mistakes = order_mistakes(figures.cells(side, behind=behind, wrong=True))
        render_matrix(f"bulk-{run.id}-{side}", figures.confusion(side, behind=behind), mistakes, shares=shares)
    elif view == "parts":
        render_parts(figures, side)
    else:
        rule = render_rules(figures, side)
    st.markdown("### Messages")
    render_table(user, run, render_filters(figures, side, rule=rule))


def _render_who(run: ListedBulkRun) -> int:
    places = list(range(len(run.plan.names)))
    start_from_address(WHO, places, 0)
    if len(places) > 1:
        st.selectbox(
            "Decider",
            places,
            index=place_of(WHO, places),
            format_func=lambda place: run.plan.names[place],
            key=WHO,
            width=240,
            label_visibility="collapsed",
            on_change=first_page,
            help="Whose figures and messages are shown.",
        )
    show_in_address(WHO, 0)
    return int(read_value(WHO) or 0)
