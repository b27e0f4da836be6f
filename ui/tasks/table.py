"""The parts of the Tasks page: filters, table, paging, and the bar that acts on ticked rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from db.audit import find_redoable, find_undoable
from db.tasks.listing import Order, TaskQuery
from db.tasks.service import TaskService
from db.users import User, read_revision
from engine.values import PRIORITIES, TITLE_LIMIT, Task
from settings import load_settings
from ui.address_controls import render_choice, render_search, render_segments
from ui.counting import count_of
from ui.resources import load_database, now_here
from ui.state.tasks import read_edits
from ui.tasks import actions
from ui.tasks.dialogs import ask_before_deleting, render_add_dialog, render_files_dialog
from ui.tasks.rows import picked_tasks, table_frame

VIEWS: dict[str, TaskQuery] = {
    "Open": TaskQuery(filter="pending"),
    "Overdue": TaskQuery(filter="overdue"),
    "Today": TaskQuery(filter="pending", due="today"),
    "This week": TaskQuery(filter="pending", due="this_week"),
    "Done": TaskQuery(filter="completed"),
    "All": TaskQuery(),
}
ORDERS: dict[str, tuple[str, Order, bool]] = {
    "due": ("By due date", "due", False),
    "priority": ("By priority", "priority", False),
    "title": ("By title", "title", False),
    "newest": ("Newest first", "number", True),
    "oldest": ("Oldest first", "number", False),
    "changed": ("Changed last", "updated", True),
}


def read_counts(user: User) -> dict[str, int]:
    with load_database().read() as session:
        service = TaskService(session, user, now_here)
        return {name: service.count(query) for name, query in VIEWS.items()}


def render_filters(counts: dict[str, int]) -> TaskQuery:
    """The query that the controls say, without paging."""
    labels = {name: f"{name} {counts[name]:,}" for name in VIEWS}
    view = VIEWS[render_segments("Show", "show", labels, "Open")]
    with st.container(key="filters"):
        words, priorities, orders = st.columns([5, 2, 2], vertical_alignment="bottom")
    with words:
        search = render_search("Search titles and descriptions", TITLE_LIMIT)
    with priorities:
        labels = {"any": "Any priority", **{name: f"{name.capitalize()} priority" for name in PRIORITIES}}
        priority = render_choice("Priority", "priority", labels, "any")
    with orders:
        labels = {name: label for name, (label, _, _) in ORDERS.items()}
        _, by, descending = ORDERS[render_choice("Order", "order", labels, "due")]
    return replace(
        view,
        priority=None if priority == "any" else priority,
        search=search,
        order=by,
        descending=descending,
    )


def render_table(user: User, tasks: Sequence[Task], generation: int) -> tuple[Task, ...]:
    """The table that is edited in place; returns the ticked tasks."""
    key = f"tasks-{generation}"
    column = st.column_config
    st.data_editor(
        table_frame(tasks, now_here()),
        key=key,
        hide_index=True,
        height="content",
        row_height=38,
        placeholder="",
        alt=f"{count_of(len(tasks), 'task')}. Every cell but the number and “when” can be edited.",
        on_change=actions.apply_edits,
        args=(user, tasks, key),
        column_config={
            "pick": column.CheckboxColumn("Pick", width=72, help="Tick rows to complete or delete them together."),
            "done": column.CheckboxColumn("Done", width=76, help="Tick to complete, untick to reopen."),
            "number": column.NumberColumn("#", width=50, disabled=True, format="%d", help="Say #12 to mean this task."),
            "title": column.TextColumn("Title", required=True, max_chars=200, width=290),
            "when": column.TextColumn("When", disabled=True, width=135),
            "priority": column.SelectboxColumn("Priority", options=list(PRIORITIES), required=True, width=85),
            "day": column.DateColumn("Due", format="ddd D MMM YYYY", width=130),
            "time": column.TimeColumn("Time", format="HH:mm", width=70),
            "description": column.TextColumn("Description", max_chars=1000, width=420),
        },
    )
    return picked_tasks(tasks, read_edits(key))


def render_actions(user: User, picked: Sequence[Task], query: TaskQuery) -> None:
    """Add, act on the ticked rows, undo and redo, and the way to files."""
    with load_database().read() as session:
        undoable, redoable = find_undoable(session, user.id), find_redoable(session, user.id)
    count = f" {len(picked)}" if picked else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Add task", icon=":material/add:", type="primary", shortcut="N"):
            render_add_dialog(user)
        st.button(
            f"Complete{count}",
            icon=":material/check:",
            disabled=not picked,
            on_click=actions.complete_picked,
            args=(user, picked),
            help="Completes the ticked tasks.",
        )
        if st.button(f"Delete{count}…", icon=":material/delete:", disabled=not picked, help="Asks first."):
            ask_before_deleting(user, picked)
        st.button(
            "Undo",
            icon=":material/undo:",
            disabled=undoable is None,
            on_click=actions.undo_last,
            args=(user,),
            help=f"Takes back: {actions.describe_change(undoable)}" if undoable else "Nothing to undo.",
            shortcut="U",
        )
        if redoable:
            st.button("Redo", icon=":material/redo:", on_click=actions.redo_last, args=(user,))
        if st.button("Files…", icon=":material/folder_open:", help="Export, import, demo tasks."):
            render_files_dialog(user, query)


def render_empty(user: User, counts: dict[str, int], query: TaskQuery) -> None:
    with st.container(border=True, horizontal_alignment="center"):
        if counts["All"] == 0:
            st.markdown("#### No tasks yet")
            st.caption("Add the first one, or start from a believable set.")
            st.button("Load demo tasks", key="empty_demo", on_click=actions.load_demo_tasks, args=(user,))
        elif query.search or query.priority:
            st.markdown("#### Nothing fits")
            st.caption("No task fits the search and the filters. Clear the search, or choose “All”.")
        else:
            st.markdown("#### Nothing here")
            st.caption("No task is in this view. “All” shows every task.")


@st.fragment(run_every=load_settings().refresh_seconds)
def watch_for_changes(user: User, shown: int) -> None:
    """Draws nothing: runs the page again when somebody else changed this person's tasks."""
    with load_database().read() as session:
        revision = read_revision(session, user.id)
    if revision != shown:
        st.rerun()
