"""Patterns against words. Bounded slots and gaps keep the time linear in the length of the text."""

from __future__ import annotations

from collections.abc import Iterator

from engine.patterns import GAP, GAP_LIMIT, SLOT_LIMIT, Node, Scene, Slots


def match_at(nodes: tuple[Node, ...], scene: Scene, place: int) -> Iterator[tuple[int, Slots]]:
    """Every way in which the nodes match from `place`: the end and the slots, best first."""
    done, after = _match_plain(nodes, scene, place)
    if after < 0:
        return
    if done == len(nodes):
        yield after, ()
        return
    node, rest = nodes[done], nodes[done + 1 :]
    if node.kind == "class":
        for end in scene.lexicon.ends(node.value, scene.words, after):
            if end <= scene.stop:
                yield from match_at(rest, scene, end)
    elif node.kind == "options":
        yield from _match_options(node, rest, scene, after)
    elif node.kind == "slot":
        yield from _match_slot(node, rest, scene, after)
    else:
        yield from _match_gap(rest, scene, after)


def _match_plain(nodes: tuple[Node, ...], scene: Scene, place: int) -> tuple[int, int]:
    """Past the nodes that match in one way only: how many, and the place after them (-1: they do not match)."""
    done = 0
    for node in nodes:
        if node.kind == "word":
            if place >= scene.stop or scene.words[place] != node.value:
                return done, -1
            place += 1
        elif node.kind not in ("start", "end"):
            break
        elif place not in (scene.starts if node.kind == "start" else scene.ends):
            return done, -1
        done += 1
    return done, place


def _match_gap(rest: tuple[Node, ...], scene: Scene, place: int) -> Iterator[tuple[int, Slots]]:
    for after in range(place, min(scene.stop, place + GAP_LIMIT) + 1):
        for end, slots in match_at(rest, scene, after):
            yield end, ((GAP, place, after), *slots)


def _match_options(node: Node, rest: tuple[Node, ...], scene: Scene, place: int) -> Iterator[tuple[int, Slots]]:
    if node.firsts is None or (place < scene.stop and scene.words[place] in node.firsts):
        for option in node.options:
            yield from match_at(option + rest, scene, place)
    if node.optional:
        yield from match_at(rest, scene, place)


def _match_slot(node: Node, rest: tuple[Node, ...], scene: Scene, place: int) -> Iterator[tuple[int, Slots]]:
    furthest = min(scene.stop, place + SLOT_LIMIT)
    if not rest:
        if furthest > place or node.optional:
            yield scene.stop, ((node.value, place, scene.stop),)
        return
    shortest = place if node.optional else place + 1
    for after in range(furthest, shortest - 1, -1):
        if node.follow is not None and (after >= scene.stop or scene.words[after] not in node.follow):
            continue
        for end, slots in match_at(rest, scene, after):
            yield end, ((node.value, place, after), *slots)
