"""How large a pattern may be. A message is matched against every pattern: one that tries too many ways would hold
everybody up, so it is refused on loading."""

from __future__ import annotations

from collections.abc import Iterator

from engine.policy.patterns import GAP_LIMIT, SLOT_LIMIT, Node

_LONGEST = 2_000
_MOST_GROUPS = 24
_MOST_OPEN_ENDS = 5
"""Slots and gaps: each is tried at every length, so the ways multiply."""
_DEEPEST = 6
_MOST_ALIKE = 6
"""Optional parts that begin with the same word: "[very] [very] [very] …" can fit in twice as many ways with each."""


_MOST_WAYS = 10_000
"""In how many ways its parts can be tried together, from one word of a message: optional parts double them."""


def find_excess(pattern: str, nodes: tuple[Node, ...] | None = None) -> str | None:
    """What is too much about a pattern: of its text, or, once that could be read, of its parts."""
    if nodes is None:
        return f"a pattern has at most {_LONGEST} characters" if len(pattern) > _LONGEST else _find_deep(pattern)
    parts = tuple(_walk(nodes))
    groups = [node for node in parts if node.kind == "options"]
    if len(groups) > _MOST_GROUPS:
        return f"a pattern has at most {_MOST_GROUPS} groups in brackets"
    if sum(node.kind in ("slot", "gap") for node in parts) > _MOST_OPEN_ENDS:
        return f"a pattern has at most {_MOST_OPEN_ENDS} slots and gaps"
    begins: dict[tuple[str, str], int] = {}
    for node in groups if len(groups) > _MOST_ALIKE else ():
        for first in {(option[0].kind, option[0].value) for option in node.options if option}:
            begins[first] = begins.get(first, 0) + 1
    if max(begins.values(), default=0) > _MOST_ALIKE:
        return f"more than {_MOST_ALIKE} parts of the pattern begin alike"
    if _count_ways(nodes) > _MOST_WAYS:
        return f"a pattern can fit in at most {_MOST_WAYS:,} ways: it has too many optional parts, slots and gaps"
    return None


def _count_ways(nodes: tuple[Node, ...], *, last: bool = True) -> int:
    ways = 1
    if nodes and nodes[-1].kind == "end":
        nodes = nodes[:-1]
    for place, node in enumerate(nodes):
        ends = last and place == len(nodes) - 1
        if node.kind == "slot" and not node.single:
            ways *= 1 if ends else SLOT_LIMIT  # nothing comes after the last one, so it takes all that is left
        elif node.kind == "gap":
            ways *= GAP_LIMIT + 1
        elif node.kind == "options":
            # Its options differ in their words, so that hardly ever more than one of them fits.
            ways *= max((_count_ways(option, last=ends) for option in node.options), default=1) + node.optional
        if ways > _MOST_WAYS:
            return ways
    return ways


def _find_deep(pattern: str) -> str | None:
    depth = 0
    for sign in pattern:
        depth += (sign in "([") - (sign in ")]")
        if depth > _DEEPEST:
            return f"brackets are nested more than {_DEEPEST} deep"
    return None


def _walk(nodes: tuple[Node, ...]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for option in node.options:
            yield from _walk(option)
