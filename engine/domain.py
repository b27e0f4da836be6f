"""What an assistant can do, as a value: tools with their facts, and for each language the ways of asking for them.

The engine takes a Domain and knows none by name. A domain is a folder under `domains/` (or one that `DOMAINS` names):
typed signatures with facts beside them, and one folder a language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.catalogue.facts import (
    UNKNOWN,
    Catalogue,
    Effect,
    Reads,
    ToolFacts,
    base_name,
    read_catalogue,
    tool,
)

if TYPE_CHECKING:
    from engine.conduct import Conduct
    from engine.items import ItemStore
    from engine.policy.values import Policy
    from engine.text.language import SmallWords

__all__ = ["UNKNOWN", "Catalogue", "Domain", "Effect", "Reads", "ToolFacts", "base_name", "read_catalogue", "tool"]


@dataclass(frozen=True, eq=False)
class Domain:
    """Everything an assistant for one matter is made of. Each is loaded once, and equal to itself alone."""

    name: str
    catalogue: Catalogue
    policies: Mapping[str, Policy]
    """By language."""
    label: str = ""
    """How pages call it."""
    small_words: Mapping[str, SmallWords] = field(default_factory=dict)
    """By language: what a message is told to be in that language by."""
    conduct: Conduct | None = None
    """None: read by ways of asking, and told by the policy's sentences."""
    implement: Callable[[ItemStore], object] | None = None
    """Makes its tools, bound to one person's things; None: the store has tables and tools for this domain."""
    examples: tuple[Mapping[str, object], ...] = ()
    """Things that a demo person starts with: `title`, and whatever else the domain keeps."""
    sayings: tuple[str, ...] = ()
    """Messages to try it with."""

    @property
    def thing(self) -> str:
        """One of what it is about, in a word: "task", "machine"."""
        return self.label.lower().removesuffix("s")

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.policies)
