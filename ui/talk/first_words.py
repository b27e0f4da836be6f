"""What can be said first, as buttons: the kind of message above its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from db.users import User
from ui.markdown import verbatim


def render_first_words(user: User, examples: Sequence[tuple[str, str]], send: Callable[[User, str], None]) -> None:
    with st.container(key="first_words"):
        for place, (kind, text) in enumerate(examples):
            st.button(
                f":small[:gray[{kind}]]  \n{verbatim(text)}",
                key=f"first-words-{place}",
                width="stretch",
                wrap=True,
                on_click=send,
                args=(user, text),
            )
