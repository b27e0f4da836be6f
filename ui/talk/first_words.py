"""What can be said first, as buttons: the kind of message above its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from db.users import User
from ui.markdown import verbatim
from ui.two_line_buttons import render_two_line_button


def render_first_words(user: User, examples: Sequence[tuple[str, str]], send: Callable[[User, str], None]) -> None:
    with st.container(key="first_words"):
        for place, (kind, text) in enumerate(examples):
            upper, key = f":small[:gray[{kind}]]", f"first-words-{place}"
            render_two_line_button(upper, verbatim(text), key=key, on_click=send, args=(user, text))
