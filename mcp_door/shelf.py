"""All tools that a client sees: those of every domain, and the door's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from mcp import types

from domains.catalogues import find_facts, load_all_tools, needs_yes
from engine.catalogue.schemas import Tool, read_tools
from mcp_door.own_tools import OWN_CATALOGUE


def executed_tools() -> Mapping[str, Tool]:
    """What an Executor carries out, in the order in which it is listed."""
    return load_all_tools()


@cache
def own_tools() -> Mapping[str, Tool]:
    return read_tools(OWN_CATALOGUE)


def all_tools() -> Mapping[str, Tool]:
    return {**executed_tools(), **own_tools()}


def describe_tools() -> tuple[types.Tool, ...]:
    """As they go to the client: name, description and schemas word for word those of the catalogue."""
    return tuple(_describe(tool) for tool in all_tools().values())


def find_input_schema(name: str) -> Mapping[str, Any] | None:
    """The SDK asks for it with every call."""
    tool = all_tools().get(name)
    return tool.input_schema if tool else None


def _describe(tool: Tool) -> types.Tool:
    destructive = needs_yes(tool.name) or tool.name == "confirm_call"
    return types.Tool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=_only_reads(tool.name), destructive_hint=destructive, open_world_hint=False
        ),
    )


def _only_reads(tool_name: str) -> bool:
    """Clients may call such a tool without asking their user."""
    facts = find_facts(tool_name) or OWN_CATALOGUE.by_name.get(tool_name)
    return facts is not None and not facts.changes_something
