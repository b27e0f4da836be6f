"""The questions of the Tasks page: a new task, a deletion, an import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import streamlit as st

from db.failures import StoreUnavailableError, ToolFailure
from db.tasks.bulk import import_tasks
from db.tasks.export import export_csv, export_json
from db.tasks.importing import ImportPlan, read_import
from db.tasks.listing import TaskQuery
from db.users import User
from engine.values import DESCRIPTION_LIMIT, PRIORITIES, TITLE_LIMIT, Task
from ui.counting import count_of
from ui.markdown import verbatim
from ui.resources import load_database, now_here
from ui.state.notices import put_notice
from ui.state.tasks import drop_view
from ui.state.values import Notice
from ui.tasks import actions

_MOST_NAMED = 8
"""How many titles or problems are spelled out before "and 12 more"."""


@st.dialog("Add a task", icon=":material/add_task:")
def render_add_dialog(user: User) -> None:
    with st.form("add", border=False):
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
        result = actions.add(user, title, description, priority, due)
        if result.ok:
            st.rerun()
        st.error(verbatim(result.error_message))


@st.dialog("Delete?", icon=":material/delete:")
def ask_before_deleting(user: User, picked: Sequence[Task]) -> None:
    st.write("This task will be deleted:" if len(picked) == 1 else f"These {len(picked)} tasks will be deleted:")
    st.markdown("\n".join(f"- **#{task.number}** {verbatim(task.title)}" for task in picked[:_MOST_NAMED]))
    if len(picked) > _MOST_NAMED:
        st.caption(f"… and {len(picked) - _MOST_NAMED} more")
    st.caption("Undo brings them back.")
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="confirm_delete"):
            actions.delete_picked(user, picked)
            st.rerun()
        if st.button("Keep", key="cancel_delete"):
            st.rerun()


@st.dialog("Files and demo tasks", icon=":material/folder_open:", width="medium")
def render_files_dialog(user: User, query: TaskQuery) -> None:
    st.markdown("**Export** what the filters show, over all pages")
    with st.container(horizontal=True):
        exports: dict[str, Callable[[Iterable[Task]], str | bytes]] = {"CSV": export_csv, "JSON": export_json}
        for name, export in exports.items():
            st.download_button(
                f"Export as {name}",
                data=partial(_export, export, user, query),
                file_name=f"twolane-{user.handle}.{name.lower()}",
                on_click="ignore",
                icon=":material/download:",
            )
    st.markdown("**Import** a CSV file, a JSON list or JSON Lines")
    _render_import(user)
    st.markdown("**Demo tasks** back to their start, dated from today")
    if st.button("Load demo tasks", icon=":material/auto_awesome:", help="Your own tasks stay as they are."):
        actions.load_demo_tasks(user)
        st.rerun()


def _export(export: Callable[[Iterable[Task]], str | bytes], user: User, query: TaskQuery) -> str | bytes:
    """Read when somebody presses the button, not whenever it is drawn."""
    return export(actions.read_all(user, query))


def _render_import(user: User) -> None:
    st.caption("One column or field must be “title”; description, priority, status and due_date are read too.")
    upload = st.file_uploader("File", type=["csv", "json", "jsonl"], label_visibility="collapsed")
    if upload is None:
        return
    try:
        plan = read_import(upload.getvalue(), upload.name)
    except ToolFailure as failure:
        st.error(verbatim(failure.message))
        return
    _render_plan(plan)
    if plan.rows and st.button(f"Import {count_of(len(plan.rows), 'task')}", type="primary"):
        _import(user, plan)


def _render_plan(plan: ImportPlan) -> None:
    if not plan.rows:
        st.warning("There is no task in this file that can be imported.")
    if plan.problems:
        listed = [f"- line {problem.line}: {verbatim(problem.message)}" for problem in plan.problems[:_MOST_NAMED]]
        if len(plan.problems) > _MOST_NAMED:
            listed.append(f"- … and {len(plan.problems) - _MOST_NAMED} more")
        st.warning(f"{count_of(len(plan.problems), 'row')} will be left out:\n" + "\n".join(listed))


def _import(user: User, plan: ImportPlan) -> None:
    bar = st.progress(0.0, "Importing…")

    def show(share: float) -> None:
        bar.progress(share)

    try:
        report = import_tasks(load_database(), user, plan.rows, now_here, show)
    except StoreUnavailableError as error:
        st.error(str(error))
        return
    parts = [f"{count_of(report.added, 'task')} added"]
    if report.already_there:
        parts.append(f"{report.already_there:,} were already here")
    if plan.problems:
        parts.append(f"{count_of(len(plan.problems), 'row')} left out")
    put_notice(Notice("success", ", ".join(parts) + "."))
    drop_view()
    st.rerun()
