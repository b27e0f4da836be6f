"""The card of access tokens on the Settings page: make one, see it once, list and revoke them."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from db.clients.access_tokens import NAME_LIMIT, AccessToken, list_tokens
from db.users import User
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.resources import load_database, now_here
from ui.settings import token_actions as actions

_WIDTHS = [8, 4, 4, 4, 4]
_HEADS = ("Name", "Made", "Last used", "Expires", "")


def render_tokens(user: User) -> None:
    st.subheader("Access tokens", anchor=False)
    st.caption(
        f"For programs that use {verbatim(user.name)}'s tasks over MCP, at `/mcp` on this port. A token is shown once "
        "and kept only as a hash. The Tools page says how to connect."
    )
    render_notice(actions.TOKENS)
    made = actions.find_made(user.id)
    if made:
        _render_made(made)
    wished = actions.find_wished(user.id)
    if wished:
        _render_wished(user, wished)
    else:
        _render_form(user)
    with load_database().read() as session:
        tokens = list_tokens(session, user.id)
    now = now_here()
    active = [token for token in tokens if token.standing(now) == "active"]
    ended = [token for token in tokens if token.standing(now) != "active"]
    if active:
        _render_list(user, active, now)
    else:
        st.caption("No program has a token." if not tokens else "No token is valid now.")
    if ended:
        with st.expander(f"Revoked and expired ({len(ended)})"):
            _render_list(user, ended, now)


def _render_made(made: actions.MadeToken) -> None:
    with st.container(border=True):
        st.markdown(f"**The token for “{verbatim(made.name)}”.** Copy it now: it cannot be shown again.")
        st.code(made.text, language=None, wrap_lines=True)
        st.button(
            "I have copied it",
            icon=":material/check:",
            on_click=actions.forget_made,
            help="Takes the token off this page. It stays valid until it expires or is revoked.",
        )


def _render_wished(user: User, wished: actions.WishedToken) -> None:
    life = "until it is revoked" if actions.LIVES[wished.life] is None else f"for {wished.life.lower()}"
    with st.container(border=True):
        st.markdown(
            f"**Make a token for “{verbatim(wished.name)}”?** Whoever has it can read and change everything of "
            f"{verbatim(user.name)}'s {life}."
        )
        with st.container(horizontal=True):
            st.button(
                "Yes, make it", icon=":material/key:", type="primary", on_click=actions.make_token, args=(user.id,)
            )
            st.button("No", on_click=actions.forget_wished)


def _render_form(user: User) -> None:
    with st.form("make_token", border=False):
        name, life, make = st.columns([5, 3, 3], vertical_alignment="bottom")
        name.text_input(
            "Name",
            key=actions.NAME_KEY,
            max_chars=NAME_LIMIT,
            placeholder="Which program will use it, and where",
            help="For your own list. A client that does not say its name goes by this one.",
        )
        lives = list(actions.LIVES)
        life.selectbox(
            "Valid for",
            lives,
            index=lives.index(actions.DEFAULT_LIFE),
            key=actions.LIFE_KEY,
            help="After that it opens nothing any more. It can be revoked at any time.",
        )
        with make:
            st.form_submit_button(
                "Make a token",
                icon=":material/key:",
                type="primary",
                width="stretch",
                on_click=actions.ask_for_token,
                args=(user.id,),
                help="Asks first, then shows it once, to be copied into the program that will use it.",
            )


def _render_list(user: User, tokens: list[AccessToken], now: datetime) -> None:
    for column, head in zip(st.columns(_WIDTHS), _HEADS, strict=True):
        column.caption(head)
    for token in tokens:
        name, made, used, expires, act = st.columns(_WIDTHS, vertical_alignment="center")
        name.markdown(f"{verbatim(token.name)}  \n:small[:gray[twl\\_{token.id}\\_…]]")
        made.markdown(_day(token.created_at))
        used.markdown(_ago(token.last_used_at, now))
        expires.markdown(_day(token.expires_at) if token.expires_at else "Never")
        with act:
            _render_act(user, token, now)


def _render_act(user: User, token: AccessToken, now: datetime) -> None:
    standing = token.standing(now)
    if standing != "active":
        st.badge(standing.capitalize(), color="gray" if standing == "expired" else "red")
        return
    with st.popover("Revoke", width="stretch", help="Asks first."):
        st.write(f"“{verbatim(token.name)}” will open nothing any more. There is no way back.")
        st.button(
            "Revoke it", key=f"revoke_{token.id}", type="primary", on_click=actions.revoke, args=(user.id, token.id)
        )


def _day(moment: datetime) -> str:
    return moment.astimezone().strftime("%-d %b %Y")


def _ago(moment: datetime | None, now: datetime) -> str:
    """No more exact than it is kept."""
    if moment is None:
        return "Never"
    minutes = int((now - moment).total_seconds() // 60)
    if minutes < 2:
        return "Just now"
    if minutes < 60:
        return f"{minutes} min ago"
    return f"{minutes // 60} h ago" if minutes < 24 * 60 else _day(moment)
