"""What a login means for the routes beside the pages, and what having none does: then only this machine is answered."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import anyio
import streamlit as st
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from db.connection import Database
from db.failures import StoreUnavailableError
from db.logins import is_ended
from settings import load_settings
from ui.identity import find_cookie_identity, is_login_on

_OF_PEOPLE: Final = ("/media/", "/_stcore/upload_file")
"""Where Streamlit keeps what pages offer to download and what was uploaded: by names that nobody can guess, but who
has such a name must be logged in as well."""
_LOCAL_NAMES: Final = ("localhost", "localhost.localdomain", "ip6-localhost")
_RISK: Final = (
    "No login is configured, and the server would listen at {address}: whoever reaches it could read and change "
    "everything, as anybody. Configure a login ([auth] in .streamlit/secrets.toml, docs/deploy.md), or leave "
    "server.address at localhost. To take the risk all the same: ALLOW_ANYONE_WITHOUT_LOGIN=true"
)


def refuse_open_doors() -> None:
    """End the start of a server that would let anybody in from elsewhere, unless a setting takes that risk."""
    if load_settings().require_login and not is_login_on():
        sys.exit("REQUIRE_LOGIN is set, but no [auth] can be read from .streamlit/secrets.toml (docs/deploy.md).")
    address = st.get_option("server.address") or ""
    if is_login_on() or load_settings().allow_anyone_without_login or is_of_this_machine(address):
        return
    sys.exit(_RISK.format(address=address or "every address"))


def is_of_this_machine(address: str) -> bool:
    """Whether a socket at this address can only be reached from this machine. An empty one listens everywhere."""
    if address.lower() in _LOCAL_NAMES or address.startswith("/"):  # a Unix socket
        return True
    try:
        found = ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return found.is_loopback or bool(mapped and mapped.is_loopback)


class LoginGuard:
    """ASGI middleware. With a login: files of people are for who has logged in. Without one: whoever came over the
    network is refused, however the server was started."""

    def __init__(self, app: ASGIApp, load_database: Callable[[], Database]) -> None:
        self._app, self._load_database = app, load_database

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not is_login_on():
            await self._answer_this_machine(scope, receive, send)
        elif not scope["path"].startswith(_OF_PEOPLE) or await self._is_logged_in(scope):
            await self._app(scope, receive, send)
        else:
            answer = JSONResponse({"error": "login_needed", "error_description": "Log in first."}, status_code=401)
            await answer(scope, receive, send)

    async def _answer_this_machine(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = (scope.get("server") or ("", None))[0]
        if not _came_over_network(address) or load_settings().allow_anyone_without_login:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            told = {"error": "no_login", "error_description": "No login is configured: only this machine is answered."}
            await JSONResponse(told, status_code=403)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def _is_logged_in(self, scope: Scope) -> bool:
        identity = find_cookie_identity(HTTPConnection(scope).cookies)
        if identity is None or identity.is_over(datetime.now(UTC)):
            return False
        try:
            return not await anyio.to_thread.run_sync(self._is_ended, identity.login_id)
        except StoreUnavailableError:
            return False

    def _is_ended(self, login_id: str) -> bool:
        with self._load_database().read() as session:
            return is_ended(session, login_id)


def _came_over_network(address: str) -> bool:
    """By the address at which a request arrived; one that is none (a Unix socket, a test) is of this machine."""
    try:
        ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return False
    return not is_of_this_machine(address)
