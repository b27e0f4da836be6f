"""The scoreboard: how each decider of a run did."""

from __future__ import annotations

import streamlit as st

from db.evaluation.run_values import KeptRun
from evals.evaluate.scoreboard import Scoreboard
from ui.address_controls import render_segments
from ui.evaluate.reading import read_scoreboard, stamp_of
from ui.evaluate.tables import arguments_html, intents_html, scoreboard_html
from ui.evaluate.words import count_cases, format_interval, format_share
from ui.markdown import verbatim

_PARTS = {"outcomes": "Outcomes", "intents": "By intent", "arguments": "By argument"}


def render_scoreboard(run: KeptRun, decider: int) -> None:
    boards = [read_scoreboard(stamp_of(run), place, label, run.domain) for place, label in enumerate(run.labels)]
    st.markdown("  \n".join(_tell(board) for board in boards))
    part = render_segments("Figures", "part", _PARTS, "outcomes")
    if part == "outcomes":
        st.html(scoreboard_html(boards))
    elif part == "intents":
        _render_intents(boards[decider])
    elif boards[decider].arguments:
        st.caption(f"{verbatim(boards[decider].label)}, where a case says something about an argument.")
        st.html(arguments_html(boards[decider]))
    else:
        st.caption("No case of this set says anything about arguments.")


def _render_intents(board: Scoreboard) -> None:
    behind = st.toggle(
        "Count the intent behind a question or refusal",
        key="intents_behind",
        help="Otherwise only what was acted on or confirmed counts as read.",
    )
    st.caption(f"{verbatim(board.label)}, by what was meant and what came of it.")
    st.html(intents_html(board, behind=behind))


def _tell(board: Scoreboard) -> str:
    if not board.cases:
        return f"**{verbatim(board.label)}** has not answered yet."
    return (
        f"**{verbatim(board.label)}** is right on **{format_share(board.right)}** of {count_cases(board.cases)} "
        f"(95%: {format_interval(board.right)})."
    )
