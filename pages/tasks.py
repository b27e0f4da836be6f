"""Tasks: the live table of one person's tasks, edited in place."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from db.tasks import TaskService
from db.users import read_revision
from ui import state, task_components
from ui.address_controls import render_paging
from ui.components import get_user, render_notice
from ui.resources import load_database, now_here

user = get_user()
st.title("Tasks")
counts = task_components.read_counts(user)
actions_area = st.container()
render_notice()
query = task_components.render_filters(counts)
table_area = st.container()

with load_database().read() as session:
    service = TaskService(session, user, now_here)
    revision = read_revision(session, user.id)
    total = service.count(query)
    limit, offset = render_paging(total) if total else (None, 0)
    query = replace(query, limit=limit, offset=offset)
    view = state.read_view()
    if view is None or (view.user_id, view.query, view.revision) != (user.id, query, revision):
        tasks = service.find_all(query)
        view = state.keep_view(user.id, query, revision, tuple(task.id for task in tasks))
    else:
        tasks = service.find_many(view.task_ids)

with table_area:
    if tasks:
        picked = task_components.render_table(user, tasks, view.generation)
    else:
        picked = ()
        task_components.render_empty(user, counts, query)
with actions_area:
    task_components.render_actions(user, picked, query)
task_components.watch_for_changes(user, revision)
