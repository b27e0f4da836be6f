"""The context of Inspect on the page: what it starts from, and the fields that edit it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from db.evaluation.cases import SavedCase
from db.reach import read_reach
from db.users import User, read_revision
from domains.loading import TASKS, load_domain
from ui.domain_choice import DOMAIN_KEY, choose_domain
from ui.given.message import TABLE_LIMIT, context_of, find_further_tasks
from ui.given.recorded import CASE_PREFIX, LINE_PREFIX, find_turn_input
from ui.inspect.draft import ContextDraft, draft_of, read_draft
from ui.inspect.fields import field_key, render_problems, render_reach, render_rest, render_tasks
from ui.inspect.message import TEXT_KEY
from ui.markdown import verbatim
from ui.resources import load_database, now_here
from ui.state.address import drop_from_address, read_address
from ui.state.fields import is_drawn, put_text, put_value
from ui.state.inspect import keep_context_editor, read_context_editor
from ui.state.notices import put_notice
from ui.state.values import ContextEditor
from ui.turns.context import describe_context

_SOURCES = {
    "own": "your own",
    "missing": "your own",
    "turn": "as it was in that turn",
    "line": "as its line of the comparison gave it",
    "case": "as it was when the case was saved",
    "labelled": "as the case has it",
}


def find_domain(user: User) -> str:
    """The domain of the message: that of the turn in the address, or the one chosen."""
    turn_id, editor = read_address("turn"), read_context_editor()
    same = editor is not None and (editor.user_id, editor.turn_id) == (user.id, turn_id)
    if turn_id and not same:
        turn = find_turn_input(user, turn_id)
        put_value(DOMAIN_KEY, turn.domain if turn else read_address(DOMAIN_KEY))
    elif turn_id and editor and not is_drawn(DOMAIN_KEY):
        put_value(DOMAIN_KEY, editor.domain)
    hint = "What the message is about: its tools, its ways of asking, and your own things as the context."
    return choose_domain(hint, labelled=False, on_change=drop_from_address, args=("turn",))


def open_editor(user: User, domain: str) -> ContextEditor:
    """The editor as it stands. It starts anew for another person or turn, and, as long as nobody edited it,
    when the person's things changed."""
    turn_id = read_address("turn")
    revision = _read_revision(user, domain)
    editor = read_context_editor()
    if editor is None or (editor.user_id, editor.turn_id, editor.domain) != (user.id, turn_id, domain):
        return _start(user, turn_id, revision, editor, domain)
    drawn = is_drawn(field_key(editor, "now"))
    own = editor.source in ("own", "missing")
    if own and not is_edited(editor) and (editor.revision != revision or not drawn):
        return _start(user, turn_id, revision, editor, domain)
    if not drawn:
        editor = replace(editor, started=editor.current, generation=editor.generation + 1)
        keep_context_editor(editor)
    return editor


def _read_revision(user: User, domain: str) -> int:
    with load_database().read() as session:
        if domain == TASKS:
            return read_revision(session, user.id)
        reach, total = read_reach(session, user, now_here, domain, TABLE_LIMIT)
    return hash(json.dumps([reach, total], sort_keys=True))


def _start(user: User, turn_id: str, revision: int, before: ContextEditor | None, domain: str) -> ContextEditor:
    turn = find_turn_input(user, turn_id) if turn_id else None
    own, total = ({}, 0) if turn else context_of(user, domain)
    editor = _make_editor(user, turn_id, turn.context_wire if turn else own, before, domain)
    source = _source(turn_id) if turn else "missing" if turn_id else "own"
    editor = replace(editor, revision=revision, total=total, text=turn.text if turn else "", source=source)
    keep_context_editor(editor)
    return editor


def _make_editor(
    user: User, turn_id: str, origin: Mapping[str, Any], before: ContextEditor | None, domain: str
) -> ContextEditor:
    """With fields of its own, that start from this context."""
    draft = draft_of(origin, domain)
    generation = before.generation + 1 if before else 0
    return ContextEditor(
        user_id=user.id,
        revision=0,
        turn_id=turn_id,
        origin=origin,
        started=draft,
        current=draft,
        good=origin,
        generation=generation,
        domain=domain,
    )


def _source(turn_id: str) -> Literal["turn", "line", "labelled"]:
    if turn_id.startswith(CASE_PREFIX):
        return "labelled"
    return "line" if turn_id.startswith(LINE_PREFIX) else "turn"


def open_case(user: User, case: SavedCase) -> None:
    """A saved case with its own context, to see how it is decided by now."""
    editor = _make_editor(user, read_address("turn"), case.context, read_context_editor(), case.domain)
    keep_context_editor(replace(editor, source="case"))
    put_value(DOMAIN_KEY, case.domain)
    put_text(TEXT_KEY, case.text)
    put_notice(None)


def is_edited(editor: ContextEditor) -> bool:
    return bool(editor.current != draft_of(editor.origin, editor.domain))


def forget_edits() -> None:
    """The context as it was: read anew on the next run."""
    editor = read_context_editor()
    if editor:
        draft = draft_of(editor.origin, editor.domain)
        fresh = replace(editor, started=draft, current=draft, good=editor.origin, revision=-1)
        keep_context_editor(replace(fresh, generation=editor.generation + 1))


def render_context(user: User, editor: ContextEditor, text: str) -> dict[str, Any]:
    """The context as it is edited now, in the form of `engine.border.wire`."""
    summary = st.empty()  # filled when the fields below were read, so that it is never one step behind
    with st.expander("Edit the context", icon=":material/tune:", key="context_panel"):
        left, right = st.columns([3, 2], gap="medium")
        own_reading = load_domain(editor.domain).conduct is not None
        with left:
            tasks = () if own_reading else render_tasks(editor)
            reach = render_reach(editor) if own_reading else ""
        with right:
            draft = render_rest(editor, tasks, reach)
            wire, problems = read_draft(draft, editor.good)
            render_problems(problems)
            _render_ways_back(editor, draft)
    editor = replace(editor, current=draft, good=wire)
    keep_context_editor(editor)
    summary.markdown(_summary(editor))
    if editor.total <= TABLE_LIMIT or own_reading:
        return wire
    known = {**wire, "tasks": [*editor.origin["tasks"], *wire["tasks"]]}
    return {**wire, "tasks": [*find_further_tasks(user, text, known, editor.domain), *wire["tasks"]]}


def _render_ways_back(editor: ContextEditor, draft: ContextDraft) -> None:
    with st.container(horizontal=True):
        st.button(
            "Back to how it was",
            icon=":material/restart_alt:",
            on_click=forget_edits,
            disabled=draft == draft_of(editor.origin, editor.domain),
            help="Drops all edits of the context.",
        )
        if editor.source == "case":
            mine = f"My own {load_domain(editor.domain).label.lower()}"
            st.button(mine, icon=":material/person:", on_click=keep_context_editor, args=(None,))


def _summary(editor: ContextEditor) -> str:
    """The context in a line, as far as it could be read."""
    source = _SOURCES[editor.source]
    told = verbatim(describe_context(editor.good, editor.domain))
    return f"**Context**, {'edited' if is_edited(editor) else source}: {told}{_explain_none(editor)}"


def _explain_none(editor: ContextEditor) -> str:
    """“0 tasks” beside a list of twenty is no mistake: only what a decision looks up is kept with its turn."""
    if editor.source != "turn" or editor.good.get("tasks") or load_domain(editor.domain).conduct:
        return ""
    things = load_domain(editor.domain).label.lower()
    return f". None of your {things} was looked up for this message, and only what was is kept with a turn."
