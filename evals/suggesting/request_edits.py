"""Edits that may make a request of a message, the smallest kinds first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from engine.decision import Intent, Reason
from engine.editing.edits import AddPattern, AddPhrase, Edit, SetThreshold, SetWeight
from engine.message.read import read_message
from engine.policy.patterns import Node, compile_pattern
from engine.policy.values import Frame, Policy
from engine.text.normalise import normalise
from engine.why import NearMiss, WhyNot
from engine.why.near import write_node
from evals.suggesting.generalising import make_patterns
from evals.suggesting.misleading import edit_misleading
from evals.suggesting.misread import Misread
from evals.suggesting.spelling_edits import edit_spellings
from evals.suggesting.way_edits import edit_ways

_MARGIN = 0.6
"""So much more than it lacks is a weight raised: what only just does is undone by the next message."""


def edit_for_request(misread: Misread, why: WhyNot, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    yield from edit_spellings(misread, why, policy)
    yield from _phrases(why, policy)
    yield from _filters(misread, why, policy)
    yield from _ways_of_asking(misread, wanted, policy)
    yield from _varied_patterns(why, wanted, policy)
    yield from edit_ways(misread, wanted, policy)
    yield from edit_misleading(misread, wanted, policy)
    yield from _thresholds(why, policy)
    yield from _weights(misread, why, wanted, policy)


def _phrases(why: WhyNot, policy: Policy) -> Iterator[Edit]:
    for miss in why.misses:
        if miss.words and miss.class_name in policy.words and miss.kind in ("swap", "start", "end"):
            yield AddPhrase(miss.class_name, miss.words)


def _filters(misread: Misread, why: WhyNot, policy: Policy) -> Iterator[Edit]:
    """Words that say a value and are in none of its classes: those that are in no class at all."""
    words = normalise(misread.text, policy.spellings, policy.elisions).words
    strange = [place for place, word in enumerate(words) if word not in policy.word_classes and word.isalpha()]
    for gap in why.gaps:
        for class_name in gap.classes:
            for place in strange:
                yield AddPhrase(class_name, words[place])
                if place:
                    yield AddPhrase(class_name, f"{words[place - 1]} {words[place]}")
                if place + 1 < len(words):
                    yield AddPhrase(class_name, f"{words[place]} {words[place + 1]}")


def _ways_of_asking(misread: Misread, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    facts = policy.catalogue.by_intent.get(wanted)
    frames = [frame for frame in policy.frames if frame.intent == wanted]
    if facts is None or not frames:
        return
    prefix = frames[0].id.partition(".")[0]
    for pattern in make_patterns(misread, facts, policy):
        name = _name(prefix, pattern, policy)
        yield AddPattern(wanted, name, pattern)
        yield AddPattern(wanted, name, pattern, clear=True)
        kin = _kindred(pattern, frames)
        if kin:
            yield AddPattern(wanted, kin.id, pattern)
        yield from (AddPattern(wanted, frame.id, pattern) for frame in frames if _says(frame, misread))


def _name(prefix: str, pattern: str, policy: Policy) -> str:
    words = re.findall(r"(?<![<{\w])\w+(?![>}\w])", pattern) or re.findall(r"\w+", pattern)
    name = f"{prefix}.{'_'.join(words[:3])}"
    taken = {frame.id for frame in policy.frames}
    return name if name not in taken else f"{name}_too"


def _kindred(pattern: str, frames: list[Frame]) -> Frame | None:
    """A clear frame whose patterns have the same slots."""
    slots = set(re.findall(r"\{(\w+)", pattern))
    return next(
        (
            frame
            for frame in frames
            if frame.clear
            and not frame.sets
            and not frame.unless
            and any(set(re.findall(r"\{(\w+)", each)) == slots for each in frame.patterns)
        ),
        None,
    )


def _says(frame: Frame, misread: Misread) -> bool:
    """Whether the frame itself sets what was wanted: "set it back to pending" has no slot for the status."""
    return bool(frame.sets) and all(value in misread.values.get(name, ()) for name, value in frame.sets.items())


def _varied_patterns(why: WhyNot, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    """A pattern that would fit with another word in its place, or without one in between, as one more pattern."""
    for miss in why.misses:
        if miss.words and miss.kind in ("swap", "extra"):
            varied = _vary(miss)
            if varied and varied != miss.pattern:
                yield AddPattern(wanted, miss.frame, varied)


def _vary(miss: NearMiss) -> str:
    nodes = compile_pattern(miss.pattern)
    parts: list[str] = []
    done = False
    for node in nodes:
        written = write_node(node)
        if not done and written == miss.part and _may_vary(node):
            done = True
            written = miss.words if miss.kind == "swap" else f"[{miss.words}] {written}"
        parts.append(written)
    return " ".join(parts) if done else ""


def _may_vary(node: Node) -> bool:
    return node.kind in ("word", "class", "options") and not node.optional


def _thresholds(why: WhyNot, policy: Policy) -> Iterator[Edit]:
    confidence = why.decision.confidence or 0.0
    if why.decision.reason is Reason.BELOW_THRESHOLD and 0 < confidence < policy.thresholds.act:
        yield SetThreshold("act", math.floor(confidence * 100) / 100)
    for obstacle in why.obstacles:
        if obstacle.kind == "reads_nothing":
            yield SetThreshold("read", max(0.0, math.floor((policy.thresholds.read - obstacle.amount) * 100) / 100))
    if why.decision.reason is Reason.UNCERTAIN_TARGET:
        scores = [each.candidates[0].score for each in why.decision.references if each.candidates]
        for score in scores[:1]:
            if score < policy.thresholds.sure_target:
                yield SetThreshold("sure_target", math.floor(score * 100) / 100)


def _weights(misread: Misread, why: WhyNot, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    """The weight of the way of asking that fits, or of the most telling words, raised by what the intent lacks."""
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    requests, _ = read_message(utterance, misread.context, policy)
    place = policy.catalogue.intents.index(wanted)
    for request in requests[:1]:
        reading = request.weighed.reading
        lacking = max([each.amount for each in why.obstacles if each.kind == "loses"], default=1.0) + _MARGIN
        observed = [each for each in reading.observations if each.name.startswith(("lead:", "pair:", "word:"))]
        order = {"lead": 0, "pair": 1, "word": 2}
        telling = sorted(observed, key=lambda each: (order[each.name.partition(":")[0]], -len(each.name)))
        for each in telling[:3]:
            yield SetWeight(each.name, wanted, round(policy.weights.evidence[each.name][place] + lacking, 2))
