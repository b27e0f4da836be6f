"""Tasks: the live table of one person's tasks, edited in place."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from db.tasks.service import TaskService
from db.users import read_revision
from ui.address_controls import render_paging
from ui.notices import render_notice
from ui.people import get_user
from ui.resources import load_database, now_here
from ui.state.tasks import keep_view, read_view
from ui.tasks.table import read_counts, render_actions, render_empty, render_filters, render_table, watch_for_changes

user = get_user()
st.title("Tasks")
counts = read_counts(user)
actions_area = st.container()
render_notice()
query = render_filters(counts)
table_area = st.container()

with load_database().read() as session:
    service = TaskService(session, user, now_here)
    revision = read_revision(session, user.id)
    total = service.count(query)
    limit, offset = render_paging(total) if total else (None, 0)
    query = replace(query, limit=limit, offset=offset)
    view = read_view()
    if view is None or (view.user_id, view.query, view.revision) != (user.id, query, revision):
        tasks = service.find_all(query)
        view = keep_view(user.id, query, revision, tuple(task.id for task in tasks))
    else:
        tasks = service.find_many(view.task_ids)

with table_area:
    if tasks:
        picked = render_table(user, tasks, view.generation)
    else:
        picked = ()
        render_empty(user, counts, query)
with actions_area:
    render_actions(user, picked, query)
watch_for_changes(user, revision)
