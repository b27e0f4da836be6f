"""Which tool an intent calls: spec 3's exact look-up and nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from domains.tasks.tools import CATALOGUE

INTENT_TO_TOOL: Mapping[str, str | None] = MappingProxyType(
    {intent: CATALOGUE.tool_of(intent) for intent in CATALOGUE.intents}
)


def find_tool(intent: object) -> str | None:
    """The tool for an intent, or None: for an unknown one, another spelling, or no string at all."""
    return CATALOGUE.tool_of(intent)


def map_intent(request: object) -> dict[str, str | None]:
    """Spec 3's look-up: `{"intent": …}` in, `{"tool_name": …}` out; malformed input maps to null."""
    intent = request.get("intent") if isinstance(request, Mapping) else None
    return {"tool_name": find_tool(intent)}
