"""Who may use a page where a login is configured, and who is answered where none is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from db.connection import Database
from db.logins import end_login
from settings import load_settings
from tests.ui.test_identity import CLAIMS
from ui import logging_in, login_guard
from ui.identity import ClaimedIdentity, read_claims
from ui.logging_in import LoginNeededError, get_logged_in
from ui.login_guard import LoginGuard, refuse_open_doors


@pytest.fixture
def identity(monkeypatch: pytest.MonkeyPatch) -> list[ClaimedIdentity | None]:
    """Who the page's cookie says it is; a test may put somebody else there."""
    found = read_claims(CLAIMS)
    who: list[ClaimedIdentity | None] = [found]
    monkeypatch.setattr(logging_in, "find_session_identity", lambda: who[0])
    monkeypatch.setattr(logging_in, "is_same_login", lambda _login_id: True)
    monkeypatch.setattr(logging_in, "_found", type(logging_in._found)())
    return who


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    load_settings.cache_clear()
    yield monkeypatch
    load_settings.cache_clear()


def why(database: Database) -> str:
    with pytest.raises(LoginNeededError) as needed:
        get_logged_in(database)
    return needed.value.why


def test_the_first_use_of_a_page_makes_the_person(database: Database, identity: list[ClaimedIdentity | None]) -> None:
    found = get_logged_in(database)
    assert (found.user.name, found.role, found.user.role) == ("Ada", "member", "member")
    assert get_logged_in(database).user.id == found.user.id


def test_a_login_that_expired_or_ended_is_over(database: Database, identity: list[ClaimedIdentity | None]) -> None:
    found = get_logged_in(database)
    with database.write() as session:
        end_login(session, found.login_id, datetime.now(UTC))
    logging_in._found.clear()  # as a second later
    assert why(database) == "ended"
    known = identity[0]
    assert known
    identity[0] = replace(known, expires_at=datetime.now(UTC) - timedelta(seconds=1))
    assert why(database) == "expired"
    identity[0] = None
    assert why(database) == "nobody"


def test_who_has_no_role_is_turned_away_and_nobody_is_made(
    database: Database, identity: list[ClaimedIdentity | None], environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("LOGIN_DEFAULT_ROLE", "nobody")
    assert why(database) == "refused"


async def ask(address: str, path: str = "/") -> int:
    """The status of a request that arrived at this address of the server."""

    def answer(_request: object) -> PlainTextResponse:
        return PlainTextResponse("here")

    app: Any = LoginGuard(Starlette(routes=[Route("/{path:path}", answer)]), load_database=lambda: None)  # type: ignore[arg-type,return-value]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": [],
        "server": (address, 8501), "http_version": "1.1", "scheme": "http", "root_path": "",
    }  # fmt: skip
    asked: Receive = receive
    given: Send = send
    await app(scope, asked, given)
    return int(sent[0]["status"])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_without_a_login_only_this_machine_is_answered(environment: pytest.MonkeyPatch) -> None:
    assert [await ask(each) for each in ("127.0.0.1", "::1", "192.168.1.4", "0.0.0.0")] == [200, 200, 403, 403]
    environment.setenv("ALLOW_ANYONE_WITHOUT_LOGIN", "true")
    load_settings.cache_clear()
    assert await ask("192.168.1.4") == 200


@pytest.mark.anyio
async def test_with_a_login_files_of_people_are_for_who_has_logged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_guard, "is_login_on", lambda: True)
    assert [await ask("192.168.1.4", path) for path in ("/", "/media/abc.csv", "/_stcore/upload_file/a/b")] == [
        200, 401, 401,
    ]  # fmt: skip


def test_the_server_does_not_start_where_anybody_could_reach_it(environment: pytest.MonkeyPatch) -> None:
    environment.setattr(st, "get_option", lambda _name: "0.0.0.0")
    with pytest.raises(SystemExit, match="ALLOW_ANYONE_WITHOUT_LOGIN"):
        refuse_open_doors()
    environment.setenv("ALLOW_ANYONE_WITHOUT_LOGIN", "true")
    load_settings.cache_clear()
    refuse_open_doors()
    environment.setattr(st, "get_option", lambda _name: "localhost")
    environment.setenv("REQUIRE_LOGIN", "true")
    load_settings.cache_clear()
    with pytest.raises(SystemExit, match="REQUIRE_LOGIN"):
        refuse_open_doors()
