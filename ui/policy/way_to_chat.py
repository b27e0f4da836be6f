"""From a policy that decides now to the chat where it can be tried, with the message that was misread."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from domains.loading import TASKS
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.policy.actions import DRAFT_PLACE
from ui.policy.message import read_message
from ui.state.address import read_address
from ui.state.chat import keep_to_say
from ui.state.notices import read_notice
from ui.state.people import USER_KEY
from ui.state.policy import session_in_link

_PAGES = Path(__file__).parent.parent.parent / "pages"
_LONGEST = 48


def render_what_was_done(domain: str) -> None:
    """In a sentence, and the way on where it decides from now on."""
    render_notice(DRAFT_PLACE)
    notice = read_notice()
    if notice and notice.place == DRAFT_PLACE and notice.decides:
        _render_way(domain)


def _render_way(domain: str) -> None:
    page = _PAGES / ("chat.py" if domain == TASKS else f"{domain}.py")
    if not page.exists():
        return
    text, where = " ".join(read_message().split()), "Chat" if domain == TASKS else "the chat"
    told = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    if st.button(
        f"Say “{verbatim(told)}” in {where}" if text else f"Try it in {where}",
        key="to-chat",
        icon=":material/forum:",
        help="The message stands there, ready to be sent." if text else None,
    ):
        if text:
            keep_to_say(domain, text)
        # The switch starts the frame's own fields anew: without its parameter the person would be another.
        who = read_address(USER_KEY)
        st.switch_page(page, query_params={**({USER_KEY: who} if who else {}), **session_in_link()})
