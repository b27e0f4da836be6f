"""The policies that the machines are read by: the project's own, or others for as long as a decider reads by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

from domains.loading import load_domain
from engine.decision import Language
from engine.policy.values import Policy

DOMAIN = Path(__file__).parent.name
_MOST_KEPT = 8
_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


class _InForce(NamedTuple):
    name: str
    """Tells tables that are made of them apart; empty: the project's own."""
    policies: Mapping[Language, Policy]


_others: ContextVar[_InForce | None] = ContextVar("machine_policies", default=None)
"""The reading is many small functions, each of which looks up words: a policy that stands in for another would have to
go through all of them."""


def load_policies() -> Mapping[Language, Policy]:
    others = _others.get()
    return others.policies if others else load_domain(DOMAIN).policies


def name_others() -> str:
    """The versions of the policies that stand in for the project's own; empty: none does."""
    others = _others.get()
    return others.name if others else ""


@contextmanager
def reading_by(policies: tuple[Policy, ...]) -> Iterator[None]:
    """Within it, these stand in for the project's own of their languages."""
    if not policies:
        yield
        return
    name = " ".join(policy.version for policy in policies)
    given = {policy.language: policy for policy in policies}
    before = _others.set(_InForce(name, {**load_domain(DOMAIN).policies, **given}))
    try:
        yield
    finally:
        _others.reset(before)


def once_a_policy(make: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Made once for each set of policies, as `functools.cache` does for one."""

    @lru_cache(maxsize=_MOST_KEPT)
    def made(_name: str, *given: object) -> _Made:
        return make(*given)  # type: ignore[call-arg,arg-type]

    @wraps(make)
    def find(*given: _Given.args, **named: _Given.kwargs) -> _Made:
        return made(name_others(), *given)

    return find
