"""A session of a running Streamlit, with a browser's part played by the test: what it asks for, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Protocol

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient

SECONDS = 30


class Page(Protocol):
    """A function without arguments, of a test's file."""

    __module__: str
    __name__: str

    def __call__(self) -> None: ...


class Browser(SessionClient):
    """Knows what it was sent, and says what somebody does there."""

    def __init__(self) -> None:
        self.received: list[ForwardMsg] = []
        self.session: AppSession

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        self.received.append(msg)

    @property
    def page(self) -> str:
        """The one that it was told of last."""
        return [each for each in self.received if each.HasField("new_session")][-1].new_session.page_script_hash

    @property
    def texts(self) -> list[str]:
        """One after the other, as they came."""
        return [each.delta.new_element.text.body for each in self.received if each.delta.new_element.HasField("text")]

    def find_widget(self, kind: str) -> str:
        elements = [each.delta.new_element for each in self.received if each.HasField("delta")]
        return str([getattr(each, kind).id for each in elements if each.WhichOneof("type") == kind][-1])

    def find_part(self, kind: str) -> str:
        """The fragment that drew it."""
        deltas = [each.delta for each in self.received if each.HasField("delta")]
        return [each.fragment_id for each in deltas if each.new_element.WhichOneof("type") == kind][-1]

    def ask(
        self, *, part: str = "", page: str = "", typed: tuple[str, str] | None = None, timed: bool = False
    ) -> Thread | None:
        """For a run of the page, or of that part of it. The thread that runs it."""
        asked = BackMsg()
        asked.rerun_script.fragment_id = part
        asked.rerun_script.page_script_hash = page
        asked.rerun_script.is_auto_rerun = timed
        asked.rerun_script.widget_states.SetInParent()
        if typed:
            state = WidgetState(id=typed[0])
            state.chat_input_value.data = typed[1]
            asked.rerun_script.widget_states.widgets.append(state)
        self.session.handle_backmsg(asked)
        runner = self.session._scriptrunner
        return runner._script_thread if runner else None

    async def settle(self) -> None:
        async with asyncio.timeout(SECONDS):
            await self.session.wait_until_settled()


async def wait_for(thread: Thread | None) -> None:
    assert thread
    await asyncio.to_thread(thread.join, SECONDS)
    assert not thread.is_alive()


@asynccontextmanager
async def live_session(page: Page, folder: Path) -> AsyncIterator[Browser]:
    script = folder / "page.py"
    script.write_text(f"from {page.__module__} import {page.__name__}\n{page.__name__}()\n")
    before = Runtime._instance
    Runtime._instance = None
    runtime = Runtime(
        RuntimeConfig(str(script), MemoryMediaFileStorage("/media"), MemoryUploadedFileManager("/upload")),
    )
    try:
        await runtime.start()
        browser = Browser()
        session = runtime.get_app_session(runtime.connect_session(browser, {}))
        assert session
        session.track_settling()
        browser.session = session
        yield browser
        runtime.stop()
        await runtime.stopped
    finally:
        Runtime._instance = before
