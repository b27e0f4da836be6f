"""The context of Inspect on the page: what it starts from, and the fields that edit it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from db.users import User, read_revision
from engine.values import PRIORITIES, STATUSES
from ui import state
from ui.components import escape
from ui.context_draft import LANGUAGES, ContextDraft, draft_of, read_draft, task_frame, tasks_of
from ui.inspect_input import TABLE_LIMIT, context_of, find_further_tasks
from ui.resources import load_database
from ui.state import ContextEditor
from ui.turn_input import find_turn_input


def open_editor(user: User) -> ContextEditor:
    """The editor as it stands. It starts anew for another person or turn, and, as long as nobody edited it,
    when the person's tasks changed."""
    turn_id = state.read_address("turn")
    with load_database().read() as session:
        revision = read_revision(session, user.id)
    editor = state.read_context_editor()
    if editor is None or (editor.user_id, editor.turn_id) != (user.id, turn_id):
        return _start(user, turn_id, revision, editor)
    drawn = state.is_drawn(_key(editor, "now"))
    if not is_edited(editor) and not turn_id and (editor.revision != revision or not drawn):
        return _start(user, turn_id, revision, editor)
    if not drawn:
        editor = replace(editor, started=editor.current, generation=editor.generation + 1)
        state.keep_context_editor(editor)
    return editor


def _start(user: User, turn_id: str, revision: int, before: ContextEditor | None) -> ContextEditor:
    turn = find_turn_input(user, turn_id) if turn_id else None
    own, total = ({}, 0) if turn else context_of(user)
    origin = turn.context_wire if turn else own
    draft = draft_of(origin)
    editor = ContextEditor(
        user_id=user.id,
        revision=revision,
        turn_id=turn_id,
        origin=origin,
        started=draft,
        current=draft,
        good=origin,
        total=total,
        text=turn.text if turn else "",
        found=turn is not None or not turn_id,
        generation=before.generation + 1 if before else 0,
    )
    state.keep_context_editor(editor)
    return editor


def is_edited(editor: ContextEditor) -> bool:
    return bool(editor.current != draft_of(editor.origin))


def forget_edits() -> None:
    """The context as it was: read anew on the next run."""
    editor = state.read_context_editor()
    if editor:
        draft = draft_of(editor.origin)
        fresh = replace(editor, started=draft, current=draft, good=editor.origin, revision=-1)
        state.keep_context_editor(replace(fresh, generation=editor.generation + 1))


def render_context(user: User, editor: ContextEditor, text: str) -> dict[str, Any]:
    """The context as it is edited now, in the form of `engine.wire`."""
    summary = st.empty()  # filled when the fields below were read, so that it is never one step behind
    with st.expander("Edit the context", icon=":material/tune:", key="context_panel"):
        left, right = st.columns([3, 2], gap="medium")
        with left:
            tasks = _render_tasks(editor)
        with right:
            draft = _render_rest(editor, tasks)
            wire, problems = read_draft(draft, editor.good)
            _render_problems(problems)
            st.button(
                "Back to how it was",
                icon=":material/restart_alt:",
                on_click=forget_edits,
                disabled=draft == draft_of(editor.origin),
                help="Drops all edits of the context.",
            )
    editor = replace(editor, current=draft, good=wire)
    state.keep_context_editor(editor)
    summary.markdown(_summary(editor))
    if editor.total <= TABLE_LIMIT or editor.turn_id:
        return wire
    known = {**wire, "tasks": [*editor.origin["tasks"], *wire["tasks"]]}
    return {**wire, "tasks": [*find_further_tasks(user, text, known), *wire["tasks"]]}


def _summary(editor: ContextEditor) -> str:
    """The context in a line, as far as it could be read."""
    wire: Mapping[str, Any] = editor.good
    tasks, history = len(wire.get("tasks") or ()), len(wire.get("history") or ())
    parts = [f"{tasks} task{'s' if tasks != 1 else ''}"]
    parts.append(f"{history} message{'s' if history != 1 else ''} before" if history else "nothing said before")
    parts.append("a question waits" if wire.get("pending") else "no question waits")
    parts.append(f"now {str(wire.get('now'))[:16].replace('T', ' ')}")
    source = "the turn’s" if editor.turn_id and editor.found else "your own"
    return f"**Context**, {'edited' if is_edited(editor) else source}: {escape(', '.join(parts))}"


def _render_tasks(editor: ContextEditor) -> tuple[Mapping[str, Any], ...]:
    column = st.column_config
    st.caption("Tasks: edit, add or delete rows. The store stays as it is.")
    frame = st.data_editor(
        task_frame(editor.started.tasks),
        key=_key(editor, "tasks"),
        num_rows="dynamic",
        hide_index=True,
        height=353,
        placeholder="",
        alt="The tasks of the context. Every cell can be edited.",
        column_config={
            "id": None,
            "number": column.NumberColumn("#", width=46, format="%d"),
            "title": column.TextColumn("Title", width=230, max_chars=200),
            "status": column.SelectboxColumn("Status", options=list(STATUSES), width=92, default="pending"),
            "priority": column.SelectboxColumn("Priority", options=list(PRIORITIES), width=80, default="medium"),
            "due_date": column.TextColumn("Due", width=96, validate=r"^(\d{4}-\d\d-\d\d(T\d\d:\d\d)?)?$"),
            "description": column.TextColumn("Description"),
        },
    )
    if editor.total > TABLE_LIMIT and not editor.turn_id:
        st.caption(
            f"The {TABLE_LIMIT} tasks changed last, of {editor.total:,}; others that the message could mean count too."
        )
    return tasks_of(frame, editor.started.tasks)


def _render_rest(editor: ContextEditor, tasks: tuple[Mapping[str, Any], ...]) -> ContextDraft:
    started: ContextDraft = editor.started
    now = st.text_input("Now", started.now, key=_key(editor, "now"), help="An ISO time: 2026-03-02T09:00")
    names = list(LANGUAGES)
    chosen = st.selectbox(
        "Language",
        names,
        index=names.index(started.language),
        format_func=lambda name: LANGUAGES[name],
        key=_key(editor, "language"),
    )
    history = st.text_area(
        "Said before (JSON)",
        started.history,
        key=_key(editor, "history"),
        height=78,
        placeholder='[{"role": "assistant", "content": "…", "tasks": ["id"]}]',
    )
    pending = st.text_area(
        "Waiting question (JSON)",
        started.pending,
        key=_key(editor, "pending"),
        height=78,
        placeholder="As in the “pending” of a decision",
    )
    return ContextDraft(tasks, now or "", chosen, history or "", pending or "", started.user)


def _render_problems(problems: Mapping[str, str]) -> None:
    names = {"tasks": "Tasks", "now": "Now", "history": "Said before", "pending": "Waiting question"}
    for name, problem in problems.items():
        st.error(f"**{names[name]}**: {escape(problem)} What you typed stays; until then the last value counts.")


def _key(editor: ContextEditor, name: str) -> str:
    return f"inspect-{name}-{editor.generation}"
