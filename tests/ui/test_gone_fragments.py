"""Fragments of what stood on a page before do not outlive a run that ends early."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import pytest
import streamlit as st
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.testing.v1 import AppTest

from tests.ui.live_session import SECONDS, live_session, wait_for
from ui.gone_fragments import forgetting_gone_fragments, let_newest_run_say_which_fragments


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


class Course:
    """Of one test: how often the page ran, and where the second of its runs waits."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.runs = 0
        self.heard: list[str] = []
        self.waits, self.goes_on = Event(), Event()

    def wait(self) -> None:
        self.waits.set()
        assert self.goes_on.wait(SECONDS)


course = Course("")


def hear() -> None:
    course.heard.append(str(st.session_state["message"]))


@st.fragment
def conversation(run: int) -> None:
    st.text(f"Run {run} heard {course.heard}")
    st.chat_input(key="message", on_submit=hear)


def slow_page() -> None:
    """The second of its runs waits, and has no conversation where it waits at its end."""
    course.runs += 1
    run = course.runs
    with forgetting_gone_fragments():
        if run == 2 and course.where != "after its last part":
            course.wait()
            if course.where == "before it draws":
                st.text("Heading")
        if run != 2 or course.where != "after its last part":
            conversation(run)
    if run == 2 and course.where == "after its last part":
        course.wait()


@pytest.mark.parametrize("mended", [True, False], ids=["mended", "streamlit alone"])
@pytest.mark.parametrize(
    ("where", "alone"),
    [
        ("before it draws", "Run 3 heard []"),
        ("before its first part", "Run 2 heard ['hello']"),
        ("after its last part", "Run 3 heard []"),
    ],
)
def test_a_run_that_was_replaced_takes_nothing_from_the_page_that_is_shown(
    where: str, alone: str, mended: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on when the newer one has ended. Should the last two be otherwise with Streamlit alone, it has mended
    them."""
    global course
    course = Course(where)
    for name in ("clear", "register"):
        monkeypatch.setattr(MemoryFragmentStorage, name, getattr(MemoryFragmentStorage, name))  # put back afterwards
    if mended:
        let_newest_run_say_which_fragments()

    async def talk() -> str:
        async with live_session(slow_page, tmp_path) as browser:
            browser.ask()
            await browser.settle()
            replaced = browser.ask()
            assert await asyncio.to_thread(course.waits.wait, SECONDS)
            browser.ask()
            await browser.settle()
            course.goes_on.set()
            await wait_for(replaced)
            part, box = browser.find_part("chat_input"), browser.find_widget("chat_input")
            browser.ask(part=part, page=browser.page, typed=(box, "hello"))
            await browser.settle()
            return browser.texts[-1]

    assert asyncio.run(talk()) == ("Run 3 heard ['hello']" if mended else alone)
