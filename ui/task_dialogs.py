"""The questions of the Tasks page: a new task, a deletion, an import."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.bulk import import_tasks
from db.failures import StoreUnavailableError, ToolFailure
from db.importing import ImportPlan, read_import
from db.users import User
from engine.values import DESCRIPTION_LIMIT, PRIORITIES, TITLE_LIMIT, Task
from ui import state, task_actions
from ui.components import escape
from ui.resources import load_database, now_here

_MOST_NAMED = 8
"""How many titles or problems are spelled out before "and 12 more"."""


@st.dialog("Add a task", icon=":material/add_task:")
def render_add_dialog(user: User) -> None:
    with st.form("add_task", border=False):
        title = st.text_input("Title", max_chars=TITLE_LIMIT, placeholder="What is to be done?")
        description = st.text_area("Description", max_chars=DESCRIPTION_LIMIT, height=90)
        priority_column, day_column, time_column = st.columns(3)
        priority = priority_column.selectbox("Priority", PRIORITIES, index=1)
        day = day_column.date_input("Due", value=None, format="YYYY-MM-DD")
        at = time_column.time_input("Time", value=None, help="Counts only together with a day.")
        submitted = st.form_submit_button("Add task", type="primary")
    if submitted and at and not day:
        st.error("A time needs a day.")
    elif submitted:
        due = day.isoformat() + (f"T{at:%H:%M}" if at else "") if day else None
        result = task_actions.add_task(user, title, description, priority, due)
        if result.ok:
            st.rerun()
        st.error(escape(result.error_message))


@st.dialog("Delete?", icon=":material/delete:")
def ask_before_deleting(user: User, picked: Sequence[Task]) -> None:
    st.write("This task will be deleted:" if len(picked) == 1 else f"These {len(picked)} tasks will be deleted:")
    st.markdown("\n".join(f"- **#{task.number}** {escape(task.title)}" for task in picked[:_MOST_NAMED]))
    if len(picked) > _MOST_NAMED:
        st.caption(f"… and {len(picked) - _MOST_NAMED} more")
    st.caption("Undo brings them back.")
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="confirm_delete"):
            task_actions.delete_picked(user, picked)
            st.rerun()
        if st.button("Keep", key="cancel_delete"):
            st.rerun()


@st.dialog("Import tasks", icon=":material/upload:", width="medium")
def render_import_dialog(user: User) -> None:
    st.caption(
        "A CSV file with a column “title” (and description, priority, status, due_date if you like), "
        "or a JSON list, or JSON Lines. An exported file fits as it is."
    )
    upload = st.file_uploader("File", type=["csv", "json", "jsonl"], label_visibility="collapsed")
    if upload is None:
        return
    try:
        plan = read_import(upload.getvalue(), upload.name)
    except ToolFailure as failure:
        st.error(escape(failure.message))
        return
    _render_plan(plan)
    if plan.rows and st.button(f"Import {len(plan.rows):,} tasks", type="primary"):
        _import(user, plan)


def _render_plan(plan: ImportPlan) -> None:
    if not plan.rows:
        st.warning("There is no task in this file that can be imported.")
    if plan.problems:
        listed = [f"- line {problem.line}: {escape(problem.message)}" for problem in plan.problems[:_MOST_NAMED]]
        if len(plan.problems) > _MOST_NAMED:
            listed.append(f"- … and {len(plan.problems) - _MOST_NAMED} more")
        st.warning(f"{len(plan.problems):,} rows will be left out:\n" + "\n".join(listed))


def _import(user: User, plan: ImportPlan) -> None:
    bar = st.progress(0.0, "Importing…")
    try:
        report = import_tasks(load_database(), user, plan.rows, now_here, bar.progress)
    except StoreUnavailableError as error:
        st.error(str(error))
        return
    parts = [f"{report.added:,} tasks added"]
    if report.already_there:
        parts.append(f"{report.already_there:,} were already here")
    if plan.problems:
        parts.append(f"{len(plan.problems):,} rows left out")
    state.put_notice(state.Notice("success", ", ".join(parts) + "."))
    state.drop_view()
    st.rerun()
