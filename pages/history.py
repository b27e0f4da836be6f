"""History: every turn of a person with both decisions, to filter, to replay under today's policy, and to export."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.history import count_standings, count_turns
from ui import history_export, history_filters, history_views, replay_components
from ui.components import get_user
from ui.resources import load_database
from ui.task_components import render_paging

st.html(Path(__file__).parent.parent / "assets" / "compare.css")
user = get_user()
st.title("History")
with load_database().read() as session:
    counts = count_standings(session, user.id)
if not counts["all"]:
    history_views.render_empty(0)
    st.stop()
query = history_filters.render_filters(counts)
with load_database().read() as session:
    total = count_turns(session, user.id, query)
replay_components.render_replay(user, query, total)
if not total:
    history_views.render_empty(counts["all"])
    st.stop()
turns_area = st.container()
limit, offset = render_paging(total)
with turns_area:
    history_views.render_turns(user, query, limit, offset)
history_export.render_exports(user, query)
