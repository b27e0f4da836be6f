"""For the pages that still import from here; goes with them."""

from domains.machines.report import describe_value

__all__ = ["describe_value"]
