"""One run: which part of it is looked at, by which decider, and the messages below."""

from __future__ import annotations

import streamlit as st

from db.evaluation.run_values import KeptRun
from db.users import User
from ui.address_controls import render_segments
from ui.evaluate.against import render_against
from ui.evaluate.calibration import render_calibration
from ui.evaluate.confusion import render_confusion
from ui.evaluate.filters import hold_against, render_filters
from ui.evaluate.labels import render_labels
from ui.evaluate.scoreboard import render_scoreboard
from ui.evaluate.slices import render_slices
from ui.evaluate.table import render_table
from ui.evaluate.thresholds import render_thresholds
from ui.state.address import first_page, show_in_address, start_from_address
from ui.state.fields import place_of, read_value

VIEWS = {
    "scoreboard": "Scoreboard",
    "confusion": "Confusion",
    "against": "Compared",
    "slices": "Slices",
    "calibration": "Calibration",
    "thresholds": "Thresholds",
    "labels": "Labels",
}
_WITH_MESSAGES = {"scoreboard": render_scoreboard, "confusion": render_confusion, "slices": render_slices}
_ALONE = {"calibration": render_calibration, "thresholds": render_thresholds}
WHO = "who"


def render_run(user: User, run: KeptRun, runs: tuple[KeptRun, ...], *, busy: bool) -> None:
    if not run.done:
        st.caption("Figures and messages appear here with the first answers.")
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(width="content"):
            view = render_segments("View", "view", VIEWS, "scoreboard")
        # Doubts about a label are of all deciders together.
        decider = 0 if view == "labels" else _render_who(run)
    if view == "labels":
        render_labels(user, run)
    elif view in _ALONE:
        _ALONE[view](run, decider)
    elif view == "against":
        _render_compared(user, run, decider, runs, busy=busy)
    else:
        _WITH_MESSAGES[view](run, decider)
        st.markdown("### Messages")
        render_table(user, run, render_filters(run, decider), busy=busy)


def _render_compared(user: User, run: KeptRun, decider: int, runs: tuple[KeptRun, ...], *, busy: bool) -> None:
    held = render_against(run, decider, runs)
    if held is None:
        return
    (other, other_decider), chosen = held
    st.markdown("### Messages")
    wanted = hold_against(render_filters(run, decider, by_verdict=False), (other.id, other_decider), chosen)
    name = other.labels[other_decider] + ("" if other.id == run.id else f", {other.name}")
    render_table(user, run, wanted, other=name, busy=busy)


def _render_who(run: KeptRun) -> int:
    places = list(range(len(run.labels)))
    start_from_address(WHO, places, 0)
    if len(places) > 1:
        st.selectbox(
            "Decider",
            places,
            index=place_of(WHO, places),
            format_func=lambda place: run.labels[place],
            key=WHO,
            width=240,
            label_visibility="collapsed",
            on_change=first_page,
            help="Whose figures and messages are shown.",
        )
    show_in_address(WHO, 0)
    return int(read_value(WHO) or 0)
