"""Calling a tool by hand: a form made from its schema, what came of it, and the way back."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import streamlit as st

from assistant.taking_back import PERSON
from db.audit import Origin
from db.users import User
from domains.catalogues import find_facts, needs_yes
from domains.loading import load_domain
from engine.catalogue.schemas import Tool
from engine.values import ErrorKind, ToolResult, make_call
from mcp_door.callers import Caller
from mcp_door.confirmations import Confirmations
from ui.call_words import name_tool
from ui.lanes import current_composer, domain_engine
from ui.markdown import verbatim
from ui.resources import load_database, make_executor, now_here
from ui.state.fields import put_value, read_value
from ui.tools.fields import FieldError, SchemaField, read_arguments, read_fields

_RESULT = "tool_result"
_YES_SECONDS = 600.0
_CONFIRM = "confirm_call"


def render_trial(user: User, tool: Tool) -> None:
    """Calls what is chosen, as this person, on what they really have."""
    st.markdown("**Call it**")
    asks = " It asks first." if needs_yes(tool.name) else ""
    st.caption(f"As {verbatim(user.name)}, on what is really there; a change can be undone.{asks}")
    fields = read_fields(tool)
    with st.form(f"call-{tool.name}", border=True):
        typed = {field.name: _render_field(field, f"call-{tool.name}-{field.name}") for field in fields}
        if st.form_submit_button("Call", type="primary", icon=":material/play_arrow:"):
            _call(user, tool, fields, typed)
    _render_result(user, tool)


def _render_field(field: SchemaField, key: str) -> Any:
    shown: dict[str, Any] = {"key": key, "help": field.help}
    if field.kind == "choice":
        first = f"({field.default or 'not said'})"
        return st.selectbox(
            field.label, ["", *field.choices], format_func=lambda value: value.replace("_", " ") or first, **shown
        )
    if field.kind == "number":
        return st.number_input(field.label, field.least, field.most, value=None, step=1, **shown)
    if field.kind == "yes":
        return st.checkbox(field.label, **shown)
    if field.kind == "json":
        return st.text_area(field.label, height=80, placeholder="JSON", **shown)
    return st.text_input(field.label, max_chars=field.longest, placeholder=field.default, **shown)


def _call(user: User, tool: Tool, fields: tuple[SchemaField, ...], typed: dict[str, Any]) -> None:
    try:
        call = make_call(tool.name, read_arguments(fields, typed), "person")
    except FieldError as error:
        put_value(_RESULT, (user.id, tool.name, str(error)))
        return
    caller = _make_caller(user)
    result = caller.hold(call) if needs_yes(tool.name) else caller.carry_out(call)
    put_value(_RESULT, (user.id, tool.name, result))


def _confirm(user: User, tool_name: str, code: str) -> None:
    result = _make_caller(user).carry_out(make_call(_CONFIRM, {"confirmation": code}, "person"))
    put_value(_RESULT, (user.id, tool_name, result))


def _undo(user: User, tool_name: str, audit_id: str) -> None:
    result = make_executor(user).undo(audit_id, Origin(PERSON))
    put_value(_RESULT, (user.id, tool_name, result))


def _make_caller(user: User) -> Caller:
    """The code that carries out what programs call, under a person's name."""
    engine = domain_engine(load_domain())
    return Caller(load_database(), user, PERSON, now_here, engine, _confirmations(), current_composer())


@cache
def _confirmations() -> Confirmations:
    return Confirmations(_YES_SECONDS)


def _render_result(user: User, tool: Tool) -> None:
    whose, name, result = read_value(_RESULT) or ("", "", None)
    if (whose, name) != (user.id, tool.name) or result is None:
        return
    if isinstance(result, str):
        st.error(verbatim(result), icon=":material/error:")
        return
    _render_outcome(user, tool, result)
    st.code(json.dumps(result.payload, indent=2, ensure_ascii=False, default=str), language="json", height=260)


def _render_outcome(user: User, tool: Tool, result: ToolResult) -> None:
    code = str(result.payload.get("confirmation") or "")
    if result.error is ErrorKind.NEEDS_CONFIRMATION and code:
        st.warning(verbatim(result.error_message), icon=":material/help:")
        st.button("Yes, do it", type="primary", key="call_yes", on_click=_confirm, args=(user, tool.name, code))
    elif not result.ok:
        st.error(verbatim(result.error_message), icon=":material/error:")
    elif result.tool_name != tool.name and result.tool_name != _CONFIRM and not result.audit_id:
        st.success("Undone.", icon=":material/undo:")
    else:
        st.success(f"“{name_tool(tool.name)}” was carried out.", icon=":material/check_circle:")
        if result.audit_id and _can_be_undone(tool.name, result):
            st.button(
                "Undo",
                icon=":material/undo:",
                key="call_undo",
                on_click=_undo,
                args=(user, tool.name, result.audit_id),
            )


def _can_be_undone(tool_name: str, result: ToolResult) -> bool:
    facts = find_facts(tool_name)
    return bool(facts and facts.changes_something and facts.undo and result.payload.get("changed") is not False)
