"""How sure the embedded model is: the probabilities of its own tokens, made to mean what they say.

`calibration.json` was learned on conversations that the figures are not taken from (`python -m training.learn_router`).
It holds for the adapter that it names, and for no other.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.decision import Decision
from llm.trace import ModelAnswer
from llm.weights import ADAPTER_SHA256

FILE = Path(__file__).parent / "calibration.json"
PLAIN_SOURCE = "mean probability of the answer's tokens"
CALIBRATED_SOURCE = "from the model's own probabilities, calibrated"
_FACTOR = f"LLM: {CALIBRATED_SOURCE}"


class Confidence(NamedTuple):
    value: float
    source: str


class TokenCalibration(NamedTuple):
    adapter: str
    """SHA-256 of the adapter whose answers it was learned from."""
    bias: float
    mean: float
    least: float
    """What the mean and the lowest logarithm of a token's probability are worth."""
    sure: float = 0.0
    """Below this a model that drives asks before it changes anything."""
    calls: float = 0.0
    """Where the first token of a call was less likely than this, the model hesitated between a call and words: it is
    asked whether anything is wanted."""

    def apply(self, log_probabilities: tuple[float, ...]) -> float:
        mean, least = features_of(log_probabilities)
        return 1 / (1 + math.exp(-(self.bias + self.mean * mean + self.least * least)))


def features_of(log_probabilities: tuple[float, ...]) -> tuple[float, float]:
    """Bounded: one token out of nowhere says no more than one that is merely unlikely."""
    return sum(log_probabilities) / len(log_probabilities), max(min(log_probabilities), _LEAST)


_LEAST = -6.0


@cache
def load_calibration() -> TokenCalibration | None:
    """None where there is none for this adapter."""
    try:
        found = TokenCalibration(**json.loads(FILE.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return found if found.adapter == ADAPTER_SHA256 else None


def is_unsure(decision: Decision) -> bool:
    """Whether the embedded model is too unsure of a change to make it unasked. Of another endpoint's probabilities
    nobody knows what they mean."""
    calibration, confidence = load_calibration(), decision.confidence
    return bool(is_calibrated(decision) and calibration and confidence is not None and confidence < calibration.sure)


def find_hesitation(answer: ModelAnswer, *, embedded: bool) -> float | None:
    """How likely the model held it that anything is asked for, where that was less than it must be. Where words come
    before a call, nobody knows which token decided."""
    calibration = load_calibration() if embedded else None
    if calibration is None or answer.text or not answer.log_probabilities:
        return None
    likely = math.exp(answer.log_probabilities[0])
    return round(likely, 4) if likely < calibration.calls else None


def is_calibrated(decision: Decision) -> bool:
    """Whether it is the embedded model's, with a confidence that was learned on tasks."""
    return any(factor.name == _FACTOR for factor in decision.ledger)


def state_confidence(log_probabilities: tuple[float, ...], *, embedded: bool) -> Confidence | None:
    """None where the endpoint gave no probabilities: never a made-up number."""
    if not log_probabilities:
        return None
    calibration = load_calibration() if embedded else None
    if calibration:
        return Confidence(round(calibration.apply(log_probabilities), 4), CALIBRATED_SOURCE)
    return Confidence(round(math.exp(sum(log_probabilities) / len(log_probabilities)), 4), PLAIN_SOURCE)
