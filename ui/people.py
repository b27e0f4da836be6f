"""Who uses the workbench: the person of this browser session, and the switch in the sidebar that changes it."""

from __future__ import annotations

from typing import Final, NoReturn
from urllib.parse import urlencode

import streamlit as st

from db.connection import Session
from db.failures import ToolFailure
from db.users import User, create_user, find_user, list_users, read_revision
from settings import load_settings
from ui.identity import is_login_on
from ui.inner_link import render_inner_link
from ui.logging_in import get_logged_in
from ui.markdown import verbatim
from ui.resources import load_database, open_database
from ui.state.address import first_page, show_in_address, start_from_address
from ui.state.fields import place_of, read_text
from ui.state.notices import put_notice
from ui.state.people import USER_KEY, choose_user, read_user_handle
from ui.state.tasks import drop_view
from ui.state.values import Notice

_INSTEAD_KEY: Final = "person_instead"
_MOST_OFFERED = 5


def get_user(session: Session | None = None) -> User:
    """The person this browser session acts as: who logged in; without a login, the switch in the sidebar says who.
    `session`: where one is open already."""
    if is_login_on():
        return get_logged_in(open_database()).user
    asked = read_user_handle()
    if session:
        user = _find(session, asked)
    else:
        with load_database().read() as own:
            user = _find(own, asked)
    if user is None and asked:
        _refuse_unknown(asked)
    if user is None:
        st.title("Welcome to Twolane")
        st.info("Nobody uses this database yet. Add the first person in the sidebar.", icon=":material/person_add:")
        st.stop()
    return user


def read_tasks_revision(session: Session, user: User) -> int:
    """Of whom `get_user(session)` found: without a login that person was read in this very session."""
    return read_revision(session, user.id) if is_login_on() else user.revision


def _find(session: Session, asked: str | None) -> User | None:
    if asked:
        return find_user(session, asked)
    return find_user(session, load_settings().default_user) or next(iter(list_users(session)), None)


def _refuse_unknown(handle: str) -> NoReturn:
    """Never somebody else instead: whoever follows a link must not act on another's tasks unawares."""
    st.title("Nobody by this name")
    shown = handle if len(handle) <= 40 else f"{handle[:39]}…"
    st.error(f"Nobody here is called “{verbatim(shown)}”. Choose who you are.", icon=":material/person_off:")
    with load_database().read() as session:
        known = list_users(session)[:_MOST_OFFERED]
    for user in known:  # on a phone the switch in the sidebar is folded away
        render_inner_link(f"Go on as {user.name}", f"?{urlencode({'user': user.handle})}")
    st.stop()


def render_user_switch() -> None:
    asked = read_user_handle()
    with load_database().read() as session:
        names = {user.handle: user.name for user in list_users(session)}
        # Somebody on a stage is not on the list, but a reload keeps them like anybody.
        actor = find_user(session, asked or "")
    if actor:
        names = {**names, actor.handle: actor.name}
    unknown = asked if asked and asked not in names else None
    with st.sidebar:
        if unknown and names:
            st.selectbox(
                "You are",
                list(names),
                index=None,
                format_func=lambda handle: names.get(handle, handle),
                key=_INSTEAD_KEY,
                placeholder="Choose a person",
                on_change=_choose_instead,
            )
        elif names:
            _render_choice(names)
        popover = st.popover("Add a person", icon=":material/person_add:", width="stretch")
        with popover.form("add_person", border=False, clear_on_submit=True):
            st.text_input("Name", max_chars=80, key="new_person")
            st.form_submit_button("Add", on_click=_add_person, type="primary")
    if unknown and names:
        _refuse_unknown(unknown)


def _render_choice(names: dict[str, str]) -> None:
    first = load_settings().default_user
    default = first if first in names else next(iter(names))
    start_from_address(USER_KEY, list(names), default)
    st.selectbox(
        "You are",
        list(names),
        index=place_of(USER_KEY, list(names)),
        format_func=lambda handle: names.get(handle, handle),
        key=USER_KEY,
        on_change=_forget_the_last_person,
        help="Everybody has tasks of their own. Switch to see that nobody sees another's.",
    )
    show_in_address(USER_KEY, default)


def _choose_instead() -> None:
    choose_user(read_text(_INSTEAD_KEY))
    _forget_the_last_person()


def _add_person() -> None:
    name = read_text("new_person")
    try:
        with load_database().write() as session:
            user = create_user(session, name)
    except ToolFailure:
        put_notice(Notice("error", "A person needs a name of at most 80 characters."))
    else:
        choose_user(user.handle)
        drop_view()
        put_notice(Notice("success", f"Welcome, {user.name}. Your list is empty."))


def _forget_the_last_person() -> None:
    put_notice(None)
    first_page()
