"""Weights for a language that nothing was learned for yet: a way of asking speaks for its intent by its strength.

So a new domain works from its first file on. Learning (`training/learn_weights.py`) replaces the guess by what
messages say, and makes the confidence a probability that was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.catalogue.facts import Catalogue
from engine.policy.weights import UNSEEN, FrameKind, Vector, Weights

_NOTHING = 1.5
"""How much speaks for a message that asks for nothing, before any word."""
_NO_FRAME = 3.0
_STRENGTH = {"clear": 6.0, "plain": 5.0, "weak": 2.3}
"""With a handful of intents: about .97 and .94, which acts, and .57, which is offered; a target that is named and
exists lifts that over the threshold."""


def make_unlearned_weights(catalogue: Catalogue, frames: Sequence[FrameKind]) -> Weights:
    evidence = {f"lead:{frame.id}": _vector(catalogue, frame.intent, _strength(frame)) for frame in frames}
    evidence["shape:no_frame"] = _vector(catalogue, catalogue.intents[catalogue.unknown], _NO_FRAME)
    return Weights(bias=_vector(catalogue, catalogue.intents[catalogue.unknown], _NOTHING), evidence=evidence)


def weigh_new_intents(weights: Weights, catalogue: Catalogue, frames: Sequence[FrameKind]) -> Weights:
    """An intent that was added after the table was learned has nothing for it but its ways of asking: each lifts it
    over what is likeliest before any word, by its strength. Learning again replaces the guess."""
    new = {intent for intent, amount in zip(catalogue.intents, weights.bias, strict=False) if amount == UNSEEN}
    over = max(weights.bias, default=0.0) - UNSEEN
    added = {
        f"lead:{frame.id}": _vector(catalogue, frame.intent, over + _strength(frame))
        for frame in frames
        if frame.intent in new and f"lead:{frame.id}" not in weights.evidence
    }
    return replace(weights, evidence={**weights.evidence, **added}) if added else weights


def _strength(frame: FrameKind) -> float:
    return _STRENGTH["weak" if frame.weak else "clear" if frame.clear else "plain"]


def _vector(catalogue: Catalogue, intent: str, amount: float) -> Vector:
    return tuple(amount if each == intent else 0.0 for each in catalogue.intents)
