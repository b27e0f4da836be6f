"""For the pages that still import from here; goes with them."""

from domains.machines.memory_fleet import MemoryFleet

__all__ = ["MemoryFleet"]
