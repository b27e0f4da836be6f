"""What an incomplete call comes to over MCP: which calls stand as they came, and how a question is put."""

from __future__ import annotations

from typing import Any

from domains.catalogues import find_facts, load_all_tools
from engine.border.arguments import BadArgumentsError, check_arguments
from engine.completing.sanitise import is_nothing
from engine.completing.values import Composition
from engine.values import ErrorKind, ToolCall


def is_sound(call: ToolCall) -> bool:
    """Whether the tool would take the call as it came: the catalogue accepts it, and no value only stands in."""
    given = call.parameters
    if any(is_nothing(value) for value in given.values()):
        return False
    try:
        check_arguments(call.tool_name, given, load_all_tools())
    except BadArgumentsError:
        return False
    facts = find_facts(call.tool_name)
    return facts is None or facts.is_named(given)


def ask_back(composed: Composition) -> tuple[ErrorKind, str]:
    """Several ways are a question to the user; none is an error that the model can read."""
    if composed.status == "failed":
        return ErrorKind.MISSING_ARGUMENT, composed.message
    if composed.status == "completed":  # several calls in one sentence: each is a call of its own
        return ErrorKind.NEEDS_CLARIFICATION, "The words ask for several calls. Make them one by one."
    return ErrorKind.NEEDS_CLARIFICATION, composed.message


def list_choices(composed: Composition) -> list[dict[str, Any]]:
    """Ready to be called: the arguments stand under `value`."""
    if composed.status == "completed":
        return [
            {
                "label": each.call.tool_name,
                "tool_name": each.call.tool_name,
                "value": each.call.parameters,
                "confidence": each.confidence,
            }
            for each in composed.calls
        ]
    return [
        {"label": each.label, "tool_name": each.tool_name, "value": dict(each.value), "confidence": each.confidence}
        for each in composed.suggestions
    ]
