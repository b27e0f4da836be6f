"""History: every turn of a person with both decisions, to filter, to review, to replay under today's policy, and to
export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from db.turns.history import count_standings, count_turns
from ui.address_controls import render_paging, render_segments
from ui.client_calls.live import render_calls
from ui.history.bulk import render_bulk
from ui.history.charts import render_charts
from ui.history.export import render_exports
from ui.history.filters import read_clicked, render_chips, render_filters, within
from ui.history.replay import render_replay
from ui.history.review_queue import render_review
from ui.history.turns import render_empty, render_turns
from ui.history.whose import choose_whose
from ui.people import get_user
from ui.resources import load_database
from ui.title_row import title_row

VIEWS = {"turns": "Turns", "review": "Review", "clients": "MCP calls", "bulk": "Bulk replays"}

st.html(Path(__file__).parent.parent / "assets" / "compare.css")
user = get_user()
with title_row("History"):
    view = render_segments("View", "view", VIEWS, "turns")
if view == "clients":
    st.html(Path(__file__).parent.parent / "assets" / "tools.css")
    render_calls(user)
    st.stop()
if view == "bulk":
    st.html(Path(__file__).parent.parent / "assets" / "evaluate.css")
    render_bulk(user)
    st.stop()
reader = user
if view == "turns":
    user = choose_whose(reader)
with load_database().read() as session:
    counts = count_standings(session, user.id)
if not counts["all"]:
    render_empty(user, 0)
    st.stop()
if view == "review":
    render_review(user)
    st.stop()
chart_query = render_filters(counts)
clicked = read_clicked()
since, until = within(chart_query, clicked)
query = replace(chart_query, since=since, until=until)
render_chips(query, clicked, reviewed=True)
render_charts(user, chart_query, clicked)
with load_database().read() as session:
    total = count_turns(session, user.id, query)
if user.id == reader.id:
    render_replay(user, query, total)
if not total:
    render_empty(user, counts["all"])
    st.stop()
turns_area = st.container()
limit, offset = render_paging(total)
with turns_area:
    render_turns(user, query, limit, offset)
render_exports(user, query)
