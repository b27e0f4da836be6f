"""Minimal pairs: sentences that differ in little are decided otherwise."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest

from domains.deciders import load_decider
from engine.decision import Decision
from evals.case import Case
from evals.cases import load_cases, load_known_failures
from evals.runner import run_case

DECIDER = load_decider()
KNOWN_FAILURES = load_known_failures()


def _pairs() -> dict[str, list[Case]]:
    pairs: defaultdict[str, list[Case]] = defaultdict(list)
    for case in load_cases():
        if case.pair:
            pairs[case.pair].append(case)
    return pairs


PAIRS = _pairs()


def _signature(decision: Decision) -> object:
    calls = tuple((call.tool_name, tuple(sorted(call.parameters.items(), key=str))) for call in decision.calls)
    return decision.action, decision.intent if decision.action != "reply" else "unknown", calls


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_the_members_of_a_pair_are_decided_otherwise(name: str) -> None:
    results = [run_case(DECIDER, case) for case in PAIRS[name] if case.id not in KNOWN_FAILURES]
    for first, second in combinations(results, 2):
        assert _signature(first.turns[-1].decision) != _signature(second.turns[-1].decision), (
            f"{first.case.turns[-1].text!r} and {second.case.turns[-1].text!r} are decided alike"
        )


def test_a_pair_has_at_least_two_members_of_one_language() -> None:
    for name, members in PAIRS.items():
        assert len(members) >= 2, name
        assert len({case.language for case in members}) == 1, name


def test_the_pairs_that_matter_most_are_there() -> None:
    assert {"milk-verbs", "one-or-two", "may", "it-latte", "it-uno-o-due", "it-maggio"} <= set(PAIRS)
