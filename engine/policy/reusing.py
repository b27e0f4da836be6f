"""Look-up tables of a policy that a draft of it can share: to make them anew takes longer than to try the draft."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from engine.policy.binding import Pattern, bind
from engine.policy.rules import classes_named
from engine.policy.values import Policy


class _HasPatterns(Protocol):
    @property
    def patterns(self) -> tuple[str, ...]: ...


_Owner = TypeVar("_Owner", bound=_HasPatterns)


def share_tables(base: Policy, draft: Policy) -> Policy:
    """The draft, with each table of the base that is made of the same words and patterns."""
    changed = {
        name
        for name in {*base.reading_words, *draft.reading_words}
        if base.reading_words.get(name) != draft.reading_words.get(name)
    }
    tables = draft.__dict__
    if not changed:
        for name in ("lexicon", "word_classes"):
            tables[name] = getattr(base, name)
        if draft.tag_order == base.tag_order:
            tables["tags"] = base.tags
        if draft.amounts == base.amounts and draft.words == base.words:
            tables["misspellings"] = base.misspellings
    if draft.dates == base.dates:
        tables["date_words"] = base.date_words
    binder = _Binder(base, draft, changed)
    tables["frame_patterns"] = tuple(binder.bind(draft.frames))
    tables["guard_patterns"] = tuple(binder.bind(draft.guards))
    tables["way_patterns"] = tuple(binder.bind(draft.ways))
    for index, patterns in (
        ("frame_index", "frame_patterns"),
        ("guard_index", "guard_patterns"),
        ("way_index", "way_patterns"),
    ):
        if _bound(getattr(base, patterns)) == _bound(tables[patterns]):
            tables[index] = getattr(base, index)
    return draft


def _bound(patterns: Iterable[tuple[object, Pattern]]) -> list[int]:
    return [id(pattern) for _, pattern in patterns]


class _Binder:
    """Patterns that name no changed class are bound already."""

    def __init__(self, base: Policy, draft: Policy, changed: set[str]) -> None:
        self._draft, self._changed = draft, changed
        self._known: dict[str, Pattern] = {}
        for owners, bound in (
            (base.frames, base.frame_patterns),
            (base.guards, base.guard_patterns),
            (base.ways, base.way_patterns),
        ):
            sources = (source for owner in owners for source in owner.patterns)
            self._known.update(zip(sources, (pattern for _, pattern in bound), strict=True))

    def bind(self, owners: Iterable[_Owner]) -> Iterable[tuple[_Owner, Pattern]]:
        return ((owner, self._one(source)) for owner in owners for source in owner.patterns)

    def _one(self, source: str) -> Pattern:
        known = self._known.get(source)
        if known is None or (self._changed and not self._changed.isdisjoint(classes_named(source))):
            return bind(source, self._draft.lexicon)
        return known
