"""What just happened, in a sentence on the page."""

from __future__ import annotations

import streamlit as st

from ui.markdown import verbatim
from ui.state.notices import read_notice


def render_notice(place: str = "") -> None:
    """What just happened, on the page until the next action: a toast can be gone before it was read."""
    notice = read_notice()
    if notice is None or notice.place != place:
        return
    if notice.kind == "error":
        st.error(verbatim(notice.text), icon=":material/error:")
    else:
        st.success(verbatim(notice.text), icon=":material/check_circle:")
