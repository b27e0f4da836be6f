"""The connection to an endpoint, with what it may do to us limited: no redirects, so many bytes, nothing compressed."""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import httpx2

from llm.endpoint import Endpoint
from llm.trace import LaneError

if TYPE_CHECKING:
    import openai

MOST_BYTES = 4_000_000
MOST_LINES = 100_000
"""Of one response. An answer of 50,000 characters, a word a line with its probability, stays well below both; lines
are counted because reading one takes time, however short it is."""
_NO_KEY = "none"
"""The SDK insists on a key; servers on this machine ask for none."""
# The library tells every address at the level INFO, and some have a key in them.
logging.getLogger("httpx2").setLevel(logging.WARNING)
_AS_IT_IS = {"Accept-Encoding": "identity"}
"""A few bytes that unfold into gigabytes cannot come where nothing is unfolded."""


_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""The variables that say whose certificates are trusted, in place of the system's."""


def load_sdk() -> None:
    """It takes a second to load, which only those wait for who ask an LLM. Once; before anybody's time is measured."""
    import openai  # noqa: F401


def make_client(endpoint: Endpoint, seconds: float) -> openai.AsyncOpenAI:
    import openai  # late: see above

    patience = max(seconds, 0.1)
    # By a hook and not by a transport of our own: that would do without the proxies of the environment.
    http = openai.DefaultAsyncHttpxClient(
        follow_redirects=False,
        timeout=patience,
        verify=_trusted(*map(os.environ.get, _CERTIFICATES)),
        event_hooks={"response": [_check_response]},
    )
    # Retries are ours, so that they are recorded and stay within the time limit of the turn.
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.key or _NO_KEY,
        max_retries=0,
        timeout=patience,
        default_headers={**_AS_IT_IS, **_login(endpoint)},
        default_query=dict(parse_qsl(endpoint.query)),
        http_client=http,
    )


@cache
def _trusted(*_places: str | None) -> ssl.SSLContext:
    """Once for these places: to read a system's certificates takes tens of milliseconds of a core, and a turn asks up
    to a few times, each time with a client of its own."""
    return httpx2.create_ssl_context()


def _login(endpoint: Endpoint) -> dict[str, str]:
    """As a header, so that no log of an address has it; it takes the place of the key, as in a browser."""
    if not endpoint.login:
        return {}
    return {"Authorization": f"Basic {base64.b64encode(endpoint.login.encode()).decode()}"}


def too_long() -> LaneError:
    return LaneError("too_long", "The model's answer is far too long and was cut short.")


async def _check_response(response: httpx2.Response) -> None:
    """Once the head is there, before a byte of the body is read."""
    if response.has_redirect_location:
        raise LaneError(
            "connection",
            f"The endpoint sends the request on to another address (status {response.status_code}), and no redirect is"
            " followed. Set the address that answers itself.",
        )
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise LaneError("unreadable", "The model's answer could not be read: it is compressed, unasked.")
    stated = response.headers.get("content-length", "")
    if stated.isdecimal() and (len(stated) > 15 or int(stated) > MOST_BYTES):
        raise too_long()
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - for mypy
    response.stream = _Counted(response.stream)


class _Counted(httpx2.AsyncByteStream):
    """The bytes as they come off the line, up to the limit."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = lines = 0
        async for part in self._stream:
            size += len(part)
            lines += part.count(b"\n")
            if size > MOST_BYTES or lines > MOST_LINES:
                raise too_long()
            yield part
            await asyncio.sleep(0)  # where more is always there already, the time limit gets its turn here

    async def aclose(self) -> None:
        await self._stream.aclose()
