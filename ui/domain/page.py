"""The page of a domain: its chat, and its things live beside it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from db.items.service import ItemService
from db.turns.turns import StoredTurn
from db.users import User
from domains.catalogues import load_tools
from domains.loading import load_domain
from engine.domain import Domain
from ui.domain.actions import add_examples, clear, find_open_conversation, send, send_typed
from ui.domain.things import things_html
from ui.notices import render_notice
from ui.people import get_user
from ui.resources import load_database
from ui.state.chat import read_turn_limit
from ui.talk.reading import read_shown
from ui.talk.turns import FIRST_TURNS, render_driver, render_turns
from ui.templates import draw
from ui.words import WAITING

MESSAGE_LIMIT = 10_000
_SHOWN = 16


def render_domain(name: str) -> None:
    user, domain = get_user(), load_domain(name)
    conversation = find_open_conversation(user, domain)
    with load_database().read() as session:
        turns = read_shown(session, user, conversation, read_turn_limit(FIRST_TURNS)) if conversation else None
    last = turns.last if turns else None
    waits = last is not None and last.turn.lane is None
    _render_bar(user, domain)
    chat_area, things_area = st.columns([5, 2], gap="medium")
    with chat_area:
        with st.container(key="conversation", height=560, border=False, autoscroll=last is not None, gap="xsmall"):
            if conversation and turns and last:
                render_turns(user, conversation, turns, lambda who, text: send(who, domain, text))
            else:
                st.html(draw("domain/things", "welcome", domain.label, _tools_in_words(domain)))
        render_notice()
        st.chat_input(
            WAITING if waits else "Say it in your own words",
            key=f"message_{name}",
            max_chars=MESSAGE_LIMIT,
            disabled=waits,
            on_submit=send_typed,
            args=(user, domain, f"message_{name}"),
        )
    with things_area, st.container(key="task_panel", height=600, border=False, gap="xsmall"):
        _render_things(user, domain, last.turn if last else None)


def _render_bar(user: User, domain: Domain) -> None:
    st.html(draw("domain/things", "heading", domain.label))
    with st.container(horizontal=True, vertical_alignment="center", key="domain_bar"):
        render_driver()
        st.space("stretch")
        st.button(
            "Clear the chat", icon=":material/delete_sweep:", type="tertiary", on_click=partial(clear, user, domain)
        )


def _tools_in_words(domain: Domain) -> list[str]:
    return [tool.description for tool in load_tools(domain.name).values()]


def _render_things(user: User, domain: Domain, last: StoredTurn | None) -> None:
    with load_database().read() as session:
        found = ItemService(session, user, domain).find(limit=_SHOWN)
    st.markdown(f"**{domain.label}** :gray[{found.total:,}]")
    if found.total:
        st.html(things_html(found.items, domain.catalogue.states[1], last, found.total, domain.label))
        return
    st.info("There is nothing here yet.", icon=":material/inbox:")
    if domain.examples:
        st.button("Load the examples", icon=":material/auto_awesome:", on_click=partial(add_examples, user, domain))
