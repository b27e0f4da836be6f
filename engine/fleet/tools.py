"""For the pages that still import from here; goes with them."""

from domains.machines.tools import MACHINE_TOOL_NAMES

__all__ = ["MACHINE_TOOL_NAMES"]
