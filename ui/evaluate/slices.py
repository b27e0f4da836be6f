"""The parts of a set, each with its figures; small ones are marked, not judged."""

from __future__ import annotations

import streamlit as st

from db.evaluation.run_values import KeptRun
from evals.evaluate.slices import SLICE_WORDS
from evals.evaluate.slicing import SMALL
from ui.address_controls import render_segments
from ui.evaluate.reading import read_scoreboard, read_slice_figures, stamp_of
from ui.evaluate.slice_tables import slices_html

_EVERY = "every"


def render_slices(run: KeptRun, decider: int) -> None:
    figures = read_slice_figures(stamp_of(run), decider, run.set_id)
    if not figures:
        st.info("All cases of this set are alike in language, kind, length and tags: there are no parts to tell apart.")
        return
    names = {
        _EVERY: "Every",
        **{name: words for name, words in SLICE_WORDS.items() if any(e.name == name for e in figures)},
    }
    chosen = render_segments("Parts by", "parts", names, _EVERY)
    board = read_scoreboard(stamp_of(run), decider, run.labels[decider], run.domain)
    shown = [each for each in figures if chosen in (_EVERY, each.name)]
    st.html(slices_html(shown, board.right))
    if any(each.small for each in shown):
        st.caption(
            f"Faint: fewer than {SMALL} cases, too few to judge. “Every part of the set” below lists their messages."
        )
