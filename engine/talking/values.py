"""A way of saying something that fits a message, with all that speaks for it."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from engine.dates import DateMatch
from engine.decision import Context, Factor, Reference
from engine.policy.values import Policy, Way
from engine.reading.read import Reading
from engine.talking.situation import TalkSituation
from engine.values import Span

FIRST = "before any word"
_BEFORE = -1.0
"""The log-odds that a message means what it may mean, before anything speaks for it."""
_DIGITS = 6


class Sign(NamedTuple):
    """Something that speaks for (or against) a way of saying, in log-odds."""

    name: str
    weight: float
    span: Span | None = None
    detail: str = ""


class Told(NamedTuple):
    """What everything here is read from."""

    reading: Reading
    dates: tuple[DateMatch, ...]
    situation: TalkSituation
    context: Context
    policy: Policy


class Heard(NamedTuple):
    way: Way
    start: int
    end: int
    slots: tuple[tuple[str, int, int], ...]
    signs: tuple[Sign, ...]
    reference: Reference | None = None
    """What its `target` names."""

    @property
    def strength(self) -> float:
        return _strength(self.signs)

    @property
    def confidence(self) -> float:
        return confidence_of(self.signs)

    def slot(self, *names: str) -> tuple[int, int] | None:
        for name, start, end in self.slots:
            if name in names and end > start:
                return start, end
        return None

    def ledger(self) -> tuple[Factor, ...]:
        """Each sign with what it changed: the steps end at the confidence."""
        reached = _BEFORE
        factors = [Factor(FIRST, round(_share(reached), _DIGITS))]
        for sign in self.signs:
            before, reached = reached, reached + sign.weight
            amount = round(_share(reached) - _share(before), _DIGITS)
            factors.append(Factor(sign.name, amount, sign.span, sign.detail))
        return tuple(factors)


def confidence_of(signs: tuple[Sign, ...]) -> float:
    return _share(_strength(signs))


def _strength(signs: tuple[Sign, ...]) -> float:
    return _BEFORE + sum([sign.weight for sign in signs])


def _share(strength: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, strength))))


def add_up(ledger: tuple[Factor, ...]) -> float:
    """The confidence is what its ledger adds up to, to the last digit."""
    return min(1.0, max(0.0, round(sum(factor.amount for factor in ledger), _DIGITS)))
