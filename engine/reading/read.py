"""From words to scores: one request is read, and everything that was seen is kept."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Evidence, IntentScore, Reason
from engine.making import maker
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.policy.weights import Vector
from engine.reading.evidence import Observation, observe
from engine.reading.frames import FrameMatch, find_frames, find_guard, make_scene
from engine.reading.questions import is_question
from engine.text.corrections import Correction, IsName, correct, is_no_name
from engine.text.normalise import Utterance

EVIDENCE_SHOWN = 5
_HARDLY = 0.01
_make_evidence, _make_score = maker(Evidence), maker(IntentScore)


class Reading(NamedTuple):
    """What one request was read as."""

    utterance: Utterance
    scene: Scene
    corrections: tuple[Correction, ...]
    frames: tuple[FrameMatch, ...]
    guard: tuple[Reason, int, int] | None
    observations: tuple[Observation, ...]
    vectors: tuple[Vector, ...] = ()
    """The weights of each observation, one per intent; empty while the weights are being learned."""


def read_request(
    utterance: Utterance, policy: Policy, dated: frozenset[int] = frozenset(), is_name: IsName = is_no_name
) -> Reading:
    """`dated` are the places of words that say when; `is_name` says whether a word stands in a stored name."""
    words, corrections = correct(utterance, policy, is_name)
    quoted = frozenset(filter(utterance.is_quoted, range(len(words)))) if utterance.quotes else frozenset()
    scene = make_scene(words, utterance.sentence_starts, policy, quoted)
    frames = _without_what_is_added(find_frames(scene, policy), scene, policy)
    asks = is_question(utterance, policy)
    guard = find_guard(scene, policy, frames[0] if frames else None, asks)
    seen = observe(scene, policy, frames, guard, asks, dated)
    table = policy.weights.evidence
    vectors = tuple([table[name] for name, _, _ in seen]) if table else ()
    return Reading(utterance, scene, corrections, frames, guard, seen, vectors)


def _without_what_is_added(frames: tuple[FrameMatch, ...], scene: Scene, policy: Policy) -> tuple[FrameMatch, ...]:
    """ "add remove the stitches": after a word that means nothing but adding, other verbs say what is added."""
    if not policy.lexicon.ends("adds_only", scene.words, scene.opening):
        return frames
    first = tuple(each for each in frames if each.start <= scene.opening)
    return first or frames


def score(reading: Reading, policy: Policy) -> tuple[float, ...]:
    """One score per intent, in the catalogue's order: the bias and the weight of everything observed."""
    return tuple(map(sum, zip(policy.weights.bias, *reading.vectors, strict=True)))


def intent_scores(shares: tuple[float, ...], intents: tuple[str, ...]) -> tuple[IntentScore, ...]:
    """Every intent with its share."""
    return tuple([_make_score((intent, share, ())) for intent, share in zip(intents, shares, strict=True)])


def with_evidence(scores: tuple[IntentScore, ...], reading: Reading) -> tuple[IntentScore, ...]:
    """The same with the evidence for and against each, the strongest first: for what is told of a decision."""
    return tuple(
        [
            # An intent without a chance shows no evidence: nobody asks why "hello" is no deletion.
            _make_score((intent, share, _strongest_evidence(reading, place) if share > _HARDLY else ()))
            for place, (intent, share, _) in enumerate(scores)
        ]
    )


def _strongest_evidence(reading: Reading, place: int) -> tuple[Evidence, ...]:
    weights = [vector[place] for vector in reading.vectors]
    sizes = list(map(abs, weights))
    strongest = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)[:EVIDENCE_SHOWN]
    span, observations = reading.utterance.span, reading.observations
    found = []
    for which in strongest:
        if weights[which]:
            name, first, last = observations[which]
            found.append(_make_evidence((name, weights[which], span(first, last))))
    return tuple(found)
