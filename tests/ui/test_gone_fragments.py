"""Fragments of what stood on a page before do not outlive a run that ends early."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def page(way_out: str, mended: bool) -> None:
    from contextlib import nullcontext

    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from ui.gone_fragments import forgetting_gone_fragments

    context = get_script_run_ctx()
    assert context is not None
    context.fragment_storage.register("of the page before", lambda: None)
    st.session_state["fragments"] = context.fragment_storage

    @st.fragment
    def watch() -> None:
        st.session_state["own"] = context.shared.new_fragment_ids.snapshot()

    with forgetting_gone_fragments() if mended else nullcontext():
        watch()
        if way_out == "stop":
            st.stop()
        raise ValueError("an error of the page")


@pytest.mark.parametrize("way_out", ["stop", "error"])
def test_they_are_forgotten_and_those_of_the_page_itself_are_not(way_out: str) -> None:
    shown = AppTest.from_function(page, args=(way_out, True)).run()
    fragments, own = shown.session_state["fragments"], shown.session_state["own"]
    assert not fragments.contains("of the page before")
    assert own
    assert all(fragments.contains(each) for each in own)


@pytest.mark.parametrize("way_out", ["stop", "error"])
def test_streamlit_alone_keeps_them(way_out: str) -> None:
    """Should this fail, Streamlit has mended it: `ui/gone_fragments.py` can go."""
    shown = AppTest.from_function(page, args=(way_out, False)).run()
    assert shown.session_state["fragments"].contains("of the page before")
