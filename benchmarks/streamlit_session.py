"""A browser session without the browser: speaks Streamlit's own protocol with a running server.

It does what the browser's side does: opens the socket, runs the page, remembers the values of the widgets, answers
auto-reruns of fragments, and reads what is drawn. Twenty of these load the server like twenty people, and leave the
processor to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

_LOOKING_SECONDS = 3.0
"""So long somebody looks at a page before typing something again."""


class StreamlitSession:
    def __init__(self, url: str, page: str, cookie: str = "", **address: str) -> None:
        """`cookie`: what the browser sends along."""
        self._headers = {"Cookie": cookie} if cookie else {}
        self._url = url.replace("http", "ws", 1) + "/_stcore/stream"
        self._origin = url
        self._page, self._query = page, urlencode(address)
        self._chat_input, self._chat_fragment = "", ""
        self._html: dict[tuple[int, ...], str] = {}
        self._reruns: dict[str, asyncio.Task[None]] = {}
        self._page_hash = ""
        self._running = False
        self._complaint = ""
        self.errors: list[str] = []

    async def __aenter__(self) -> StreamlitSession:
        self._socket = await connect(  # type: ignore[call-overload]
            self._url, origin=self._origin, max_size=None, additional_headers=self._headers
        )
        await self._rerun()
        await self._read_until(lambda: bool(self._chat_input))
        return self

    async def __aexit__(self, *_: object) -> None:
        for rerun in self._reruns.values():
            rerun.cancel()
        await self._socket.close()

    async def say(self, text: str, expected: str, seconds: float = 60) -> float:
        """Milliseconds from sending the message until the page shows what is expected."""
        began = time.perf_counter()
        await self._rerun(message=text)
        await self._read_within(seconds, text, lambda: self._shows(expected))
        return (time.perf_counter() - began) * 1000

    async def try_to_say(self, text: str, expected: str, seconds: float = 60) -> str:
        """What the page says is wrong, once it is drawn to its end; empty: it shows what is expected."""
        self._complaint = ""
        await self._rerun(message=text)
        await self._read_within(seconds, text, lambda: self._shows(expected) or self._has_complained())
        return "" if self._shows(expected) else self._complaint

    async def try_again(self, seconds: float = 60) -> bool:
        """Presses what a page without its store offers, and looks for a moment at what comes. True: the page is there
        again. A shorter look could see the end of a run that was asked for before the message, and not yet what became
        of the message itself."""
        self._complaint, self._chat_input = "", ""
        await self._rerun()
        until = time.monotonic() + _LOOKING_SECONDS
        await self._read_within(seconds, "Try again", lambda: not self._running)
        while time.monotonic() < until:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(until - time.monotonic()):
                    self._take(ForwardMsg.FromString(await self._socket.recv()))  # type: ignore[arg-type]
        await self._read_within(seconds, "Try again", lambda: not self._running)
        return bool(self._chat_input)

    @property
    def address(self) -> dict[str, str]:
        """What a reload of the page would ask for."""
        return dict(parse_qsl(self._query))

    async def shows(self, expected: str) -> bool:
        """Whether the page shows this, once it is drawn to its end."""
        await self._read_until(lambda: not self._running)
        return self._shows(expected)

    def _shows(self, expected: str) -> bool:
        return any(expected in body for body in self._html.values())

    def _has_complained(self) -> bool:
        return bool(self._complaint) and not self._running

    async def _rerun(self, message: str = "", fragment: str = "") -> None:
        back = BackMsg()
        back.rerun_script.query_string = self._query
        back.rerun_script.fragment_id = fragment
        back.rerun_script.is_auto_rerun = bool(fragment)
        if self._page_hash:
            back.rerun_script.page_script_hash = self._page_hash
        else:
            back.rerun_script.page_name = self._page
        if message:
            back.rerun_script.fragment_id = self._chat_fragment  # where the page draws the chat anew by itself
            state = back.rerun_script.widget_states.widgets.add()
            state.id = self._chat_input
            state.chat_input_value.data = message
        self._running = True
        await self._socket.send(back.SerializeToString())

    async def _read_within(self, seconds: float, text: str, done: Any) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._read_until(done)
        except TimeoutError:
            said = self.errors or self._complaint
            raise RuntimeError(f"{text!r} was not answered within {seconds:g} s; the page said: {said}") from None

    async def _read_until(self, done: Any) -> None:
        while not done():
            self._take(ForwardMsg.FromString(await self._socket.recv()))  # type: ignore[arg-type]

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._page_hash = message.new_session.page_script_hash
            if not message.metadata.run.fragment_ids:  # the whole page: it says anew what it has looked at
                for fragment in list(self._reruns):
                    self._stop_watching(fragment)
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._watch(message.auto_rerun.fragment_id, message.auto_rerun.interval)
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._stop_watching(fragment)
        elif kind == "script_finished":
            self._running = False
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._take_element(tuple(message.metadata.delta_path), message.delta)

    def _take_element(self, place: tuple[int, ...], delta: Any) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "chat_input":
            self._chat_input, self._chat_fragment = element.chat_input.id, delta.fragment_id
        elif kind == "html":
            self._html[place] = unescape(element.html.body)
        elif kind == "alert" and element.alert.format == Alert.ERROR:
            self._complaint = element.alert.body
        elif kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")

    def _stop_watching(self, fragment: str) -> None:
        rerun = self._reruns.pop(fragment, None)
        if rerun:
            rerun.cancel()

    def _watch(self, fragment: str, interval: float) -> None:
        """Told with every run; the browser, too, goes on with the clock that it has."""
        if fragment in self._reruns:
            return

        async def again() -> None:
            with contextlib.suppress(ConnectionClosed):  # whoever talks on this connection finds out as well
                while True:
                    await asyncio.sleep(interval)
                    if not self._running:  # a server that is busy is not asked again before it has answered
                        await self._rerun(fragment=fragment)

        self._reruns[fragment] = asyncio.create_task(again())
