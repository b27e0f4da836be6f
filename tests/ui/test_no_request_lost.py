"""What is typed is heard and shown, whatever else is asked of the page meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event, Thread

import pytest
import streamlit as st
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from tests.ui.live_session import SECONDS, Browser, live_session, wait_for
from ui.no_request_lost import lose_no_request

OURS = (
    (AppSession, "request_rerun"),
    (AppSession, "_create_scriptrunner"),
    (ScriptRunner, "_run_script"),
    (ScriptRequests, "_request_rerun_locked"),
)


class Course:
    """Of one test: what was heard, and where the page waits."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.runs = 0
        self.waits, self.goes_on = Event(), Event()


course = Course()


@pytest.fixture(autouse=True)
def streamlit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    global course
    course = Course()
    for owner, name in OURS:
        monkeypatch.setattr(owner, name, getattr(owner, name))  # put back afterwards


@pytest.fixture
def mended(streamlit_alone: None) -> None:
    """Of Streamlit alone nothing is claimed where a run waits: it hangs on which thread is the quicker."""
    lose_no_request()


def hear() -> None:
    course.heard.append(str(st.session_state["message"]))


@st.fragment
def conversation() -> None:
    st.text(f"{course.heard}")
    st.chat_input(key="message", on_submit=hear)


def page() -> None:
    """The second run of it is slow, and from then on the conversation has another place."""
    course.runs += 1
    with st.container() if course.runs > 1 else st.empty():
        conversation()
    if course.runs == 2:
        course.waits.set()
        assert course.goes_on.wait(SECONDS)


def type_message(browser: Browser, page_hash: str | None = None) -> Thread | None:
    part, box = browser.find_part("chat_input"), browser.find_widget("chat_input")
    return browser.ask(part=part, page=browser.page if page_hash is None else page_hash, typed=(box, "hello"))


async def begin_slow_run(browser: Browser) -> Thread | None:
    slow = browser.ask(page=browser.page)
    assert await asyncio.to_thread(course.waits.wait, SECONDS)
    return slow


def browse(folder: Path, do: Callable[[Browser], Awaitable[None]]) -> list[str]:
    """What the conversation showed, one after the other."""

    async def begin_and_do() -> list[str]:
        async with live_session(page, folder) as browser:
            browser.ask()
            await browser.settle()
            await do(browser)
            await browser.settle()
            return browser.texts

    return asyncio.run(begin_and_do())


def forget_parts(browser: Browser) -> None:
    browser.session._fragment_storage.clear()


def talk_to_unknown_part(folder: Path) -> list[str]:
    async def talk(browser: Browser) -> None:
        forget_parts(browser)
        course.goes_on.set()
        type_message(browser)
        await browser.settle()
        type_message(browser)  # to the part that there is now

    return browse(folder, talk)


def test_a_message_to_a_part_that_is_not_known_has_the_page_run_whole(tmp_path: Path, mended: None) -> None:
    assert talk_to_unknown_part(tmp_path) == ["[]", "['hello']", "['hello', 'hello']"]
    assert course.runs == 2


def test_streamlit_alone_forgets_a_message_to_a_part_that_is_not_known(tmp_path: Path) -> None:
    """Should this fail, Streamlit has mended it: `ui/no_request_lost.py` can go that far."""
    assert talk_to_unknown_part(tmp_path) == ["[]"]
    assert course.runs == 1


def test_a_message_to_a_page_that_was_left_brings_nobody_back(tmp_path: Path, mended: None) -> None:
    async def talk(browser: Browser) -> None:
        forget_parts(browser)
        type_message(browser, "another page")

    assert browse(tmp_path, talk) == ["[]"]


@pytest.mark.parametrize("with_timer", [False, True])
def test_a_message_that_waits_for_a_run_after_which_its_part_is_gone_is_shown(
    tmp_path: Path, mended: None, with_timer: bool
) -> None:
    async def talk(browser: Browser) -> None:
        await begin_slow_run(browser)
        type_message(browser)
        if with_timer:
            browser.ask(part=browser.find_part("text"), page=browser.page, timed=True)
        course.goes_on.set()

    assert browse(tmp_path, talk)[-1] == "['hello']"
    assert course.heard == ["hello"]


def test_a_message_that_waits_for_a_run_which_is_replaced_is_heard(tmp_path: Path, mended: None) -> None:
    async def talk(browser: Browser) -> None:
        slow = await begin_slow_run(browser)
        type_message(browser)
        browser.ask(page=browser.page)
        await browser.settle()
        course.goes_on.set()
        await wait_for(slow)

    assert browse(tmp_path, talk)[-1] == "['hello']"
    assert course.heard == ["hello"]


def test_a_timer_whose_part_is_not_known_has_the_page_run_whole_unless_one_runs(tmp_path: Path, mended: None) -> None:
    async def look(browser: Browser) -> None:
        def tick() -> None:
            browser.ask(part="unknown", page=browser.page, timed=True)

        await begin_slow_run(browser)
        tick()
        course.goes_on.set()
        await browser.settle()
        assert course.runs == 2
        tick()

    browse(tmp_path, look)
    assert course.runs == 3
