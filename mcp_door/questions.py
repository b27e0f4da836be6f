"""Asking the person behind a client. Two ways, by the client's protocol: a request to the client while it waits
(until 2025-11-25), or an answer that asks, after which the client calls again (from 2026-07-28)."""

from __future__ import annotations

import logging
from typing import Any

from mcp import MCPError, types
from mcp.server import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from engine.values import ToolResult

_log = logging.getLogger(__name__)
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"yes": {"type": "boolean", "title": "Delete it", "description": "Tick to delete this task."}},
    "required": ["yes"],
}
Asking = ServerRequestContext[Any, Any]


def can_ask(ctx: Asking) -> bool:
    """Whether the client says that it can put a form to its user."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return speaks_in_rounds(ctx) or ctx.session.can_send_request


def speaks_in_rounds(ctx: Asking) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def question_of(held: ToolResult) -> types.ElicitRequest:
    message = f"Delete task #{held.payload['number']} '{held.payload['title']}'?"
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=_SCHEMA))


async def read_answer(ctx: Asking, question: types.ElicitRequest) -> bool:
    """Whether the person said yes. A client that cannot ask after all, or answers nonsense, has not said yes."""
    try:
        answer = await ctx.session.elicit_form(question.params.message, _SCHEMA, related_request_id=ctx.request_id)
    except (MCPError, ValidationError) as error:
        _log.info("A client did not answer the question: %s", type(error).__name__)
        return False
    return is_yes(answer)


def is_yes(answer: types.ElicitResult) -> bool:
    return answer.action == "accept" and (answer.content or {}).get("yes") is True
