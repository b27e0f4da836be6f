"""For the pages that still import from here; goes with them."""

from domains.machines.wire import read_request
from engine.completing.wire import write_composition

__all__ = ["read_request", "write_composition"]
