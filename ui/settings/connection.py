"""The LLM connection on the Settings page: what is typed about it, and what a test of it found."""

from __future__ import annotations

import streamlit as st

from llm.connection import Connection
from llm.endpoint import OPENAI_URL, Endpoint
from settings import load_settings
from ui import connection_form as form
from ui.lanes import current_endpoint, known_endpoints
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.settings import actions
from ui.settings.connection_card import render_in_use
from ui.state.fields import put_value, read_text, read_value, start_value
from ui.state.lanes import read_checked
from ui.state.notices import put_notice

_MOST_LISTED = 30


def render_connection() -> None:
    if read_value(actions.KIND_KEY) is None:
        put_notice(None)  # the page was just opened; what happened before is read
    st.subheader("The LLM connection", anchor=False)
    st.caption("Which model answers in the LLM lane, in every tab of this browser; a key stays in its tab.")
    render_in_use(current_endpoint())
    kind = _render_kind()
    _render_fields(kind)
    tested = _render_buttons(kind)
    render_notice(actions.CONNECTION)
    if tested:
        draft = actions.read_draft()
        where = draft.base_url if kind == "custom" else form.KINDS[kind]
        with st.spinner(f"Asking {verbatim(where)}, for at most {draft.timeout_seconds:g} s …", show_time=True):
            actions.check_draft(draft)
        st.rerun()  # the models that were found belong into the field above
    _render_checked()


def _render_kind() -> form.Kind:
    start_value(actions.KIND_KEY, current_endpoint().kind)
    chosen = st.segmented_control(
        "Model",
        list(form.KINDS),
        default=read_value(actions.KIND_KEY),
        format_func=lambda kind: form.KINDS[kind],
        required=True,
        key=actions.KIND_KEY,
        on_change=actions.clear_notice,
        help="Embedded: a small model on this machine, without a key. Another address: any server that speaks the "
        "OpenAI interface. Nothing changes before “Use this connection”.",
    )
    return chosen or "embedded"


def _render_fields(kind: form.Kind) -> None:
    current = current_endpoint()
    if kind == "off":
        return
    if kind == "embedded":
        _render_seconds(current)
        return
    if kind == "custom":
        _render_address(current)
    secret, model, seconds = st.columns([4, 4, 2])
    with secret:
        _render_key(kind)
    with model:
        _render_model(kind, current)
    with seconds:
        _render_seconds(current)


def _render_seconds(current: Endpoint) -> None:
    start_value(actions.SECONDS_KEY, float(current.timeout_seconds))
    st.number_input(
        "Time limit (s)",
        form.LEAST_SECONDS,
        form.MOST_SECONDS,
        step=5.0,
        format="%.0f",
        key=actions.SECONDS_KEY,
        width=160,
        help="How many seconds a whole answer may take, retries included. The engine never waits for it.",
    )


def _render_address(current: Endpoint) -> None:
    start_value(actions.URL_KEY, current.base_url if current.kind == "custom" else "")
    st.text_input(
        "Address",
        key=actions.URL_KEY,
        max_chars=500,
        placeholder="http://localhost:11434/v1",
        help="Where the server speaks the OpenAI interface; it usually ends in /v1.",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Usual addresses:", width="content")
        for name, address in form.PRESETS.items():
            st.button(
                name,
                key=f"preset_{name}",
                type="tertiary",
                on_click=actions.fill_address,
                args=(address,),
                help=f"Fills in {address}",
            )


def _render_key(kind: form.Kind) -> None:
    known = form.find_known_key(_typed_address(kind), known_endpoints())
    masked = Endpoint("custom", "", "", known).masked_key
    start_value(actions.SECRET_KEY, "")
    st.text_input(
        "Key",
        key=actions.SECRET_KEY,
        type="password",
        autocomplete="new-password",
        max_chars=500,
        placeholder=f"{masked} is known" if known else "None",
        help="Stays in this browser session: it is never stored, logged or shown again, and goes to this address only. "
        "Many servers on your own machine need none.",
    )


def _typed_address(kind: form.Kind) -> str:
    return OPENAI_URL if kind == "openai" else read_text(actions.URL_KEY).strip().rstrip("/")


def _render_model(kind: form.Kind, current: Endpoint) -> None:
    key, checked = actions.model_key(kind), read_checked()
    known = {"openai": load_settings().openai_model, "custom": ""}[kind]
    start_value(key, (current.model if current.kind == kind else known) or None)
    listed: tuple[str, ...] = ()
    if checked and checked.endpoint.base_url == _typed_address(kind):
        listed = checked.found.models
        if not read_value(key) and checked.endpoint.model:
            put_value(key, checked.endpoint.model)
    chosen = read_value(key)
    st.selectbox(
        "Model's name",
        list(dict.fromkeys((*((chosen,) if chosen else ()), *listed))),
        index=None,
        key=key,
        accept_new_options=True,
        placeholder="Test to list them, or type",
        help="A test lists what the endpoint has. A name that is not listed can be typed.",
    )


def _render_buttons(kind: form.Kind) -> bool:
    """Draws them; says whether a test was asked for."""
    with st.container(horizontal=True):
        tested = kind != "off" and st.button(
            "Test connection", icon=":material/network_check:", help="Asks now what answers there. Changes nothing."
        )
        st.button(
            "Use this connection" if kind != "off" else "Turn the lane off",
            icon=":material/check:",
            type="primary",
            on_click=actions.use_connection,
            disabled=kind == "off" and current_endpoint().kind == "off",
            help="In every tab of this browser; a key stays in its tab.",
        )
    return tested


def _render_checked() -> None:
    checked = read_checked()
    if checked is None or not actions.is_of_draft(checked.endpoint):
        return
    found = checked.found
    if found.problem:
        st.error(f"{verbatim(found.problem)} {form.advise(found.failure)}", icon=":material/link_off:")
        return
    st.success(_describe(found), icon=":material/link:")
    if found.models and found.model not in found.models:
        st.warning(f"The endpoint does not list {verbatim(found.model)}; check the name.", icon=":material/help:")
    if len(found.models) > 1:
        shown = ", ".join(verbatim(model) for model in found.models[:_MOST_LISTED])
        more = len(found.models) - _MOST_LISTED
        st.caption(f"Models there: {shown}" + (f" and {more} more" if more > 0 else ""))
    if form.travels_in_the_open(checked.endpoint):
        st.warning("The key travels unencrypted to this address. Prefer https.", icon=":material/lock_open:")


def _describe(found: Connection) -> str:
    ways = {
        "tools": "It calls tools natively.",
        "schema": "It is asked for JSON by a schema: it calls no tools itself.",
    }
    way = ways[found.path] if found.path else ""
    name, where = verbatim(found.model), verbatim(found.endpoint)
    return f"**{name}** at {where} answers. {way} The test took {found.milliseconds:,.0f} ms."
