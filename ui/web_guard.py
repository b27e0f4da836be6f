"""What stands before every route and the web socket: which names are answered, and what a browser may do with a page.

Nobody logs in, so a page must not be reachable from pages elsewhere: neither under a name bent to this machine's
address (DNS rebinding), nor from another origin, nor inside somebody's frame.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mcp_door.guard import Hosts

_OPEN_TO_OTHER_ORIGINS = ("/mcp", "/mcp/")
"""A client in a browser may ask from another port of an allowed name: its token says whom it acts for."""


class WebGuard:
    """ASGI middleware: outermost, so that nothing behind it sees a request that it refuses."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        problem = self._hosts.find_problem(headers, own_only=scope["path"] not in _OPEN_TO_OTHER_ORIGINS)
        if problem is None:
            new = scope["path"] not in _OPEN_TO_OTHER_ORIGINS and not _has_cookie(headers)
            guarded = _with_headers(send, headers.get("host", ""), new_browser=new) if scope["type"] == "http" else send
            await self._app(scope, receive, guarded)
        elif scope["type"] == "http":
            await problem(scope, receive, _with_headers(send, ""))
        else:  # before it was accepted: the handshake is answered with 403
            await receive()
            await send({"type": "websocket.close", "code": 1008})


BROWSER_COOKIE = "twolane_browser"
"""Tells browsers apart, so that what was chosen in one tab holds in the others; it opens nothing."""
_ID = re.compile(r"[A-Za-z0-9_-]{43}")


def is_browser_id(text: object) -> bool:
    """Also of what is no text: Streamlit's own test runner has no cookies to give."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def _has_cookie(headers: Headers) -> bool:
    cookies = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return any(name == BROWSER_COOKIE and is_browser_id(value) for name, _, value in cookies)


def _with_headers(send: Send, host: str, *, new_browser: bool = False) -> Send:
    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers["Content-Security-Policy"] = content_policy(host)
            if new_browser and headers.get("content-type", "").startswith("text/html"):
                # Lax: whoever follows a link to a turn from elsewhere keeps their settings.
                cookie = f"{BROWSER_COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax"
                headers.append("Set-Cookie", cookie)
        await send(message)

    return send_guarded


_HEADERS = {
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the address names a person and a conversation
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def content_policy(host: str) -> str:
    """Everything from here and nothing from elsewhere.

    Streamlit's own front end needs inline styles. The web socket is named, for not every browser counts it as 'self';
    the host was checked before it comes here.
    """
    socket = f" ws://{host} wss://{host}" if host else ""
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' {' '.join(_inline_scripts())}".strip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            f"connect-src 'self'{socket}",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


@cache
def _inline_scripts() -> tuple[str, ...]:
    """The hashes of the scripts that Streamlit writes into its page, whichever version it is."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
