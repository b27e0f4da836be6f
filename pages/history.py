"""History: every turn of a person with both decisions, to filter, to review, to replay under today's policy, and to
export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from db.history import count_standings, count_turns
from ui import (
    connect_views,
    history_charts,
    history_export,
    history_filters,
    history_views,
    replay_components,
    review_queue,
)
from ui.address_controls import render_paging, render_segments
from ui.components import get_user
from ui.resources import load_database

VIEWS = {"turns": "Turns", "review": "Review", "clients": "MCP calls"}

st.html(Path(__file__).parent.parent / "assets" / "compare.css")
user = get_user()
with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
    st.title("History", width="content")
    with st.container(width="content"):
        view = render_segments("View", "view", VIEWS, "turns")
if view == "clients":
    st.html(Path(__file__).parent.parent / "assets" / "tools.css")
    connect_views.render_calls(user)
    st.stop()
with load_database().read() as session:
    counts = count_standings(session, user.id)
if not counts["all"]:
    history_views.render_empty(0)
    st.stop()
if view == "review":
    review_queue.render_review(user)
    st.stop()
chart_query = history_filters.render_filters(counts)
clicked = history_filters.read_clicked()
since, until = history_filters.within(chart_query, clicked)
query = replace(chart_query, since=since, until=until)
history_filters.render_chips(query, clicked, reviewed=True)
history_charts.render_charts(user, chart_query, clicked)
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
