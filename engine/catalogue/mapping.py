"""Which tool an intent calls: an exact look-up and nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from domains.tasks.tools import TOOL_NAMES  # lead: generic soon

INTENT_TO_TOOL: Mapping[str, str | None] = MappingProxyType(
    {
        "add_task": "add_task",
        "list_tasks": "list_tasks",
        "complete_task": "complete_task",
        "delete_task": "delete_task",
        "update_task": "update_task",
        "identity_query": "get_user_info",
        "unknown": None,
    }
)
INTENTS: tuple[str, ...] = tuple(INTENT_TO_TOOL)
TOOL_TO_INTENT: Mapping[str, str] = MappingProxyType({tool: intent for intent, tool in INTENT_TO_TOOL.items() if tool})


def find_tool(intent: object) -> str | None:
    """The tool for an intent, or None: for an unknown one, another spelling, or no string at all.

    A name outside the registry is never returned, also if a mapping should claim one.
    """
    if not isinstance(intent, str):
        return None
    tool_name = INTENT_TO_TOOL.get(intent)
    return tool_name if tool_name in TOOL_NAMES else None


def map_intent(request: object) -> dict[str, str | None]:
    """Spec 3's door: `{"intent": …}` in, `{"tool_name": …}` out; malformed input maps to null."""
    intent = request.get("intent") if isinstance(request, Mapping) else None
    return {"tool_name": find_tool(intent)}
