"""Patterns bound to a lexicon, and an index that rules most of them out at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.policy.matching import Matcher, make_matcher
from engine.policy.patterns import Lexicon, Node, compile_pattern, first_words


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern bound to a lexicon."""

    match: Matcher
    firsts: frozenset[str] | None
    """The words a match can begin with; None if it can begin with any word."""
    required: tuple[frozenset[str], ...]
    """Of each of these sets at least one word must be there."""
    anchored: bool = False
    """Whether it only fits where a request begins."""
    slots: frozenset[str] = frozenset()
    """The names of all its slots."""


def bind(source: str, lexicon: Lexicon) -> Pattern:
    nodes = compile_pattern(source)
    bound = tuple(
        replace(node, follow=first_words(nodes[place + 1 :], lexicon)) if node.kind == "slot" else node
        for place, node in enumerate(nodes)
    )
    required = tuple(words for node in nodes if (words := _needed_words(node, lexicon)) is not None)
    anchored = nodes[0].kind == "start"
    return Pattern(
        make_matcher(bound, lexicon), first_words(nodes, lexicon), required, anchored, frozenset(_slot_names(nodes))
    )


def _slot_names(nodes: tuple[Node, ...]) -> Iterator[str]:
    for node in nodes:
        if node.kind == "slot":
            yield node.value
        for option in node.options:
            yield from _slot_names(option)


def _needed_words(node: Node, lexicon: Lexicon) -> frozenset[str] | None:
    """The words of which this node needs one; None where it can do without."""
    if node.kind in ("word", "class") or (node.kind == "options" and not node.optional):
        return first_words((node,), lexicon)
    return None


class PatternIndex:
    """Which patterns can fit at all. Sets of patterns are whole numbers, bit n for pattern n: a handful of
    operations stands for a look at each of two hundred patterns."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._count = len(patterns)
        self._levels = max((len(pattern.required) for pattern in patterns), default=0)
        self.by_first: dict[str, int] = {}
        """The patterns whose first words are known, by each of them."""
        self._by_need: dict[str, int] = {}
        self._needless = 0
        self.with_any_first = 0
        self.anywhere = 0
        """The patterns that may fit in the middle of a request."""
        for place, pattern in enumerate(patterns):
            self._add(pattern, 1 << place)

    def _add(self, pattern: Pattern, bit: int) -> None:
        for word in pattern.firsts or ():
            self.by_first[word] = self.by_first.get(word, 0) | bit
        if pattern.firsts is None:
            self.with_any_first |= bit
        if not pattern.anchored:
            self.anywhere |= bit
        # One stretch of bits per level: the patterns whose first, second, ... requirement a word meets.
        for level in range(self._levels):
            shifted = bit << (level * self._count)
            if level >= len(pattern.required):
                self._needless |= shifted
                continue
            for word in pattern.required[level]:
                self._by_need[word] = self._by_need.get(word, 0) | shifted

    def possible(self, present: Iterable[str]) -> int:
        """The patterns that find all they require among these words."""
        met, by_need = self._needless, self._by_need
        for word in present:
            if word in by_need:
                met |= by_need[word]
        possible = (1 << self._count) - 1
        for _ in range(self._levels):
            possible &= met
            met >>= self._count
        return possible


def places(patterns: int) -> Iterator[int]:
    """The patterns of such a set, in their order."""
    while patterns:
        lowest = patterns & -patterns
        yield lowest.bit_length() - 1
        patterns ^= lowest
