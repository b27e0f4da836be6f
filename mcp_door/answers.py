"""From our results to what goes over the wire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp import MCPError, types

from engine.border.json_form import to_json
from engine.values import ErrorKind, ToolCall, ToolResult

COMPLETED = "twolane/completed"
"""The key in a result's `_meta` with the call as it was made, where it is not the one that the client sent."""


def tool_answer(
    result: ToolResult, call: ToolCall | None = None, sent: Mapping[str, Any] | None = None
) -> types.CallToolResult:
    """Spec 4's shape as structured content, and as text for clients that read only that.

    A failure is marked as one, so that a model can mend its call; a call that waits for a yes or a choice is none.
    """
    payload = dict(result.payload)
    completed = call is not None and call.parameters != dict(sent or {})
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=json.dumps(payload, ensure_ascii=False))],
        structured_content=payload,
        is_error=result.error not in (None, ErrorKind.NEEDS_CONFIRMATION, ErrorKind.NEEDS_CLARIFICATION),
        _meta={COMPLETED: to_json(call)} if call is not None and completed else None,
    )


def unavailable(tool_name: str, message: str) -> ToolResult:
    """There is no store, or nobody in it, to carry the call out for; so nothing of it can be recorded either."""
    kind = ErrorKind.UNAVAILABLE
    return ToolResult(tool_name, {"status": "error", "error_kind": str(kind), "error_message": message}, kind)


def invalid(message: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, message)
