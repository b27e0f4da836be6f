"""For the pages that still import from here; goes with them."""

from domains.machines.values import Machine

__all__ = ["Machine"]
