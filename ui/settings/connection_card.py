"""What is in use now: the model, where it comes from, whether it is ready, and the ways back."""

from __future__ import annotations

import streamlit as st

from llm.endpoint import Endpoint
from llm.shared_server import find_shared_server
from llm.weights import find_weights
from ui.lanes import label_of
from ui.markdown import verbatim
from ui.settings import actions
from ui.state.fields import start_value
from ui.state.lanes import lacks_key, read_ask_llm, read_endpoint


def render_in_use(endpoint: Endpoint) -> None:
    chosen = read_endpoint() is not None
    with st.container(border=True):
        what, switch = st.columns([5, 2], vertical_alignment="center")
        with what:
            name = f"**{verbatim(label_of(endpoint))}**" if endpoint.kind != "off" else "**The LLM lane is off**"
            st.markdown(f"In use now: {name}")
            st.caption(_describe(endpoint, chosen))
            if endpoint.kind == "embedded":
                _render_embedded()
        with switch:
            _render_ask(endpoint)
        if chosen:
            with st.container(horizontal=True):
                _render_ways_back(endpoint)


def _describe(endpoint: Endpoint, chosen: bool) -> str:
    parts = ["Chosen in this browser." if chosen else "From the environment (or .env)."]
    if endpoint.kind in ("openai", "custom"):
        parts.append(f"Key {verbatim(endpoint.masked_key)}." if endpoint.key else _NO_KEY if lacks_key() else "No key.")
        parts.append(f"Address {verbatim(endpoint.base_url)}.")
    if endpoint.kind != "off":
        parts.append(f"At most {endpoint.timeout_seconds:g} s an answer.")
    return " ".join(parts)


_NO_KEY = "Its key was typed into another tab, or before a reload, and is not kept: type it again."


def _render_ways_back(endpoint: Endpoint) -> None:
    if endpoint.key:
        st.button(
            "Forget the key",
            icon=":material/key_off:",
            on_click=actions.forget_key,
            help="Removes the key from this session at once.",
        )
    st.button(
        "Back to the environment's settings",
        icon=":material/restart_alt:",
        on_click=actions.use_environment,
        help="Forgets what was chosen here, the key included.",
    )


def _render_ask(endpoint: Endpoint) -> None:
    start_value(actions.ASK_KEY, read_ask_llm())
    st.toggle(
        "Ask the LLM lane",
        key=actions.ASK_KEY,
        on_change=actions.switch_ask,
        disabled=endpoint.kind == "off",
        help="Whether messages go to this model at all. Off: the engine answers alone, and the connection is kept.",
    )


def _render_embedded() -> None:
    """Whether it is ready. It does not look again by itself: a run of its own could swallow a click on “Test”."""
    if find_weights() is None:
        st.warning(
            "The embedded model is not installed. To get it, run `make model` and start the workbench again.",
            icon=":material/download:",
        )
        return
    server = find_shared_server()
    if server is None:
        st.caption("It starts with the first message.")
        return
    try:
        server.wait_ready(0)
    except RuntimeError as error:  # an EmbeddedError, also of the class before a hot reload
        loading = getattr(error, "loading", False)
        st.caption("It is loading; that takes some seconds." if loading else verbatim(str(error)))
        st.button("Look again", icon=":material/refresh:", help="Asks whether the embedded model is ready now.")
    else:
        st.caption("Loaded and ready on this machine.")
