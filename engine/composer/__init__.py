"""For the pages that still import from here; goes with them."""

from domains.composing import compose

__all__ = ["compose"]
