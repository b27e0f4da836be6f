"""Compare: the same messages through any set of deciders, and where they differ."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.comparisons import list_comparisons
from ui import background, compare_input, compare_results
from ui.components import get_user
from ui.resources import load_database

st.html(Path(__file__).parent.parent / "assets" / "compare.css")
user = get_user()
st.title("Compare")
under_way = background.running_ids()
with load_database().read() as session:
    runs = list_comparisons(session, user.id)
compare_input.render_input(user, busy=any(run.id in under_way for run in runs))
st.divider()
if not runs:
    compare_results.render_empty()
else:
    run = compare_results.render_runs(user, runs)
    compare_results.render_state(run, running=run.id in under_way)
    compare_results.render_figures(run)
    compare_results.render_lines(user, run, running=run.id in under_way)
