"""All tools that a client sees, made from the catalogues by one loop. A new catalogue is a line in `CATALOGUES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from mcp import types

from domains.schemas import load_machine_catalogue
from domains.tasks.tools import DESTRUCTIVE_TOOLS
from engine.catalogue.schemas import Tool, load_catalogue, read_tools
from mcp_door.own_tools import OWN_TOOLS, READ_ONLY, DoorTools

CATALOGUES: tuple[Callable[[], Mapping[str, Tool]], ...] = (load_catalogue, load_machine_catalogue)
"""What an Executor carries out, in the order in which it is listed."""


@cache
def executed_tools() -> Mapping[str, Tool]:
    return {name: tool for load in CATALOGUES for name, tool in load().items()}


@cache
def own_tools() -> Mapping[str, Tool]:
    return read_tools(DoorTools, OWN_TOOLS)


@cache
def all_tools() -> Mapping[str, Tool]:
    return {**executed_tools(), **own_tools()}


@cache
def describe_tools() -> tuple[types.Tool, ...]:
    """As they go to the client: name, description and schemas word for word those of the catalogue."""
    return tuple(_describe(tool) for tool in all_tools().values())


def find_input_schema(name: str) -> Mapping[str, Any] | None:
    """The SDK asks for it with every call."""
    return next((tool.input_schema for tool in describe_tools() if tool.name == name), None)


def _describe(tool: Tool) -> types.Tool:
    destructive = tool.name in DESTRUCTIVE_TOOLS or tool.name == "confirm_call"
    return types.Tool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.name in READ_ONLY, destructive_hint=destructive, open_world_hint=False
        ),
    )
