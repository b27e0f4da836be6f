"""What stands where one has to log in first, and, for who has, their name and the way out."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from settings import load_settings
from ui.identity import list_providers
from ui.logging_in import LoginNeededError, get_logged_in, log_out
from ui.markdown import verbatim
from ui.resources import open_database
from ui.state.people import begin_anew, begin_with

_ROLES = {"viewer": "looks, changes nothing", "member": "member", "maintainer": "maintainer"}


def render_login() -> None:
    """Who is here, in the sidebar; nothing of the page for who is not."""
    try:
        here = get_logged_in(open_database())
    except LoginNeededError as needed:
        _render_door(needed)
    begin_with(here.login_id)
    with st.sidebar:
        st.caption(f"**{verbatim(here.user.name)}** · {_ROLES[here.role]}")
        st.button("Log out", icon=":material/logout:", width="stretch", on_click=_leave)
    _watch_login()


def _render_door(needed: LoginNeededError) -> NoReturn:
    begin_anew()
    st.title("Twolane")
    st.info(str(needed), icon=":material/login:")
    if needed.why == "refused":
        st.button("Log out", icon=":material/logout:", on_click=st.logout)
        st.stop()
    for provider in list_providers():
        label = "Log in" if provider == "default" else f"Log in with {provider}"
        wanted = None if provider == "default" else provider
        st.button(label, key=f"login-{provider}", type="primary", on_click=st.login, args=(wanted,))
    st.stop()


def _leave() -> None:
    """First the store: every other tab of this browser ends with it. Then the cookie, and the provider's session."""
    log_out(open_database())
    st.logout()


@st.fragment(run_every=load_settings().refresh_seconds)
def _watch_login() -> None:
    """Draws nothing: a tab that nobody touches ends, too, when its login does."""
    get_logged_in(open_database())
