"""One token cannot take the door away from others, and what it has open ends with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import anyio
import httpx2
import pytest
from starlette.types import Message

from mcp_door import http as door
from mcp_door.sessions import MOST_OF_A_PERSON, MOST_OF_A_TOKEN
from tests.mcp_door.workbench import RawClient, make_token, result_of, revoke
from tests.workbench import Somebody


@pytest.fixture
def http() -> Iterator[httpx2.Client]:
    with httpx2.Client(timeout=60) as client:
        yield client


def open_many(http: httpx2.Client, person: Somebody, token: str, count: int) -> list[RawClient]:
    clients = [RawClient(http, f"{person.workbench.url}/mcp", token, None) for _ in range(count)]
    for client in clients:
        assert client.open().status_code == 200
    return clients


def are_open(clients: list[RawClient]) -> list[bool]:
    return [client.call("get_user_info").status_code == 200 for client in clients]


def test_a_token_has_so_many_sessions_and_the_longest_idle_one_makes_room(
    maya: Somebody, jonas: Somebody, http: httpx2.Client
) -> None:
    clients = open_many(http, maya, make_token(maya), MOST_OF_A_TOKEN + 5)
    assert are_open(clients) == [False] * 5 + [True] * MOST_OF_A_TOKEN
    (other,) = open_many(http, jonas, make_token(jonas), 1)
    assert result_of(other.call("get_user_info"))["handle"] == jonas.handle


def test_a_person_has_so_many_sessions_with_any_number_of_tokens(maya: Somebody, http: httpx2.Client) -> None:
    half = MOST_OF_A_TOKEN // 2
    clients = [
        client for _ in range(MOST_OF_A_PERSON // half + 1) for client in open_many(http, maya, make_token(maya), half)
    ]
    assert sum(are_open(clients)) == MOST_OF_A_PERSON


def test_sessions_in_use_are_not_ended_for_new_ones(maya: Somebody, http: httpx2.Client) -> None:
    token = make_token(maya)
    (first,) = open_many(http, maya, token, 1)
    with http.stream("GET", first.url, headers={**first.headers, "Accept": "text/event-stream"}) as listening:
        assert listening.status_code == 200
        open_many(http, maya, token, MOST_OF_A_TOKEN + 2)
        assert are_open([first]) == [True]


def test_a_revoked_token_ends_the_stream_that_only_listens(maya: Somebody, http: httpx2.Client) -> None:
    token = make_token(maya)
    (client,) = open_many(http, maya, token, 1)
    with http.stream("GET", client.url, headers={**client.headers, "Accept": "text/event-stream"}) as listening:
        assert listening.status_code == 200
        revoke(maya, token)
        try:
            for line in listening.iter_lines():  # ends when the server hangs up; a test that waits for ever times out
                assert "data" not in line
        except httpx2.RemoteProtocolError:
            pass  # hung up in the middle of the stream, which has no end of its own


def test_a_request_that_never_arrives_in_full_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "_BODY_SECONDS", 0.05)
    parts: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}]

    async def receive() -> Message:
        if parts:
            return parts.pop()
        await anyio.sleep_forever()
        raise AssertionError

    async def read() -> list[str]:
        slow = door._in_time(receive)
        return [(await slow())["type"], (await slow())["type"]]

    assert asyncio.run(read()) == ["http.request", "http.disconnect"]


def test_a_client_may_listen_for_as_long_as_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "_BODY_SECONDS", 0.01)
    messages: list[Message] = [{"type": "http.disconnect"}, {"type": "http.request", "body": b"{}"}]

    async def receive() -> Message:
        if len(messages) == 1:
            await anyio.sleep(0.05)
        return messages.pop()

    async def read() -> list[str]:
        patient = door._in_time(receive)
        return [(await patient())["type"], (await patient())["type"]]

    assert asyncio.run(read()) == ["http.request", "http.disconnect"]
