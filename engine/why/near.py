"""Where a pattern nearly fits: with one part replaced, added, left out or moved it would.

The same pattern language as `engine.policy.matching`, walked with room for one repair. What has been looked at is
kept by place, so that the time stays within the product of pattern and message.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.policy.patterns import GAP_LIMIT, SLOT_LIMIT, Lexicon, Node, Scene

_MOST_WORDS = 4
"""So many words may stand for one part of a pattern, or in its way."""

Repair = Literal["swap", "lack", "extra", "start", "end"]


class NearFit(NamedTuple):
    """One repair after which the pattern would fit."""

    kind: Repair
    node: Node
    first: int
    """Places of the words concerned, from `first` to before `last`; none where something is missing."""
    last: int
    start: int = 0
    """Where the pattern begins."""
    carrier: int = 0
    """How many words the pattern accounts for besides."""


class Rest(NamedTuple):
    """What of a pattern is still to come, as a chain."""

    node: Node
    then: Rest | None


def find_near(nodes: tuple[Node, ...], scene: Scene, lexicon: Lexicon) -> set[NearFit]:
    """Every single repair after which these nodes would fit somewhere in the request."""
    walk = _Walk(scene, lexicon)
    chain = walk.chain(nodes, None)
    found: set[NearFit] = set()
    for place in range(scene.stop + 1):
        found |= {fit._replace(start=place) for fit in walk.near(chain, place, 0)}
    return found


def fits_exactly(nodes: tuple[Node, ...], scene: Scene, lexicon: Lexicon) -> list[int]:
    """The places at which the nodes fit as they are."""
    walk = _Walk(scene, lexicon)
    chain = walk.chain(nodes, None)
    return [place for place in range(scene.stop) if walk.exact(chain, place) >= 0]


class _Walk:
    def __init__(self, scene: Scene, lexicon: Lexicon) -> None:
        self._scene, self._lexicon = scene, lexicon
        self._exact: dict[tuple[int, int], int] = {}
        self._near: dict[tuple[int, int], frozenset[NearFit]] = {}
        self._chains: dict[tuple[int, int], Rest | None] = {}
        self._kept: list[object] = []
        """Chains are told apart by their identity, so all of them must stay."""

    def chain(self, nodes: tuple[Node, ...], then: Rest | None) -> Rest | None:
        key = (id(nodes), id(then))
        if key not in self._chains:
            chain = then
            for node in reversed(nodes):
                chain = Rest(node, chain)
                self._kept.append(chain)
            self._chains[key] = chain
        return self._chains[key]

    def exact(self, chain: Rest | None, place: int) -> int:
        """How many words the rest of the pattern itself takes at this place, the most that it can; -1: it does not
        fit."""
        if chain is None:
            return 0
        key = (id(chain), place)
        if key not in self._exact:
            self._exact[key] = max((self._took(*step) for step in self._steps(chain, place)), default=-1)
        return self._exact[key]

    def _took(self, chain: Rest | None, place: int, took: int) -> int:
        rest = self.exact(chain, place)
        return rest if rest < 0 else rest + took

    def _steps(self, chain: Rest, place: int) -> list[tuple[Rest | None, int, int]]:
        """What can come next: the rest of the pattern, from where, and how many words were taken for it."""
        node, then, scene = chain.node, chain.then, self._scene
        if node.kind == "word":
            return [(then, place + 1, 1)] if place < scene.stop and scene.words[place] == node.value else []
        if node.kind == "class":
            return [(then, end, end - place) for end in self._lexicon.ends(node.value, scene.words, place)]
        if node.kind == "options":
            steps = [(self.chain(option, then), place, 0) for option in node.options]
            return [*steps, (then, place, 0)] if node.optional else steps
        if node.kind == "start":
            return [(then, place, 0)] if place in scene.starts else []
        if node.kind == "end":
            return [(then, place, 0)] if place in scene.ends else []
        longest = GAP_LIMIT if node.kind == "gap" else 1 if node.single else SLOT_LIMIT
        most = min(scene.stop, place + longest)
        least = place + 1 if node.kind == "slot" and not node.optional else place
        return [(then, after, 0) for after in range(least, most + 1)]

    def near(self, chain: Rest | None, place: int, depth: int) -> frozenset[NearFit]:
        if chain is None:
            return frozenset()
        key = (id(chain), place)
        if key not in self._near:
            found = set(self._repairs(chain, place, first=depth == 0))
            for then, after, took in self._steps(chain, place):
                # A group of single words is repaired as a whole.
                alone = chain.node.kind == "options" and then is not None and then.then is chain.then
                later = self._beyond(then, after, depth) if alone else self.near(then, after, depth + 1)
                found |= {fit._replace(carrier=fit.carrier + took) for fit in later} if took else later
            self._near[key] = frozenset(found)
        return self._near[key]

    def _beyond(self, chain: Rest | None, place: int, depth: int) -> frozenset[NearFit]:
        """The repairs after the first part of the rest."""
        found: frozenset[NearFit] = frozenset()
        for then, after, took in self._steps(chain, place) if chain else ():
            found |= {fit._replace(carrier=fit.carrier + took) for fit in self.near(then, after, depth + 1)}
        return found

    def _repairs(self, chain: Rest, place: int, *, first: bool) -> list[NearFit]:
        node, then, scene = chain.node, chain.then, self._scene
        if node.kind == "start":
            rest = self.exact(then, place)
            return [] if place in scene.starts or rest < 0 else [NearFit("start", node, 0, place, 0, rest)]
        if node.kind == "end":
            over = scene.stop - place
            return [] if place in scene.ends or over > _MOST_WORDS else [NearFit("end", node, place, scene.stop)]
        if node.kind in ("slot", "gap") or node.optional:
            return []
        found = []
        for count in range(min(_MOST_WORDS, scene.stop - place) + 1):
            rest = self.exact(then, place + count)
            if rest >= 0 and not (count and self._has(node, place, count)):
                found.append(NearFit("swap" if count else "lack", node, place, place + count, 0, rest))
            rest = self.exact(chain, place + count) if count and not first else -1
            if rest >= 0:
                found.append(NearFit("extra", node, place, place + count, 0, rest))
        return found

    def _has(self, node: Node, place: int, count: int) -> bool:
        """Whether these very words would do for the node: then nothing is to be repaired."""
        alone = Rest(node, None)
        self._kept.append(alone)
        if node.kind == "options":
            return self.exact(alone, place) == count
        return any(after == place + count for _, after, _ in self._steps(alone, place))


def write_node(node: Node) -> str:
    """A part of a pattern as it is written."""
    if node.kind == "class":
        return f"<{node.value}>"
    if node.kind == "slot":
        return f"{{{node.value}{'?' if node.optional else '!' if node.single else ''}}}"
    if node.kind == "options":
        inner = "|".join(" ".join(map(write_node, option)) for option in node.options)
        return f"[{inner}]" if node.optional else f"({inner})"
    return node.value


def classes_in(node: Node) -> tuple[str, ...]:
    """The classes of which a word would do for this part by itself."""
    if node.kind == "class":
        return (node.value,)
    alone = [option[0] for option in node.options if len(option) == 1]
    return tuple(name for each in alone for name in classes_in(each))
