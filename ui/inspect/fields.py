"""The fields of Inspect's context editor. Each keeps what was typed under the editor's generation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from domains.loading import load_domain
from engine.domain import Domain
from engine.values import PRIORITIES
from ui.given.message import TABLE_LIMIT
from ui.inspect.draft import ContextDraft, name_languages, task_frame, tasks_of
from ui.markdown import verbatim
from ui.state.values import ContextEditor


def render_tasks(editor: ContextEditor) -> tuple[Mapping[str, Any], ...]:
    column, domain = st.column_config, load_domain(editor.domain)
    states, reads = domain.catalogue.states, _reads(domain)
    st.caption(f"{domain.label}: edit, add or delete rows. The store stays as it is.")
    frame = st.data_editor(
        task_frame(editor.started.tasks),
        key=field_key(editor, "tasks"),
        num_rows="dynamic",
        hide_index=True,
        height=353,
        placeholder="",
        alt=f"The {domain.label.lower()} of the context. Every cell can be edited.",
        column_config={
            "id": None,
            "number": column.NumberColumn("#", width=46, format="%d"),
            "title": column.TextColumn("Title", width=230, max_chars=200),
            "status": column.SelectboxColumn("Status", options=list(states), width=92, default=states[0]),
            # What no tool of the domain reads has no column.
            "priority": column.SelectboxColumn("Priority", options=list(PRIORITIES), width=80, default="medium")
            if "level" in reads
            else None,
            "due_date": column.TextColumn("Due", width=96, validate=r"^(\d{4}-\d\d-\d\d(T\d\d:\d\d)?)?$")
            if "date" in reads
            else None,
            "description": column.TextColumn("Description") if "note" in reads else None,
        },
    )
    if editor.total > TABLE_LIMIT:
        st.caption(
            f"The {TABLE_LIMIT} {domain.label.lower()} changed last, of {editor.total:,}; "
            "others that the message could mean count too."
        )
    return tasks_of(frame, editor.started.tasks, states)


def _reads(domain: Domain) -> set[str]:
    return {kind for facts in domain.catalogue.tools for kind in facts.reads.values()}


def render_reach(editor: ContextEditor) -> str:
    """For a domain with a reading of its own: all that it goes by, as it is recorded with a turn."""
    label = load_domain(editor.domain).label
    if editor.total > TABLE_LIMIT:
        st.caption(f"The first {TABLE_LIMIT} of {editor.total:,}: only these count here.")
    typed = st.text_area(
        f"{label} (JSON)",
        editor.started.reach,
        key=field_key(editor, "reach"),
        height=353,
        help="What is in reach, and what was learned. Edit it as you like; the store stays as it is.",
    )
    return typed or "{}"


def render_rest(editor: ContextEditor, tasks: tuple[Mapping[str, Any], ...], reach: str = "") -> ContextDraft:
    started: ContextDraft = editor.started
    now = st.text_input("Now", started.now, key=field_key(editor, "now"), help="An ISO time: 2026-03-02T09:00")
    names = name_languages(editor.domain)
    names.setdefault(started.language, started.language)  # a context may be in one that there is no longer
    chosen = st.selectbox(
        "Language",
        list(names),
        index=list(names).index(started.language),
        format_func=lambda name: names[name],
        key=field_key(editor, "language"),
    )
    history = st.text_area(
        "Said before (JSON)",
        started.history,
        key=field_key(editor, "history"),
        height=78,
        placeholder='[{"role": "assistant", "content": "…", "tasks": ["id"]}]',
    )
    pending = st.text_area(
        "Waiting question (JSON)",
        started.pending,
        key=field_key(editor, "pending"),
        height=78,
        placeholder="As in the “pending” of a decision",
    )
    lookups = started.lookups if tasks == started.tasks else None
    return ContextDraft(
        tasks, now or "", chosen, history or "", pending or "", started.user, lookups, editor.domain, reach
    )


def render_problems(problems: Mapping[str, str]) -> None:
    names = {"tasks": "Table", "reach": "In reach", "now": "Now", "history": "Said before"}
    names["pending"] = "Waiting question"
    for name, problem in problems.items():
        st.error(f"**{names[name]}**: {verbatim(problem)} What you typed stays; until then the last value counts.")


def field_key(editor: ContextEditor, name: str) -> str:
    return f"inspect-{name}-{editor.generation}"
