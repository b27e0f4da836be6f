"""Compare: the same messages through any set of deciders, and where they differ."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.evaluation.comparison_work import is_worked_on_elsewhere
from db.evaluation.comparisons import list_comparisons
from ui import background
from ui.compare.input import render_head, render_input
from ui.compare.results import render_empty, render_figures, render_lines, render_runs, render_state
from ui.people import get_user
from ui.resources import load_database, now_here

st.html(Path(__file__).parent.parent / "assets" / "compare.css")
user = get_user()
render_head()
under_way = background.running_ids()
with load_database().read() as session:
    runs = list_comparisons(session, user.id)
    elsewhere = {run.id for run in runs if is_worked_on_elsewhere(session, run, now_here()) and run.id not in under_way}
render_input(user, busy=any(run.id in under_way for run in runs))
st.divider()
if not runs:
    render_empty()
else:
    run = render_runs(user, runs)
    render_state(user, run, running=run.id in under_way, elsewhere=run.id in elsewhere)
    render_figures(run)
    render_lines(user, run, running=run.id in under_way)
