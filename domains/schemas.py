"""The tools of all domains by name, as a validator, an LLM or an MCP client takes them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from domains.machines.tools import MACHINE_TOOL_NAMES, MachineTools
from engine.catalogue.schemas import Tool, load_catalogue, read_tools


@cache
def load_machine_catalogue() -> Mapping[str, Tool]:
    """The four machine tools by name."""
    return read_tools(MachineTools, MACHINE_TOOL_NAMES)


@cache
def load_all_tools() -> Mapping[str, Tool]:
    """What the executor can carry out: tasks first, then machines."""
    return {**load_catalogue(), **load_machine_catalogue()}
