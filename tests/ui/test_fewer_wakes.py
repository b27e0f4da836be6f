"""Parts of a page that come before the loop looks are handed over together, in order."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

from ui import fewer_wakes
from ui.fewer_wakes import wake_seldom

PARTS = ("heading", "broken", "text", "button")


class CountingLoop(asyncio.SelectorEventLoop):
    """Knows how often it was woken from elsewhere, or by itself as if from elsewhere."""

    wakes = 0

    def call_soon_threadsafe(self, *arguments: Any, **options: Any) -> asyncio.Handle:
        self.wakes += 1
        return super().call_soon_threadsafe(*arguments, **options)


@pytest.fixture(params=[True, False], ids=["mended", "streamlit alone"])
def mended(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    ours = ((AppSession, "_call_soon_on_event_loop"), (AppSession, "_on_scriptrunner_event"))
    for owner, name in (*ours, (Runtime, "_enqueued_some_message")):
        monkeypatch.setattr(owner, name, getattr(owner, name))  # put back afterwards
    if request.param:
        wake_seldom()
    return bool(request.param)


def make_session(loop: asyncio.AbstractEventLoop) -> AppSession:
    session = AppSession.__new__(AppSession)
    session._event_loop = loop
    session._state = AppSessionState.SHUTDOWN_REQUESTED  # nothing to end as it goes
    return session


def in_another_thread(do: Callable[[], None]) -> None:
    thread = threading.Thread(target=do)
    thread.start()
    thread.join()


def test_a_page_wakes_the_loop_once_and_a_part_that_fails_keeps_no_other_back(mended: bool) -> None:
    loop, taken, failed = CountingLoop(), list[str](), list[str]()
    session = make_session(loop)
    loop.set_exception_handler(lambda _loop, context: failed.append(str(context["exception"])))

    def take(part: str) -> None:
        if part == "broken":
            raise ValueError(part)
        taken.append(part)

    def draw() -> None:
        for part in PARTS:
            session._call_soon_on_event_loop(lambda part=part: take(part))  # type: ignore[misc]

    async def two_pages() -> None:
        for _ in range(2):
            in_another_thread(draw)  # the loop stands still meanwhile
            await asyncio.sleep(0.01)

    try:
        loop.run_until_complete(two_pages())
        assert taken == ["heading", "text", "button"] * 2
        assert failed == ["broken"] * 2
        # Should the second be otherwise, Streamlit has mended it: `ui/fewer_wakes.py` can go.
        assert loop.wakes == (2 if mended else 2 * len(PARTS))
    finally:
        loop.close()


def test_the_loop_tells_itself_without_waking_and_others_wake_it(mended: bool) -> None:
    loop = CountingLoop()
    objects = SimpleNamespace(eventloop=loop, need_send_data=asyncio.Event())
    runtime = cast("Runtime", SimpleNamespace(_get_async_objs=lambda: objects))

    async def tell() -> tuple[int, int]:
        Runtime._enqueued_some_message(runtime)
        await asyncio.sleep(0)
        assert objects.need_send_data.is_set()
        by_itself = loop.wakes
        objects.need_send_data.clear()
        in_another_thread(lambda: Runtime._enqueued_some_message(runtime))
        await objects.need_send_data.wait()
        return by_itself, loop.wakes - by_itself

    try:
        assert loop.run_until_complete(tell()) == (0 if mended else 1, 1)
    finally:
        loop.close()


def test_the_parts_of_a_page_come_in_order_and_those_of_a_run_that_is_over_do_not(mended: bool) -> None:
    loop, told, sent = CountingLoop(), list[int](), list[str]()
    session = make_session(loop)
    runner, older = cast("ScriptRunner", object()), cast("ScriptRunner", object())
    session._scriptrunner, session._browser_queue = runner, ForwardMsgQueue()
    session._message_enqueued_callback = lambda: told.append(len(session._browser_queue))

    def draw() -> None:
        for sender, place in ((runner, 0), (older, 1), (runner, 2), (runner, 0)):
            part = ForwardMsg()
            part.metadata.delta_path[:] = [0, place]
            part.delta.new_element.text.body = f"text {place}"
            event = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
            session._on_scriptrunner_event(sender, event=event, forward_msg=part)
        session._on_scriptrunner_event(runner, event=ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS)

    async def one_page() -> None:
        in_another_thread(draw)
        await asyncio.sleep(0.01)
        sent.extend(
            each.delta.new_element.text.body or each.WhichOneof("type") or "" for each in session.flush_browser_queue()
        )

    try:
        loop.run_until_complete(one_page())
        assert sent == ["text 0", "text 2", "script_finished"], "of two in one place only the newer is sent"
        assert told[-1] == 3
        assert len(told) == (2 if mended else 4), "once for all parts, and once for the end"
    finally:
        loop.close()


def test_parts_that_are_drawn_one_by_one_wake_the_loop_once_until_the_run_ends(
    mended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, come = CountingLoop(), asyncio.Event()
    session = make_session(loop)
    runner = cast("ScriptRunner", object())
    session._scriptrunner, session._browser_queue = runner, ForwardMsgQueue()
    session._message_enqueued_callback, session._local_sources_watcher = come.set, None

    def tell(event: ScriptRunnerEvent, **what: Any) -> None:
        in_another_thread(lambda: session._on_scriptrunner_event(runner, event=event, **what))

    def draw(place: int) -> None:
        part = ForwardMsg()
        part.metadata.delta_path[:] = [0, place]
        tell(ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=part)

    async def wakes_of_one_page() -> tuple[int, int]:
        for place in range(3):
            draw(place)
            await asyncio.sleep(0)  # the loop looks
        drawing = loop.wakes
        come.clear()
        tell(ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS)
        await come.wait()
        assert len(session.flush_browser_queue()) == 4
        return drawing, loop.wakes

    async def come_by_themselves() -> int:
        """A run that draws and then is busy for long."""
        await asyncio.sleep(0)
        come.clear()
        draw(0)
        async with asyncio.timeout(30):
            await come.wait()
        return len(session.flush_browser_queue())

    try:
        with monkeypatch.context() as patch:
            patch.setattr(fewer_wakes, "_MOMENT_SECONDS", 600)
            assert loop.run_until_complete(wakes_of_one_page()) == ((1, 2) if mended else (3, 4))
        assert loop.run_until_complete(come_by_themselves()) == 1
    finally:
        loop.close()
