"""The confidence as a ledger: its factors add up to the number, each with the words that gave it.

The score is a sum, but a probability is not. So the evidence is laid down in the order of the words, and
each piece is credited with what it changed: the steps of a waterfall, which end at the confidence.
"""

from __future__ import annotations

import math

from engine.decision import Factor
from engine.mapping import INTENTS
from engine.policy import Policy
from engine.reading import Reading

CORRECTION_COST = 0.05
_SHOWN = 10
_DIGITS = 6


def base_ledger(
    reading: Reading, policy: Policy, winner: int, extra: dict[int, float], extra_name: str
) -> list[Factor]:
    """The factors of the reading itself. `extra` holds weights from the context, by intent."""
    pieces = sorted(_pieces(reading, policy), key=lambda piece: -abs(_effect(piece[1], winner)))
    shown = sorted(pieces[:_SHOWN], key=lambda piece: piece[2])
    running = list(policy.weights.bias)
    factors = [Factor("before any word", _share(running, winner, policy))]
    for name, vector, place in shown:
        span = reading.utterance.span(*place)
        factors.append(Factor(name, _step(running, vector, winner, policy), span))
    rest = [0.0] * len(INTENTS)
    for _, vector, _ in pieces[_SHOWN:]:
        rest = [total + weight for total, weight in zip(rest, vector, strict=True)]
    if pieces[_SHOWN:]:
        factors.append(Factor("other words", _step(running, tuple(rest), winner, policy)))
    if extra:
        vector = tuple(extra.get(place, 0.0) for place in range(len(INTENTS)))
        factors.append(Factor(extra_name, _step(running, vector, winner, policy)))
    return factors


def _pieces(reading: Reading, policy: Policy) -> list[tuple[str, tuple[float, ...], tuple[int, int]]]:
    table = policy.weights.evidence
    return [
        (seen.name, table[seen.name], (seen.first, seen.last)) for seen in reading.observations if seen.name in table
    ]


def _effect(vector: tuple[float, ...], winner: int) -> float:
    """How far a piece moves the winner away from the others."""
    return vector[winner] - max(weight for place, weight in enumerate(vector) if place != winner)


def _share(running: list[float], winner: int, policy: Policy) -> float:
    highest = max(running)
    total = sum(math.exp(score - highest) for score in running)
    return policy.weights.calibrate(math.exp(running[winner] - highest) / total)


def _step(running: list[float], vector: tuple[float, ...], winner: int, policy: Policy) -> float:
    before = _share(running, winner, policy)
    for place, weight in enumerate(vector):
        running[place] += weight
    return _share(running, winner, policy) - before


def correction_factors(reading: Reading) -> list[Factor]:
    return [
        Factor(
            "misspelt", -CORRECTION_COST, reading.utterance.span(each.place, each.place + 1), f"read as {each.meant}"
        )
        for each in reading.corrections
    ]


def close_ledger(factors: list[Factor]) -> tuple[tuple[Factor, ...], float]:
    """Round, keep the sum between 0 and 1, and return it: the ledger is the confidence."""
    kept = [Factor(each.name, round(each.amount, _DIGITS), each.span, each.detail) for each in factors]
    kept = [each for each in kept if each.amount or each.name == "before any word"]
    total = sum(each.amount for each in kept)
    bounded = min(1.0, max(0.0, total))
    if abs(bounded - total) > 10**-_DIGITS:
        kept.append(Factor("kept between 0 and 1", round(bounded - total, _DIGITS)))
    return tuple(kept), round(sum(each.amount for each in kept), _DIGITS)
