"""Clients of a workbench that really runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client

from db.clients.access_tokens import create_token, revoke_token
from db.clients.calls import ClientCall, list_client_calls
from tests.workbench import Somebody

JSON_AND_EVENTS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


def make_token(person: Somebody, *, days: int | None = None, name: str = "A test") -> str:
    """A token; with negative days one that has expired."""
    now = datetime.now(UTC)
    made, expires_at = (now, now + timedelta(days=days)) if days and days > 0 else (now, None)
    if days and days < 0:
        made, expires_at = now + timedelta(days=2 * days), now + timedelta(days=days)
    with person.workbench.database.write() as session:
        return create_token(session, person.id, name, now=made, expires_at=expires_at)[0]


def revoke(person: Somebody, token: str) -> None:
    with person.workbench.database.write() as session:
        revoke_token(session, person.id, token.split("_")[1], now=datetime.now(UTC))


def calls(person: Somebody) -> tuple[ClientCall, ...]:
    """The latest calls of this person's clients, the last one first."""
    with person.workbench.database.read() as session:
        return list_client_calls(session, person.id, limit=50)


def connect(url: str, token: str, era: str = "auto", name: str = "Desk", **options: Any) -> Client:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60)
    info = types.Implementation(name=name, version="1")
    return Client(streamable_http_client(url, http_client=http), mode=era, client_info=info, **options)


class RawClient:
    """Speaks the older protocol by hand, to do what no decent client does."""

    def __init__(self, http: httpx2.Client, url: str, token: str | None, capabilities: dict[str, Any] | None) -> None:
        self.http, self.url = http, url
        self.headers = {**JSON_AND_EVENTS, **({"Authorization": f"Bearer {token}"} if token else {})}
        self.capabilities = capabilities or {}

    def open(self) -> httpx2.Response:
        info = {"name": "By hand", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": self.capabilities, "clientInfo": info}
        answer = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        if answer.status_code == 200:
            self.headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
            self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def post(self, message: object, **headers: str) -> httpx2.Response:
        content = message if isinstance(message, str) else json.dumps(message)
        sent = {"Content-Type": "application/json", **self.headers, **headers}
        return self.http.post(self.url, content=content, headers=sent)

    def call(self, name: str, **arguments: Any) -> httpx2.Response:
        return self.post(call_message(name, arguments))

    @contextmanager
    def calling(self, name: str, **arguments: Any) -> Iterator[Iterator[dict[str, Any]]]:
        """The messages that come back while a call is under way; leaving the block hangs up."""
        sent = {"Content-Type": "application/json", **self.headers}
        with self.http.stream("POST", self.url, json=call_message(name, arguments), headers=sent) as answer:
            lines = (line.removeprefix("data: ") for line in answer.iter_lines() if line.startswith("data: {"))
            yield (json.loads(line) for line in lines)


def call_message(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def result_of(answer: httpx2.Response) -> dict[str, Any]:
    """The structured result in the one event of an answer."""
    data = next(line for line in answer.text.splitlines() if line.startswith("data: {"))
    content: dict[str, Any] = json.loads(data.removeprefix("data: "))["result"]["structuredContent"]
    return content
