"""Asking the person behind a client. Two ways, by the client's protocol: a request to the client while it waits
(until 2025-11-25), or an answer that asks, after which the client calls again (from 2026-07-28)."""

from __future__ import annotations

import logging
from typing import Any

from mcp import MCPError, types
from mcp.server import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from domains.catalogues import find_facts
from engine.text.visible import show_controls
from engine.values import ToolResult

_log = logging.getLogger(__name__)
_ARTICLE = " a "
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
    """In the words of the tool's label: "Delete a task" asks "Delete task #12 'Buy milk'?"."""
    facts = find_facts(held.tool_name)
    label = facts.label if facts else held.tool_name
    message = (
        f"{label.replace(_ARTICLE, ' ', 1)} #{held.payload['number']} '{show_controls(str(held.payload['title']))}'?"
    )
    form = types.ElicitRequestFormParams(message=message, requested_schema=_schema(label))
    return types.ElicitRequest(params=form)


def _schema(label: str) -> dict[str, Any]:
    verb, _, thing = label.partition(_ARTICLE)
    tick = f"Tick to {verb.lower()} this {thing}." if thing else f"Tick for: {label}."
    yes = {"type": "boolean", "title": f"{verb} it" if thing else label, "description": tick}
    return {"type": "object", "properties": {"yes": yes}, "required": ["yes"]}


async def read_answer(ctx: Asking, question: types.ElicitRequest) -> bool:
    """Whether the person said yes. A client that cannot ask after all, or answers nonsense, has not said yes."""
    try:
        form = question.params
        schema = form.requested_schema if isinstance(form, types.ElicitRequestFormParams) else {}
        answer = await ctx.session.elicit_form(form.message, schema, related_request_id=ctx.request_id)
    except (MCPError, ValidationError) as error:
        _log.info("A client did not answer the question: %s", type(error).__name__)
        return False
    return is_yes(answer)


def is_yes(answer: types.ElicitResult) -> bool:
    return answer.action == "accept" and (answer.content or {}).get("yes") is True
