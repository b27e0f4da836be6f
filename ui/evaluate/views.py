"""One run: which part of it is looked at, by which decider."""

from __future__ import annotations

import streamlit as st

from db.evaluation.run_values import KeptRun
from db.users import User
from ui.address_controls import render_segments
from ui.evaluate.filters import render_filters
from ui.evaluate.scoreboard import render_scoreboard
from ui.evaluate.table import render_table
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import read_value

VIEWS = {"scoreboard": "Scoreboard"}
WHO = "who"


def render_run(user: User, run: KeptRun, runs: tuple[KeptRun, ...], *, busy: bool) -> None:
    if not run.done:
        st.caption("Figures and messages appear here with the first answers.")
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(width="content"):
            render_segments("View", "view", VIEWS, "scoreboard")
        decider = _render_who(run)
    render_scoreboard(run, decider)
    st.markdown("### Messages")
    render_table(user, run, render_filters(run, decider), busy=busy)


def _render_who(run: KeptRun) -> int:
    places = list(range(len(run.labels)))
    start_from_address(WHO, places, 0)
    if len(places) > 1:
        st.selectbox(
            "Decider",
            places,
            format_func=lambda place: run.labels[place],
            key=WHO,
            width=280,
            label_visibility="collapsed",
            help="Whose figures and messages are shown.",
        )
    show_in_address(WHO, 0)
    return int(read_value(WHO) or 0)
