"""A part inside another has the outer one drawn again, and the page around both stays as it is."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def page(with_page: bool, is_gone: bool = False) -> None:
    import streamlit as st

    from ui.redrawing import draw_again, part_drawn_now

    drawn = st.session_state.setdefault("drawn", [])

    @st.fragment
    def watch(part: str | None) -> None:
        if not st.session_state.get("asked"):
            st.session_state["asked"] = True
            draw_again("of another page" if is_gone else None if with_page else part)

    @st.fragment
    def conversation() -> None:
        drawn.append("part")
        watch(part_drawn_now())

    assert part_drawn_now() is None
    drawn.append("page")
    conversation()


def test_only_the_part_is_drawn_again() -> None:
    shown = AppTest.from_function(page, args=(False,)).run()
    assert not shown.exception
    assert shown.session_state["drawn"] == ["page", "part", "part"]


@pytest.mark.parametrize("is_gone", [False, True])
def test_without_a_part_or_where_it_is_gone_the_page_is_drawn_again(is_gone: bool) -> None:
    shown = AppTest.from_function(page, args=(True, is_gone)).run()
    assert not shown.exception
    assert shown.session_state["drawn"] == ["page", "part", "page", "part"]
