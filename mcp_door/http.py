"""The door over streamable HTTP: an ASGI app for one route of the workbench, with a lifespan of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from db.clients.access_tokens import Holder, TokenRefusedError, find_ended
from db.connection import Database
from db.failures import StoreUnavailableError
from db.tasks.service import Clock
from domains.deciders import make_engine
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings
from engine.decision import Decider
from mcp_door.confirmations import Confirmations
from mcp_door.guard import Hosts, check_bearer, refuse
from mcp_door.server import Door, NobodyError, Person
from mcp_door.sessions import Sessions, TooManyError
from telemetry import metrics

MOST_BYTES = 256 * 1024
"""A request is a few texts of at most some thousand characters."""
_IDLE_SECONDS = 30 * 60
_MOST_SESSIONS = 1000
_BODY_SECONDS = 30
"""For a request to arrive in full: one that stays half-open holds nothing for longer."""
_LOOK_SECONDS = 3
"""Between two looks for tokens that were revoked or have expired while something of theirs is open."""
_HOLDER = "twolane.holder"


class HttpDoor:
    def __init__(
        self,
        load_database: Callable[[], Database],
        clock: Clock,
        *,
        hosts: Hosts,
        question_seconds: float,
        decider: Callable[[], Decider] = make_engine,
        composer: ComposerSettings = DEFAULT_SETTINGS,
        login_on: Callable[[], bool] = lambda: False,
    ) -> None:
        """`login_on`: whether people log in. Then a token is worth what its person's last login was, and one of
        somebody who never logged in nothing."""
        self._load_database, self._clock, self._hosts, self._login_on = load_database, clock, hosts, login_on
        self.door = Door(self._identify, clock, Confirmations(question_seconds), decider, composer)
        self._manager: Sessions | None = None

    def count_sessions(self) -> int:
        return self._manager.count() if self._manager else 0

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serves until the block ends; then every open session is closed."""
        manager = Sessions(
            app=self.door.make_server(),
            session_idle_timeout=_IDLE_SECONDS,
            max_sessions=_MOST_SESSIONS,
            max_request_body_size=MOST_BYTES,
        )
        manager.begin()
        async with manager.run(), anyio.create_task_group() as looking:
            looking.start_soon(self._end_with_their_tokens, manager)
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None
                looking.cancel_scope.cancel()

    async def _end_with_their_tokens(self, manager: Sessions) -> None:
        """A token that is revoked ends what it has open, also a stream that only listens."""
        while True:
            await anyio.sleep(_LOOK_SECONDS)
            at_work = manager.tokens_at_work()
            if at_work:
                await manager.end_tokens(await anyio.to_thread.run_sync(self._find_ended, at_work))

    def _find_ended(self, token_ids: set[str]) -> set[str]:
        try:
            with self._load_database().read() as session:
                return find_ended(session, token_ids, now=self._clock())
        except StoreUnavailableError:
            return set()  # every further request is refused anyway, until the store is back

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        send = _counted(send)
        request = Request(scope)
        problem = self._hosts.find_problem(request.headers)
        if problem is None:
            try:
                header = request.headers.get("authorization", "")
                holder = await anyio.to_thread.run_sync(check_bearer, self._load_database, self._clock, header)
                if self._login_on() and holder.user.role is None:
                    problem = refuse(401, "invalid_token", "Whose token this is has never logged in. Make a new one.")
            except TokenRefusedError as error:
                problem = refuse(401, "invalid_token", str(error))
            except StoreUnavailableError as error:
                problem = refuse(503, "unavailable", str(error))
        if problem is None and self._manager is None:
            problem = refuse(503, "unavailable", "The server is starting or stopping.")
        if problem is not None:
            await problem(scope, receive, send)
            return
        assert self._manager is not None  # noqa: S101 - refused above
        try:
            async with self._manager.request_of(holder, request.headers.get("mcp-session-id")):
                await self._manager.handle_request(_with_holder(scope, holder), _in_time(receive), send)
        except TooManyError as error:
            await refuse(429, "too_many", str(error))(scope, receive, send)

    def _identify(self, request: Request | None) -> Person:
        holder: Holder | None = request.scope.get(_HOLDER) if request is not None else None
        if holder is None:
            raise NobodyError("This request carries no token.")
        role = holder.user.role if self._login_on() else None
        return Person(self._load_database().acting_as(role), holder.user, holder.token_name)


def _counted(send: Send) -> Send:
    async def send_counted(message: Message) -> None:
        if message["type"] == "http.response.start":
            metrics.mcp_answered(message["status"])
        await send(message)

    return send_counted


def _in_time(receive: Receive) -> Receive:
    """Hangs up on a request whose body does not arrive; what comes after the body may take its time."""
    until, whole = anyio.current_time() + _BODY_SECONDS, False

    async def receive_in_time() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        with anyio.move_on_at(until):
            message = await receive()
            whole = not message.get("more_body", False)
            return message
        return {"type": "http.disconnect"}

    return receive_in_time


def _with_holder(scope: Scope, holder: Holder) -> Scope:
    """The SDK ties a session to who opened it: nobody else's token can go on with it. The token's text stays out."""
    access = AccessToken(token="", client_id=holder.token_id, scopes=[], subject=holder.user.id)
    return {**scope, "user": AuthenticatedUser(access), _HOLDER: holder}
