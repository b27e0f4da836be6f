"""Checking a call's arguments against the catalogue; what is wrong is a failure like the store's others."""

from __future__ import annotations

from typing import Any

from db.failures import ToolFailure
from domains.catalogues import load_all_tools
from engine.border import arguments
from engine.values import ToolCall


def check_arguments(call: ToolCall) -> dict[str, Any]:
    """The arguments as the tool takes them, or a ToolFailure that names the first mistake."""
    try:
        return arguments.check_arguments(call.tool_name, call.parameters, load_all_tools())
    except arguments.BadArgumentsError as error:
        raise ToolFailure(error.kind, error.message) from None
