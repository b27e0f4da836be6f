"""The message that Inspect takes apart: from the address, from a turn, or typed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from domains.loading import load_domain
from engine.text.normalise import TEXT_LIMIT
from ui.state.address import read_address, show_in_address
from ui.state.fields import is_drawn, put_text, read_text
from ui.state.notices import put_notice
from ui.state.values import ContextEditor

TEXT_KEY = "text"
"""Also the name of the parameter in the address."""
_KEPT_TEXT = "inspected_text"


def render_text(editor: ContextEditor) -> str:
    """The message. One line is read while it is typed; a message of several lines gets a field that has them."""
    if not is_drawn(TEXT_KEY):
        kept = editor.text if editor.turn_id else read_text(_KEPT_TEXT)
        put_text(TEXT_KEY, read_address(TEXT_KEY) or kept)
    text = read_text(TEXT_KEY)
    shared: dict[str, Any] = {"key": TEXT_KEY, "label_visibility": "collapsed"}
    # What was just done has nothing to do with the next message.
    shared |= {"on_change": put_notice, "args": (None,)}
    if len(text) <= TEXT_LIMIT:  # a recorded message may be too long, and is then shown as it was
        shared["max_chars"] = TEXT_LIMIT
    if "\n" in text:
        text = st.text_area("Message", height=110, **shared) or ""
    else:
        placeholder = "Type a message to take apart"
        text = st.text_input("Message", live=True, placeholder=placeholder, icon=":material/chat:", **shared) or ""
    put_text(_KEPT_TEXT, text)
    if text != editor.text or not editor.turn_id:
        show_in_address(TEXT_KEY, "")
    return text


def render_examples(domain: str) -> None:
    examples = load_domain(domain).sayings
    st.caption("Any message will do. For example:" if examples else "Any message will do.")
    with st.container(horizontal=True):
        for example in examples:
            st.button(example, on_click=put_text, args=(TEXT_KEY, example))
