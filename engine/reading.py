"""From words to scores: one request is read, and everything that was seen is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.corrections import Correction, correct
from engine.decision import Evidence, Intent, IntentScore, Reason
from engine.evidence import Observation, observe
from engine.frames import FrameMatch, find_frames, find_guard, make_scene
from engine.mapping import INTENTS
from engine.normalise import Utterance
from engine.patterns import Scene
from engine.policy_values import Policy
from engine.weights import Vector

EVIDENCE_SHOWN = 5
_HARDLY = 0.01


@dataclass(frozen=True, slots=True)
class Reading:
    """What one request was read as."""

    utterance: Utterance
    scene: Scene
    corrections: tuple[Correction, ...]
    frames: tuple[FrameMatch, ...]
    guard: tuple[Reason, int, int] | None
    observations: tuple[Observation, ...]


def read_request(utterance: Utterance, policy: Policy) -> Reading:
    words, corrections = correct(utterance, policy)
    scene = make_scene(words, utterance.sentence_starts, policy)
    frames = find_frames(scene, policy)
    guard = find_guard(scene, policy, frames[0] if frames else None)
    asks = "?" in utterance.text
    return Reading(utterance, scene, corrections, frames, guard, observe(scene, policy, frames, guard, asks))


def weigh(observation: Observation, policy: Policy) -> Vector | None:
    return policy.weights.evidence.get(observation.name)


def score(reading: Reading, policy: Policy) -> tuple[float, ...]:
    """One score per intent, in the order of INTENTS: the bias and the weight of everything observed."""
    totals = list(policy.weights.bias)
    evidence = policy.weights.evidence
    for observation in reading.observations:
        vector = evidence.get(observation.name)
        if vector:
            for place, weight in enumerate(vector):
                totals[place] += weight
    return tuple(totals)


def probabilities(scores: tuple[float, ...]) -> tuple[float, ...]:
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = sum(powers)
    return tuple(power / total for power in powers)


def intent_scores(reading: Reading, policy: Policy, shares: tuple[float, ...]) -> tuple[IntentScore, ...]:
    """Every intent with its share and the evidence for and against it, the strongest first."""
    table = policy.weights.evidence
    seen = [(observation, table[observation.name]) for observation in reading.observations if observation.name in table]
    scores = []
    for place, share in enumerate(shares):
        # An intent without a chance shows no evidence: nobody asks why "hello" is no deletion.
        said = [(vector[place], each) for each, vector in seen if vector[place]] if share > _HARDLY else []
        said.sort(key=_strength)
        evidence = tuple(
            Evidence(each.name, weight, reading.utterance.span(each.first, each.last))
            for weight, each in said[:EVIDENCE_SHOWN]
        )
        scores.append(IntentScore(as_intent(place), share, evidence))
    return tuple(scores)


def _strength(piece: tuple[float, Observation]) -> float:
    return -abs(piece[0])


def as_intent(place: int) -> Intent:
    return INTENTS[place]  # type: ignore[return-value]
