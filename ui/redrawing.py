"""A part of a page that another part has drawn anew, without the page around both.

Streamlit's `st.rerun` knows the whole page, or the part that calls it; others only by a press. What is watched beside a
conversation is a part inside the conversation's: it draws nothing, and asks for what is around it.
`tests/ui/test_redrawing.py` holds what this relies on.
"""

from __future__ import annotations

from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState


def part_drawn_now() -> str | None:
    """Which part (`@st.fragment`) is being drawn; None: the page itself."""
    return ThreadState.get().fragment_id


def draw_again(part: str | None) -> NoReturn:
    """Ends this run; that part is drawn next, or the page where there is none, or none any more."""
    context = get_script_run_ctx()
    if context is None or part is None or not context.fragment_storage.contains(part):
        st.rerun()
    raise RerunException(
        RerunData(
            query_string=context.query_string,
            page_script_hash=context.page_script_hash,
            fragment_id_queue=[part],
            is_fragment_scoped_rerun=True,
            cached_message_hashes=context.cached_message_hashes,
            context_info=context.context_info,
        )
    )
