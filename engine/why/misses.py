"""The ways of asking for an intent that nearly fit a request, the nearest first, each told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from engine.decision import Intent
from engine.policy.origin import Place
from engine.policy.patterns import Node, Scene, compile_pattern
from engine.policy.values import Frame, Policy
from engine.reading.frames import FrameMatch
from engine.text.normalise import Utterance
from engine.why.near import NearFit, classes_in, find_near, fits_exactly, write_node
from engine.why.values import MissKind, NearMiss

_SHOWN = 8
_PER_PART = 3
_MOST_UNMET = 1
"""Parts of a pattern whose words are nowhere in the message: one of them can be repaired."""
_COST: dict[str, float] = {"swap": 1.0, "end": 1.15, "start": 1.2, "extra": 1.3, "lack": 1.6}
_SURE = 0.5
"""A way of asking that fits but for its conditions is nearer than any that has to be repaired."""


def find_misses(
    utterance: Utterance, scene: Scene, frames: tuple[FrameMatch, ...], wanted: Intent, policy: Policy
) -> tuple[NearMiss, ...]:
    """`frames` are those that fit: they have not failed."""
    fitting = {match.frame.id for match in frames}
    found: list[NearMiss] = []
    for frame, pattern in policy.frame_patterns:
        if frame.intent == wanted and frame.id not in fitting and _unmet(pattern.required, scene) <= _MOST_UNMET:
            source = _source_of(policy, frame, pattern)
            nodes = compile_pattern(source)
            exactly = fits_exactly(nodes, scene, policy.lexicon)
            if exactly:
                found.append(_condition(frame, source, exactly[0], scene, policy))
            else:
                near = find_near(nodes, scene, policy.lexicon)
                found += [_tell(fit, frame, source, utterance, scene, policy) for fit in near]
    return _nearest(found)


def _source_of(policy: Policy, frame: Frame, pattern: object) -> str:
    """The text of a bound pattern: patterns are bound in the order in which they are written."""
    own = [bound for other, bound in policy.frame_patterns if other.id == frame.id]
    return next(text for text, bound in zip(frame.patterns, own, strict=True) if bound is pattern)


def _unmet(required: tuple[frozenset[str], ...], scene: Scene) -> int:
    return sum(words.isdisjoint(scene.present) for words in required)


def _nearest(found: list[NearMiss]) -> tuple[NearMiss, ...]:
    """Of several that fail at the same words for the same part, the nearest; and only a few for one part."""
    kept: dict[tuple[str, str, str], NearMiss] = {}
    parts: dict[tuple[str, str], int] = {}
    for miss in sorted(found, key=lambda miss: (miss.distance, miss.frame, miss.pattern)):
        key, part = (miss.kind, miss.part, miss.words), (miss.frame, miss.part)
        if key not in kept and parts.get(part, 0) < _PER_PART:
            parts[part] = parts.get(part, 0) + 1
            kept[key] = miss
    return tuple(kept.values())[:_SHOWN]


def place_of(frame: Frame, pattern: str, policy: Policy) -> Place | None:
    return (
        policy.origin.locate(("frames", frame.id, "patterns", frame.patterns.index(pattern))) if policy.origin else None
    )


def _condition(frame: Frame, pattern: str, start: int, scene: Scene, policy: Policy) -> NearMiss:
    """The pattern fits, and the way of asking does not count all the same."""
    kind: MissKind = "inside"
    told = f"{frame.id} fits, but inside the slot of another way of asking, or as words that are quoted"
    ruled = [word for word in scene.words[start:] if frame.unless and _is_in(word, frame.unless, policy)]
    if ruled:
        kind, told = "unless", f"{frame.id} fits, but “{ruled[0]}”, a <{frame.unless}>, rules it out"
    else:
        slots = [name for name in _slots_of(compile_pattern(pattern)) if name in policy.slot_needs]
        if slots:
            needed = " or ".join(f"<{name}>" for name in sorted(policy.slot_needs[slots[0]]))
            kind, told = "slot_needs", f"{frame.id} fits, but its {{{slots[0]}}} has no word of {needed}"
    return NearMiss(frame.id, pattern, kind, told, distance=_SURE, place=place_of(frame, pattern, policy))


def _is_in(word: str, class_name: str, policy: Policy) -> bool:
    return class_name in policy.word_classes.get(word, ())


def _slots_of(nodes: tuple[Node, ...]) -> Iterator[str]:
    for node in nodes:
        if node.kind == "slot":
            yield node.value
        for option in node.options:
            yield from _slots_of(option)


def _tell(fit: NearFit, frame: Frame, pattern: str, utterance: Utterance, scene: Scene, policy: Policy) -> NearMiss:
    words = " ".join(scene.words[fit.first : fit.last])
    part = write_node(fit.node)
    span = utterance.span(fit.first, fit.last) if fit.last > fit.first else None
    name = next(iter(classes_in(fit.node)), "")
    if fit.kind in ("start", "end"):
        name = "opener" if fit.kind == "start" else "closer"
    return NearMiss(
        frame.id, pattern, fit.kind, _sentence(fit, frame, part, words, scene, policy), part, words, span,
        name, round(_distance(fit, frame, scene, policy), 3), place_of(frame, pattern, policy),
    )  # fmt: skip


def _sentence(fit: NearFit, frame: Frame, part: str, words: str, scene: Scene, policy: Policy) -> str:
    shown = part if len(part) <= _LONGEST_PART else part[: _LONGEST_PART - 1] + "…"
    if fit.kind == "swap":
        return f"{frame.id} would fit if “{words}” were {'a ' if fit.node.kind == 'class' else ''}{shown}"
    if fit.kind == "lack":
        before = scene.words[fit.first - 1] if fit.first else ""
        return f"{frame.id} would fit with {shown} {f'after “{before}”' if before else 'at the beginning'}"
    if fit.kind == "extra":
        return f"{frame.id} would fit without “{words}” before {shown}"
    if fit.kind == "start":
        return f"{frame.id} only fits where a request begins: “{words}” stands before it and is no <opener>"
    return f"{frame.id} only fits where a request ends: “{words}” follows and is no <closer>"


_LONGEST_PART = 60


def _distance(fit: NearFit, frame: Frame, scene: Scene, policy: Policy) -> float:
    """How far it is from fitting. What the pattern accounts for besides speaks for it; so does a phrase that is made
    like those of the class ("holler at me", "remind me"), and a word after it that leads to a name."""
    count = fit.last - fit.first
    distance = _COST[fit.kind] + 0.15 * max(0, count - 1) - 0.2 * min(fit.carrier, 5)
    distance += 0.3 * frame.weak + (0.4 if fit.kind in ("swap", "lack") and not classes_in(fit.node) else 0.0)
    if fit.kind == "swap":
        words = scene.words[fit.first : fit.last]
        phrases = [phrase for name in classes_in(fit.node) for phrase in policy.lexicon.phrases.get(name, ())]
        if any(len(phrase) > 1 and phrase[-1] == words[-1] for phrase in phrases) and count > 1:
            distance -= 0.45
        if fit.last < scene.stop and _LEADS & policy.word_classes.get(scene.words[fit.last], frozenset()):
            distance -= 0.25
        if any(_LEADS & policy.word_classes.get(word, frozenset()) for word in words[:1]):
            distance += 0.2
    return distance


_LEADS = frozenset({"title_lead", "mention_lead", "det", "into"})
