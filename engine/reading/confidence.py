"""The confidence as a ledger: its factors add up to the number, each with the words that gave it.

The score is a sum, but a probability is not. So the evidence is laid down in the order of the words, and
each piece is credited with what it changed: the steps of a waterfall, which end at the confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from operator import add

from engine.decision import Factor
from engine.making import maker
from engine.policy.weights import SURROUNDINGS, Weights
from engine.reading.read import Reading

_SHOWN = 5
_DIGITS = 6
_SMALLEST = 10**-_DIGITS
_make_factor = maker(Factor)
_FIRST = "before any word"


def base_ledger(reading: Reading, weights: Weights, winner: int, rival: int, probability: float) -> list[Factor]:
    """The factors of the reading itself, up to the winner's `probability` by everything that was observed."""
    vectors, observations = reading.vectors, reading.observations
    # How far a piece moves the winner away from its rival says how much it matters.
    moves = [abs(vector[winner] - vector[rival]) for vector in vectors]
    order = sorted(range(len(moves)), key=moves.__getitem__, reverse=True)
    running: Sequence[float] = weights.bias
    reached = weights.first_shares[winner]
    factors = [_make_factor((_FIRST, round(reached, _DIGITS), None, ""))]
    calibrate, span = weights.calibrate, reading.utterance.span
    # In the order of the words; what stands around them comes after. Of two at one place the stronger one first.
    shown = [
        (observations[which][0].startswith(SURROUNDINGS), observations[which][1], rank)
        for rank, which in enumerate(order[:_SHOWN])
    ]
    for _, first, rank in sorted(shown):
        which = order[rank]
        running = list(map(add, running, vectors[which]))
        highest = max(running)
        # One of the `probabilities`, to the last digit, without the others.
        powers = [exp(score - highest) for score in running]
        before, reached = reached, calibrate(powers[winner] / sum(powers))
        amount = round(reached - before, _DIGITS)
        if amount:
            name, _, last = observations[which]
            factors.append(_make_factor((name, amount, span(first, last), "")))
    factors.append(_make_factor(("other words", round(calibrate(probability) - reached, _DIGITS), None, "")))
    return factors


def context_factor(weights: Weights, before: float, after: float, name: str) -> Factor:
    """What the conversation, the store or a guard changed about the winner's probability."""
    return Factor(name, round(weights.calibrate(after) - weights.calibrate(before), _DIGITS))


def correction_factors(reading: Reading, cost: float) -> list[Factor]:
    return [
        Factor("misspelt", -cost, reading.utterance.span(each.place, each.place + 1), f"read as {each.meant}")
        for each in reading.corrections
    ]


def close_ledger(factors: list[Factor]) -> tuple[tuple[Factor, ...], float]:
    """Keep the sum between 0 and 1 and return it: the ledger is the confidence."""
    kept = [each for each in factors if each.amount or each.name == _FIRST]
    total = sum([each.amount for each in kept])
    bounded = min(1.0, max(0.0, total))
    if abs(bounded - total) > _SMALLEST:
        kept.append(Factor("kept between 0 and 1", round(bounded - total, _DIGITS)))
        total = sum([each.amount for each in kept])
    return tuple(kept), round(total, _DIGITS)
