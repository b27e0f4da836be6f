"""Thresholds from costs: found on one half, reported on the other, and right by trying all of them."""

from __future__ import annotations

import random

import pytest

from evals.evaluate.costing import Costs, CostTable, TurnableCase, model_action
from evals.evaluate.thresholds import advise, split_halves
from tests.evals.evaluate.made_up import key_of, scored

GENERATOR = random.Random(20261116)
ASKED = ("wanted", "needless", "useless")


def random_cases(size: int) -> list[TurnableCase]:
    return [
        TurnableCase(
            key_of(place), round(GENERATOR.random(), 2), GENERATOR.random() < 0.7, GENERATOR.choice(ASKED),
            GENERATOR.random() < 0.2, "execute",
        )
        for place in range(size)
    ]  # fmt: skip


def cost_by_hand(case: TurnableCase, act: float, read: float, costs: Costs) -> float:
    done = model_action(case.sure, act, read)
    if done == "acts":
        return 0.0 if case.acted else costs.wrong_act
    if done == "leaves":
        return 0.0 if case.silent else costs.missed_request
    useless = costs.missed_request if case.asked == "useless" else 0.0
    return 0.0 if case.asked == "wanted" else costs.needless_question + useless


def test_the_sums_are_the_cost_of_each_case_by_hand() -> None:
    costs = Costs(7.0, 2.0, 3.0)
    for size in (1, 2, 50, 300):
        cases = random_cases(size)
        table = CostTable(cases, costs)
        for act, read in ((0.3, 0.0), (0.7, 0.45), (1.0, 0.9), (0.5, 0.5)):
            by_hand = sum(cost_by_hand(case, act, read, costs) for case in cases) / size
            assert table.mean(act, read) == pytest.approx(by_hand)
            assert table.per_case(act, read).mean() == pytest.approx(by_hand)
    assert CostTable([], costs).mean(0.7, 0.5) == 0.0


def test_no_other_thresholds_cost_less() -> None:
    cases, costs = random_cases(200), Costs()
    table = CostTable(cases, costs)
    act, read = table.find_best(0.7, 0.45)
    least = min(table.mean(a / 100, r / 100) for a in range(30, 101) for r in range(min(a, 90) + 1))
    assert table.mean(act, read) == pytest.approx(least)


def test_thresholds_in_force_stay_where_nothing_costs_less() -> None:
    sure = [TurnableCase(key_of(place), 0.95, True, "needless", False, "execute") for place in range(9)]
    table = CostTable(sure, Costs())
    assert table.find_best(0.7, 0.45) == (0.7, 0.45)


def rows_that_want(act: float, size: int = 400) -> list[object]:
    """Readings that are right from this confidence on, run under 0.7 and 0.45."""
    rows = []
    for place in range(size):
        sure = round(0.46 + 0.5 * GENERATOR.random(), 3)
        right = sure >= act
        weighing = {"act": 0.7, "read": 0.45, "sure": sure, "acted": right, "asked": "needless", "silent": False}
        rows.append(scored(place, passed=right, action="execute" if sure >= 0.7 else "clarify", weighing=weighing))
    return rows


@pytest.mark.parametrize("act", [0.55, 0.85])
def test_the_best_threshold_is_found_and_its_saving_is_told_on_the_other_half(act: float) -> None:
    advice = advise(rows_that_want(act), Costs(10.0, 1.0, 3.0))  # type: ignore[arg-type]
    assert advice is not None
    assert advice.best.act == pytest.approx(act, abs=0.02)
    assert advice.is_more_than_noise
    assert advice.saving == pytest.approx(advice.present.cost - advice.best.cost)
    assert advice.low <= advice.saving <= advice.high
    assert advice.agreement.value == 1.0
    assert advice.changes == {"act": advice.best.act, "read": advice.best.read}
    assert "costs" in advice.sentence
    assert "less a case" in advice.sentence
    assert min(advice.curve, key=lambda point: point.cost).act == pytest.approx(act, abs=0.03)


def test_what_costs_least_on_one_half_by_chance_saves_nothing_that_can_be_told() -> None:
    found = 0
    for _ in range(20):
        rows = []
        for place in range(120):
            sure, acted = round(0.46 + 0.5 * GENERATOR.random(), 3), GENERATOR.random() < 0.9
            weighing = {"act": 0.7, "read": 0.45, "sure": sure, "acted": acted, "asked": "needless", "silent": False}
            rows.append(scored(GENERATOR.randrange(10**9) + place, weighing=weighing))
        # Asking costs what acting costs on average: whatever is chosen, nothing is gained.
        advice = advise(rows, Costs(10.0, 1.0, 50.0))
        assert advice is not None
        found += advice.is_more_than_noise
    assert found <= 3


def test_halves_are_the_same_whatever_the_order() -> None:
    cases = random_cases(101)
    first, second = split_halves(cases)
    again = split_halves(cases[::-1])
    assert set(again[0]) == set(first)
    assert set(again[1]) == set(second)
    assert len(first) + len(second) == 101
    assert min(len(first), len(second)) > 30


def test_a_decider_without_thresholds_and_too_few_cases_get_no_advice() -> None:
    assert advise([scored(place) for place in range(100)], Costs()) is None
    assert advise(rows_that_want(0.8, 30), Costs()) is None  # type: ignore[arg-type]
    assert advise([], Costs()) is None
