"""The tools and the mapping in words and rows, for the Tools page. No streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from domains.catalogues import find_facts
from domains.tasks.mapping import INTENT_TO_TOOL, find_tool, map_intent
from domains.tasks.tools import CATALOGUE
from engine.catalogue.schemas import Tool
from engine.domain import UNKNOWN, Catalogue
from mcp_door.own_tools import OWN_CATALOGUE


def make_examples(catalogue: Catalogue) -> dict[str, str]:
    """Requests to try, right and wrong: the first intent of the catalogue, and one that its tool is named unlike."""
    first = catalogue.tools[0].intent
    other = next((facts for facts in catalogue.tools if facts.intent != facts.name), catalogue.tools[-1])
    tried: dict[str, object] = {
        "An intent": first,
        other.label: other.intent,
        "Unknown": UNKNOWN,
        "Wrong case": first.upper(),
        "A typo": first[:1] + first[2:],
        "A space": f" {first}",
        "Empty": "",
        "Null": None,
        "A number": 7,
        "A list": [first],
    }
    return {name: json.dumps({"intent": intent}) for name, intent in tried.items()} | {
        "Nothing": "{}",
        "Not JSON": first,
    }


EXAMPLES = make_examples(CATALOGUE)


def mapping_rows() -> list[dict[str, str]]:
    return [{"Intent": intent, "Tool": tool or "null"} for intent, tool in INTENT_TO_TOOL.items()]


def try_mapping(text: str) -> tuple[dict[str, str | None], str]:
    """What the look-up says to this request, and why, in a sentence."""
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        return map_intent(None), "This is not JSON; malformed input maps to null."
    return map_intent(request), _why(request)


def _why(request: object) -> str:
    if not isinstance(request, Mapping) or "intent" not in request:
        return "There is no intent in it; malformed input maps to null."
    intent = request["intent"]
    if not isinstance(intent, str):
        return f"The intent is {_kind(intent)}, not a string: null."
    if find_tool(intent):
        return "It stands in the table, letter by letter."
    if intent in INTENT_TO_TOOL:
        return "It stands in the table, and has no tool."
    if not intent:
        return "An empty intent is none: null."
    if find_tool(intent.strip().lower()):
        return "Only the exact spelling counts, case and spaces included; nothing is guessed."
    return "It does not stand in the table; nothing is guessed."


def _kind(value: object) -> str:
    names = {type(None): "null", bool: "a boolean", int: "a number", float: "a number", list: "a list"}
    return names.get(type(value), "an object")


def ways_to(tool: Tool) -> str:
    """Both lanes and MCP clients take the tools of every domain; the door's own are for MCP clients alone."""
    return "MCP" if tool.name in OWN_CATALOGUE.by_name else "Engine, LLM, MCP"


def nature_of(tool: Tool) -> str:
    facts = find_facts(tool.name) or OWN_CATALOGUE.by_name[tool.name]
    if facts.needs_yes:
        return "asks first"
    return "changes" if facts.changes_something else "reads"


def argument_rows(tool: Tool) -> list[dict[str, str]]:
    schema = tool.input_schema
    required = schema.get("required", ())
    return [
        {
            "Argument": name,
            "Type": _type_of(entry),
            "Default": "required" if name in required else json.dumps(entry.get("default")),
            "What it is": str(entry.get("description", "")),
        }
        for name, entry in schema.get("properties", {}).items()
    ]


def _type_of(entry: Mapping[str, Any]) -> str:
    if "anyOf" in entry:
        return " or ".join(_type_of(each) for each in entry["anyOf"])
    if "enum" in entry:
        return ", ".join(map(str, entry["enum"]))
    limits = [
        f"{sign} {entry[key]}"
        for key, sign in (("minimum", "≥"), ("maximum", "≤"), ("maxLength", "≤"), ("maxItems", "≤"))
        if key in entry
    ]
    return " ".join([str(entry.get("type", "object")), *limits])
