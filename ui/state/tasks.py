"""What the Tasks page remembers: the rows on screen, and what was typed into them."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from db.tasks.listing import TaskQuery
from ui.state.values import EditedRows, TableView


def read_view() -> TableView | None:
    return st.session_state.get("task_view")


def keep_view(user_id: str, query: TaskQuery, revision: int, task_ids: tuple[str, ...]) -> TableView:
    """Remember freshly read rows as a new generation of the table."""
    generation = st.session_state.get("task_generation", 0) + 1
    st.session_state["task_generation"] = generation
    st.session_state["task_view"] = TableView(user_id, query, revision, task_ids, generation)
    return TableView(user_id, query, revision, task_ids, generation)


def keep_places(revision: int) -> None:
    """The rows on screen are up to date with this revision: their places need not change."""
    view = read_view()
    if view:
        st.session_state["task_view"] = replace(view, revision=revision)


def drop_view() -> None:
    """Read the rows anew on the next run, and forget what was typed into the table."""
    st.session_state["task_view"] = None


def read_edits(table_key: str) -> EditedRows:
    """What was typed into a table since it got its key: row position -> column -> value."""
    edits: EditedRows = st.session_state.get(table_key, {}).get("edited_rows", {})
    return edits
