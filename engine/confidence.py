"""The confidence as a ledger: its factors add up to the number, each with the words that gave it.

The score is a sum, but a probability is not. So the evidence is laid down in the order of the words, and
each piece is credited with what it changed: the steps of a waterfall, which end at the confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from operator import add

from engine.decision import Factor
from engine.policy_values import Policy
from engine.reading import Reading

CORRECTION_COST = 0.05
_SHOWN = 5
_DIGITS = 6


def base_ledger(reading: Reading, policy: Policy, winner: int, rival: int, totals: tuple[float, ...]) -> list[Factor]:
    """The factors of the reading itself, up to the share that `totals` (the scores of all intents) give."""
    vectors, observations = reading.vectors, reading.observations
    # How far a piece moves the winner away from its rival says how much it matters.
    order = sorted(range(len(vectors)), key=lambda which: -abs(vectors[which][winner] - vectors[which][rival]))
    running: Sequence[float] = policy.weights.bias
    reached = share(running, winner, policy)
    factors = [Factor("before any word", round(reached, _DIGITS))]
    for which in sorted(order[:_SHOWN], key=lambda which: observations[which].first):
        seen = observations[which]
        running = list(map(add, running, vectors[which]))
        before, reached = reached, share(running, winner, policy)
        amount = round(reached - before, _DIGITS)
        if amount:
            factors.append(Factor(seen.name, amount, reading.utterance.span(seen.first, seen.last)))
    factors.append(Factor("other words", round(share(totals, winner, policy) - reached, _DIGITS)))
    return factors


def context_factor(
    policy: Policy, winner: int, before: tuple[float, ...], after: tuple[float, ...], name: str
) -> Factor:
    """What the conversation, the store or a guard changed about the scores."""
    return Factor(name, round(share(after, winner, policy) - share(before, winner, policy), _DIGITS))


def share(running: Sequence[float], winner: int, policy: Policy) -> float:
    highest = max(running)
    powers = [exp(score - highest) for score in running]
    return policy.weights.calibrate(powers[winner] / sum(powers))


def correction_factors(reading: Reading) -> list[Factor]:
    return [
        Factor(
            "misspelt", -CORRECTION_COST, reading.utterance.span(each.place, each.place + 1), f"read as {each.meant}"
        )
        for each in reading.corrections
    ]


def close_ledger(factors: list[Factor]) -> tuple[tuple[Factor, ...], float]:
    """Keep the sum between 0 and 1 and return it: the ledger is the confidence."""
    kept = [each for each in factors if each.amount or each.name == "before any word"]
    total = sum(each.amount for each in kept)
    bounded = min(1.0, max(0.0, total))
    if abs(bounded - total) > 10**-_DIGITS:
        kept.append(Factor("kept between 0 and 1", round(bounded - total, _DIGITS)))
    return tuple(kept), round(sum(each.amount for each in kept), _DIGITS)
