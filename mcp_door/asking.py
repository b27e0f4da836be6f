"""A destructive call: asked through the client where it can ask, held back for `confirm_call` otherwise."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

import anyio
from mcp import types

from db.failures import StoreUnavailableError
from engine.values import ErrorKind, ToolCall, ToolResult
from mcp_door.callers import Caller
from mcp_door.questions import Asking, can_ask, is_yes, question_of, read_answer, speaks_in_rounds

InThread = Callable[[Callable[[], ToolResult | None]], Awaitable[ToolResult | None]]
_KEY = "yes"
"""Under which the question stands among a client's input requests, and its answer among the responses."""


@dataclass(frozen=True, slots=True)
class DestructiveCall:
    caller: Caller
    call: ToolCall
    in_thread: InThread

    async def ask_first(
        self, ctx: Asking, params: types.CallToolRequestParams
    ) -> ToolResult | types.InputRequiredResult:
        if params.request_state is not None:
            return await self._go_on(params.request_state, params.input_responses or {})
        held = await self._do(partial(self.caller.hold, self.call))
        if held.error is not ErrorKind.NEEDS_CONFIRMATION:
            return held
        code, question = str(held.payload["confirmation"]), question_of(held)
        if not can_ask(ctx):
            return self._explain(held)
        if speaks_in_rounds(ctx):
            return types.InputRequiredResult(input_requests={_KEY: question}, request_state=code)
        said_yes: bool | None = None
        with anyio.move_on_after(self.caller.confirmations.seconds):
            said_yes = await read_answer(ctx, question)
        return await self._settle(code, said_yes)

    async def _go_on(self, code: str, answers: types.InputResponses) -> ToolResult:
        """The second round of a client that asks its user between two requests."""
        answer = answers.get(_KEY)
        return await self._settle(code, isinstance(answer, types.ElicitResult) and is_yes(answer))

    async def _settle(self, code: str, said_yes: bool | None) -> ToolResult:
        """Do what was shown under the code, or see to it that nobody does."""
        if not said_yes:
            in_time = f"No answer within {self.caller.confirmations.seconds:.0f} seconds."
            why = "The user said no." if said_yes is False else in_time
            return await self._do(partial(self._decline, code, f"{why} Nothing was done."))
        done = await self.in_thread(partial(self.caller.carry_out_held, code, self.call))
        late = "The yes came too late, was used, or is for another call."
        return done or await self._refuse(ErrorKind.BAD_CONFIRMATION, late)

    def _decline(self, code: str, message: str) -> ToolResult:
        with contextlib.suppress(StoreUnavailableError):  # then it ends with its time
            self.caller.drop_held(code)
        return self.caller.refuse(self.call, ErrorKind.DECLINED, message)

    async def _refuse(self, kind: ErrorKind, why: str) -> ToolResult:
        return await self._do(partial(self.caller.refuse, self.call, kind, f"{why} Nothing was done."))

    async def _do(self, work: Callable[[], ToolResult]) -> ToolResult:
        result = await self.in_thread(work)
        assert result is not None  # noqa: S101 - such work always has one
        return result

    def _explain(self, held: ToolResult) -> ToolResult:
        how = (
            "Ask the user. After a yes, call confirm_call with this confirmation, once, "
            f"within {self.caller.confirmations.seconds:.0f} seconds."
        )
        return replace(held, payload={**held.payload, "error_message": f"{held.error_message} {how}"})
