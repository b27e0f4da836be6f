"""A word without its ending: what is called "the photocopying" is the same as what is to be photocopied."""

from __future__ import annotations

from engine.policy.values import Policy

SHORTEST_STEM = 3
_KEPT = 16384
_VOWELS = frozenset("aeiouyàèéìòù")


def stem(word: str, policy: Policy) -> str:
    """ "paid" and "paying" are forms of "pay": the language says which endings go."""
    known = policy.word_stems.get(word) or policy.stems_found.get(word)
    if known is None:
        if len(policy.stems_found) >= _KEPT:
            policy.stems_found.clear()
        known = _without_endings(word, policy.endings, policy.inner_endings, policy.doubled)
        policy.stems_found[word] = known
    return known


def _without_endings(word: str, endings: tuple[str, ...], inner: tuple[str, ...], doubled: frozenset[str]) -> str:
    head, mark, tail = word.partition("'")
    if mark and len(tail) < SHORTEST_STEM and len(head) >= SHORTEST_STEM:
        word = head  # "Anne's"
    left = _without_one(word, endings, doubled)
    return _without_one(left, inner, doubled) if left != word else word


def _without_one(word: str, endings: tuple[str, ...], doubled: frozenset[str]) -> str:
    for ending in endings:
        left = word[: -len(ending)]
        spoken = len(left) >= SHORTEST_STEM and not _VOWELS.isdisjoint(left)  # not "shr" of "shred"
        if word.endswith(ending) and spoken:
            twice = left[-1] == left[-2] and left[-1] in doubled and len(left) > SHORTEST_STEM
            return left[:-1] if twice else left  # "shredding" is a form of "shred"
    return word
