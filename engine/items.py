"""Things that a domain keeps without a table of its own, and what its tools may do with them.

A domain whose folder has an `implementation.py` gets an `ItemStore` that is bound to one person: what its tools change
through it is in the audit trail and can be undone, like everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Item:
    """A thing as the store gave it at one moment. The engine reads its id, number, title and status."""

    id: str
    number: int
    """Counts up per person and domain; people see and say it as #12."""
    title: str
    status: str
    fields: Mapping[str, object] = field(default_factory=dict)
    """Whatever else the domain keeps of it: plain JSON values."""
    created_at: str = ""
    updated_at: str = ""


class Found(NamedTuple):
    """A part of what fits, and how much fits in all."""

    items: tuple[Item, ...]
    total: int


class ItemStore(Protocol):
    """One person's things of one domain."""

    def add(self, title: str, fields: Mapping[str, object] | None = None) -> Item: ...

    def get(self, identifier: str) -> Item:
        """By id, number (#12), title or a part of it. What is not there, or not clear, ends the call with an error."""
        ...

    def change(
        self,
        item_id: str,
        *,
        title: str | None = None,
        status: str | None = None,
        fields: Mapping[str, object] | None = None,
    ) -> Item:
        """Change what is given; of the fields, those that are named."""
        ...

    def remove(self, item_id: str) -> Item: ...

    def find(
        self, *, status: str | None = None, search: str | None = None, limit: int | None = None, offset: int = 0
    ) -> Found:
        """Those of this status whose title or fields contain all of these words, oldest first."""
        ...

    @property
    def changed(self) -> bool:
        """Whether anything was changed through this store."""
        ...
