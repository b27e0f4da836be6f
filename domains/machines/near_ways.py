"""The ways of asking a machine for something that a message nearly has: "fire up the oven" for "power up"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from domains.machines.composing.lexicon import read_way, read_words
from domains.machines.dissecting import find_hint_place
from domains.machines.language import SLOT, spell_out
from engine.decision import Intent
from engine.policy.values import Frame, Policy
from engine.text.normalise import Token
from engine.values import Span
from engine.why.values import NearMiss

_MOST = 6
_ALIKE = 70.0
"""Of a hundred: a word that is less like a verb is not nearly that verb."""
_KNOWN_WORD = 15.0
"""What each further word of the way that was said is worth."""


def find_near_ways(text: str, free: Sequence[str], wanted: Intent, policy: Policy) -> list[NearMiss]:
    """Those of which one word is missing; `free` are the words of the message that mean nothing, one of which may stand
    in its place."""
    tokens = read_words(text).tokens
    found: dict[tuple[str, str], NearMiss] = {}
    for frame in policy.frames:
        for pattern in frame.patterns if frame.intent == wanted and not frame.weak else ():
            for miss in _of_pattern(frame, pattern, tokens, frozenset(free), policy):
                kept = found.setdefault((frame.id, miss.part), miss)
                if miss.distance < kept.distance:
                    found[frame.id, miss.part] = miss
    return sorted(found.values(), key=lambda miss: miss.distance)[:_MOST]


def _of_pattern(
    frame: Frame, pattern: str, tokens: Sequence[Token], free: frozenset[str], policy: Policy
) -> Iterator[NearMiss]:
    said = {token.norm for token in tokens}
    for way in spell_out(pattern):
        own = [word for word in way if word != SLOT]
        lacking = [word for word in own if word not in said]
        if len(lacking) != 1:
            continue
        token = _stands_there(way, lacking[0], tokens, free)
        alike = fuzz.ratio(token.norm, lacking[0]) if token else 0.0
        if len(own) == 1 and alike < _ALIKE:
            continue  # any word at all could be any verb
        told = f"would fit if “{token.norm}” were “{lacking[0]}”" if token else f"would fit with “{lacking[0]}”"
        marked = read_way(frame, pattern)
        yield NearMiss(
            frame.id,
            pattern,
            "swap" if token else "lack",
            f"{frame.id}: “{pattern}” {told}",
            lacking[0],
            token.norm if token else "",
            Span(token.start, token.end) if token else None,
            distance=100.0 - alike - _KNOWN_WORD * (len(own) - 1),
            place=find_hint_place(*marked[0], policy.language) if marked else None,
        )


def _stands_there(way: tuple[str, ...], lacking: str, tokens: Sequence[Token], free: frozenset[str]) -> Token | None:
    """The word without a meaning in place of the one that is missing: beside a neighbour of it, or, of a single word,
    the one that is most like it."""
    place = way.index(lacking)
    for at, token in enumerate(tokens):
        if token.norm not in free:
            continue
        after = tokens[at + 1].norm if at + 1 < len(tokens) else ""
        before = tokens[at - 1].norm if at else ""
        if (place + 1 < len(way) and way[place + 1] in (after, SLOT)) or (place and way[place - 1] in (before, SLOT)):
            return token
    alone = [token for token in tokens if token.norm in free] if len(way) == 1 else []
    return max(alone, key=lambda token: fuzz.ratio(token.norm, lacking), default=None)
