"""What a domain with a reading of its own takes of a language, in place of what the engine's stages take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Check = Callable[[Any, Callable[[str, tuple[str | int, ...]], None]], None]
"""From a Policy, and what takes each mistake with its path (`engine.policy.sections.Report`)."""


class Needs(NamedTuple):
    """The placeholders of one reply."""

    must: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()
    words: int = 0
    """How many words it must consist of; 0: any."""


def _find_nothing(policy: object, report: object) -> None:
    """A domain that has nothing more to check."""


@dataclass(frozen=True)
class OwnReading:
    """Loading holds the languages of such a domain to this, as it holds others to what the stages read and say."""

    classes: frozenset[str] = frozenset()
    """Classes of words without which something would silently not be understood."""
    families: tuple[str, ...] = ()
    """How further classes that it reads begin: `object_`."""
    replies: Mapping[str, Needs] = field(default_factory=dict)
    reply_families: Mapping[str, Needs] = field(default_factory=dict)
    """How replies begin of which there may be any number: `label_object_`."""
    check: Check = _find_nothing
    """What else must fit together."""

    def reads(self, name: str) -> bool:
        return name in self.classes or name.startswith(self.families)

    def find_needs(self, reply: str) -> Needs | None:
        """The placeholders of a reply that it says."""
        if reply in self.replies:
            return self.replies[reply]
        return next((needs for begin, needs in self.reply_families.items() if reply.startswith(begin)), None)
