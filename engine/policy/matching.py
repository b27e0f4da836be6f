"""Patterns as functions. Each node becomes a function that matches it and then calls the one of the next node.

They are made once, when a policy is loaded, so that matching a message is nothing but calls. Bounded slots and
gaps keep the time linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.policy.patterns import GAP, GAP_LIMIT, SLOT_LIMIT, Lexicon, Node, Scene, Slots, first_words

Match = tuple[int, Slots]
Accept = Callable[[int, Slots], bool]
"""Told the end and the slots of a match, says whether it will do; if not, the next way is tried."""
Matcher = Callable[[Scene, int, Slots, Accept], Match | None]
"""From a place, with the slots filled so far: the first match that is accepted, best first."""


def make_matcher(nodes: tuple[Node, ...], lexicon: Lexicon) -> Matcher:
    return _chain(nodes, lexicon, _finish)


def accept_any(end: int, slots: Slots) -> bool:
    return True


def _finish(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
    return (place, slots) if accept(place, slots) else None


def _chain(nodes: tuple[Node, ...], lexicon: Lexicon, then: Matcher) -> Matcher:
    for node in reversed(nodes):
        if node.kind == "options":
            then = _match_options(node, lexicon, then)
        elif node.kind == "class":
            then = _match_class(node, lexicon, then)
        else:
            then = _MAKERS[node.kind](node, then)
    return then


def _match_word(node: Node, then: Matcher) -> Matcher:
    value = node.value

    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        if place < scene.stop and scene.words[place] == value:
            return then(scene, place + 1, slots, accept)
        return None

    return match


def _match_start(node: Node, then: Matcher) -> Matcher:
    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        return then(scene, place, slots, accept) if place in scene.starts else None

    return match


def _match_end(node: Node, then: Matcher) -> Matcher:
    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        return then(scene, place, slots, accept) if place in scene.ends else None

    return match


def _match_class(node: Node, lexicon: Lexicon, then: Matcher) -> Matcher:
    by_first = lexicon.by_class.get(node.value, {})

    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        words = scene.words
        if place >= scene.stop or words[place] not in by_first:
            return None
        for phrase in by_first[words[place]]:
            end = place + len(phrase)
            # Most phrases are that one word.
            if end == place + 1 or words[place:end] == phrase:
                found = then(scene, end, slots, accept)
                if found:
                    return found
        return None

    return match


def _match_options(node: Node, lexicon: Lexicon, then: Matcher) -> Matcher:
    branches = tuple((first_words(option, lexicon), _chain(option, lexicon, then)) for option in node.options)
    by_first: dict[str, list[Matcher]] = {}
    for firsts, branch in branches:
        for word in firsts or ():
            by_first.setdefault(word, []).append(branch)
    # With an option that can begin with any word, all of them have to be tried, in their order.
    always = tuple(branch for _, branch in branches) if any(firsts is None for firsts, _ in branches) else None
    optional = node.optional

    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        tried: Sequence[Matcher] | None = always
        if tried is None:
            tried = by_first.get(scene.words[place], ()) if place < scene.stop else ()
        for branch in tried:
            found = branch(scene, place, slots, accept)
            if found:
                return found
        return then(scene, place, slots, accept) if optional else None

    return match


def _match_gap(node: Node, then: Matcher) -> Matcher:
    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        for after in range(place, min(scene.stop, place + GAP_LIMIT) + 1):
            found = then(scene, after, (*slots, (GAP, place, after)), accept)
            if found:
                return found
        return None

    return match


def _match_slot(node: Node, then: Matcher) -> Matcher:
    if node.single:
        return _match_single_slot(node, then)
    if then is _finish:
        return _match_last_slot(node, then)
    name, follow, least = node.value, node.follow, 0 if node.optional else 1

    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        words, stop, quoted = scene.words, scene.stop, scene.quoted
        for after in range(min(stop, place + SLOT_LIMIT), place + least - 1, -1):
            if follow is not None and (after >= stop or words[after] not in follow):
                continue
            if after in quoted and after - 1 in quoted:
                continue  # what is quoted goes into one slot
            found = then(scene, after, (*slots, (name, place, after)), accept)
            if found:
                return found
        return None

    return match


def _match_single_slot(node: Node, then: Matcher) -> Matcher:
    name, follow = node.value, node.follow

    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        after = place + 1
        if after > scene.stop or (follow is not None and (after >= scene.stop or scene.words[after] not in follow)):
            return None
        return then(scene, after, (*slots, (name, place, after)), accept)

    return match


def _match_last_slot(node: Node, then: Matcher) -> Matcher:
    """Nothing comes after it, so it takes all that is left."""
    name, optional = node.value, node.optional

    def match(scene: Scene, place: int, slots: Slots, accept: Accept) -> Match | None:
        if scene.stop > place or optional:
            return then(scene, scene.stop, (*slots, (name, place, scene.stop)), accept)
        return None

    return match


_MAKERS: dict[str, Callable[[Node, Matcher], Matcher]] = {
    "word": _match_word,
    "start": _match_start,
    "end": _match_end,
    "gap": _match_gap,
    "slot": _match_slot,
}
