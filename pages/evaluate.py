"""Evaluate: how good a decider is, what changed, whether it is more than noise, and which threshold to choose."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.evaluation.runs import list_runs
from evals.evaluate.room import find_interrupted
from ui import background
from ui.address_controls import render_segments
from ui.evaluate.bulk import render_bulk
from ui.evaluate.input import render_input
from ui.evaluate.runs import render_empty, render_runs, render_state
from ui.evaluate.views import render_run
from ui.people import get_user
from ui.resources import load_database
from ui.title_row import title_row

ASSETS = Path(__file__).parent.parent / "assets"
KINDS = {"cases": "Cases", "bulk": "Bulk runs"}

st.html(ASSETS / "compare.css")
st.html(ASSETS / "evaluate.css")
user = get_user()
with title_row("Evaluate"):
    kind = render_segments("Which runs", "runs", KINDS, "cases")
if kind == "bulk":
    render_bulk(user)
    st.stop()
under_way = background.running_ids()
with load_database().read() as session:
    runs = list_runs(session, user.id)
    interrupted = {run.id for run in find_interrupted(session, user.id, under_way)}
busy = any(run.id in under_way for run in runs)
# With every run another key: what was open to start it folds up, and its progress is in sight.
newest = runs[0].id if runs else ""
with st.expander("New run", icon=":material/add_circle:", expanded=not runs, key=f"new_run-{newest}"):
    render_input(user, busy=busy)
if not runs:
    render_empty()
else:
    run = render_runs(user, runs)
    render_state(user, run, running=run.id in under_way, interrupted=run.id in interrupted)
    render_run(user, run, runs, busy=busy)
