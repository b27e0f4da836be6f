"""The confidence as a ledger: its factors add up to the number, each with the words that gave it.

The score is a sum, but a probability is not. So the evidence is laid down in the order of the words, and
each piece is credited with what it changed: the steps of a waterfall, which end at the confidence.
"""

from __future__ import annotations

from math import exp
from operator import add

from engine.decision import Factor
from engine.policy_values import Policy
from engine.reading import Reading

CORRECTION_COST = 0.05
_SHOWN = 6
_DIGITS = 6


def base_ledger(
    reading: Reading, policy: Policy, winner: int, rival: int, extra: dict[int, float], extra_name: str
) -> list[Factor]:
    """The factors of the reading itself. `extra` holds weights from the context, by intent."""
    table = policy.weights.evidence
    pieces = [(seen, table[seen.name]) for seen in reading.observations if seen.name in table]
    # How far a piece moves the winner away from its rival says how much it matters.
    pieces.sort(key=lambda piece: -abs(piece[1][winner] - piece[1][rival]))
    running = list(policy.weights.bias)
    reached = _share(running, winner, policy)
    factors = [Factor("before any word", round(reached, _DIGITS))]
    for seen, vector in sorted(pieces[:_SHOWN], key=lambda piece: piece[0].first):
        running = list(map(add, running, vector))
        before, reached = reached, _share(running, winner, policy)
        amount = round(reached - before, _DIGITS)
        if amount:
            factors.append(Factor(seen.name, amount, reading.utterance.span(seen.first, seen.last)))
    for _, vector in pieces[_SHOWN:]:
        running = list(map(add, running, vector))
    before, reached = reached, _share(running, winner, policy)
    factors.append(Factor("other words", round(reached - before, _DIGITS)))
    if extra:
        running = [total + extra.get(place, 0.0) for place, total in enumerate(running)]
        factors.append(Factor(extra_name, round(_share(running, winner, policy) - reached, _DIGITS)))
    return factors


def _share(running: list[float], winner: int, policy: Policy) -> float:
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
