"""Whose History is shown: one's own, and for a maintainer anybody's who has logged in."""

from __future__ import annotations

import streamlit as st

from db.logins import list_people
from db.users import User
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import place_of

_KEY = "whose"


def choose_whose(user: User) -> User:
    """To look at: what a page changes stays with who uses it."""
    if load_database().role != "maintainer":
        return user
    with load_database().read() as session:
        people = {each.handle: each for each in list_people(session)}
    start_from_address(_KEY, list(people), user.handle)
    chosen = st.selectbox(
        "Whose",
        list(people),
        index=place_of(_KEY, list(people)),
        format_func=lambda handle: verbatim(people[handle].name) if handle in people else "",
        key=_KEY,
        help="A maintainer may read everybody's History. Reviews, replays and what MCP clients did are each one's own.",
    )
    show_in_address(_KEY, user.handle)
    return people.get(chosen or "", user)
