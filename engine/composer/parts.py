"""For the pages that still import from here; goes with them."""

from domains.machines.composing.parts import learned_bonus

__all__ = ["learned_bonus"]
