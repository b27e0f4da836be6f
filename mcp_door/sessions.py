"""The open sessions of MCP clients: a few for each token and person, and none for a token that opens nothing any more.

The SDK limits all sessions together, so that one token could lock everybody out. What is used of it here beyond its
public names is held by tests, and its version is pinned.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from db.clients.access_tokens import Holder

MOST_OF_A_TOKEN = 32
MOST_OF_A_PERSON = 64
MOST_REQUESTS_OF_A_TOKEN = 128
"""Under way at once, open streams included."""
_MOST_KEPT = 2000


class TooManyError(Exception):
    """In a sentence for the client. Nothing was opened."""


class Sessions(StreamableHTTPSessionManager):
    def begin(self) -> None:
        """Before the first request."""
        self._used: dict[str, float] = {}
        self._busy: Counter[str] = Counter()
        self._scopes: dict[str, set[anyio.CancelScope]] = {}

    @asynccontextmanager
    async def request_of(self, holder: Holder, session_id: str | None) -> AsyncIterator[None]:
        """Around one request: it counts, makes room where it may open a session, and ends when the token does."""
        scopes = self._scopes.setdefault(holder.token_id, set())
        if len(scopes) >= MOST_REQUESTS_OF_A_TOKEN:
            raise TooManyError(f"{MOST_REQUESTS_OF_A_TOKEN} requests of this token are under way already.")
        if session_id is None:
            await self._make_room(holder)
        with anyio.CancelScope() as scope:
            scopes.add(scope)
            self._busy[session_id or ""] += 1
            try:
                yield
            finally:
                scopes.discard(scope)
                self._leave(session_id or "")

    def _leave(self, session_id: str) -> None:
        self._busy[session_id] -= 1
        self._used[session_id] = time.monotonic()
        if len(self._used) > 2 * _MOST_KEPT:  # of sessions long ended
            self._used = {each: at for each, at in self._used.items() if each in self._server_instances}
            self._busy = +self._busy

    async def _make_room(self, holder: Holder) -> None:
        """End what was idle for longest, where there is too much: programs that start anew leave their sessions."""
        for most, own in self._owned_by(holder.token_id, holder.user.id):
            idle = sorted((each for each in own if not self._busy[each]), key=lambda each: self._used.get(each, 0.0))
            surplus = len(own) - most + 1
            if surplus > len(idle):
                raise TooManyError(f"{most} sessions are in use already; close one.")
            for session_id in idle[: max(0, surplus)]:
                await self._end(session_id)

    def _owned_by(self, token_id: str, user_id: str | None) -> Iterator[tuple[int, list[str]]]:
        owners = self._session_owners
        yield MOST_OF_A_TOKEN, [each for each, owner in owners.items() if owner["client_id"] == token_id]
        yield MOST_OF_A_PERSON, [each for each, owner in owners.items() if owner["subject"] == user_id]

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        """Again where it is decided: several may have come through at the same moment."""
        if requestor is None or any(
            len(own) >= most for most, own in self._owned_by(requestor["client_id"], requestor["subject"])
        ):
            return None
        return super()._admit_session(requestor)

    def count(self) -> int:
        return len(self._session_owners)

    def tokens_at_work(self) -> set[str]:
        owners = {owner["client_id"] for owner in self._session_owners.values()}
        return owners | {token_id for token_id, scopes in self._scopes.items() if scopes}

    async def end_tokens(self, token_ids: Iterable[str]) -> None:
        """All that these tokens have open: sessions, and requests and streams under way."""
        for token_id in token_ids:
            for session_id in [each for each, owner in self._session_owners.items() if owner["client_id"] == token_id]:
                await self._end(session_id)
            for scope in self._scopes.pop(token_id, set()):
                scope.cancel()

    async def _end(self, session_id: str) -> None:
        transport = self._server_instances.get(session_id)
        if transport:
            await self._discard_session(session_id, transport)
