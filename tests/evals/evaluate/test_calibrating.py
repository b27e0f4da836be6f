"""Calibration by distinct values, held against scikit-learn on random data and at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from evals.evaluate.calibrating import calibrate, calibrate_pairs, group_sizes
from tests.evals.evaluate.made_up import scored

GENERATOR = np.random.default_rng(20261116)


def drawn(values: list[float], size: int, bias: float = 0.0) -> list[tuple[float, bool]]:
    """Confidences, and answers that are right as often as they say, or by `bias` less."""
    stated = GENERATOR.choice(values, size)
    return [(float(each), bool(GENERATOR.random() < each - bias)) for each in stated]


def test_brier_is_scikit_learns() -> None:
    from sklearn.metrics import (
        brier_score_loss,
    )  # late: every process of a run loads this file, and one of them runs it

    for size in (1, 2, 30, 1_000):
        judged = drawn([0.1, 0.5, 0.77, 1.0], size)
        expected = brier_score_loss([right for _, right in judged], [said for said, _ in judged], pos_label=True)
        assert calibrate_pairs(judged).brier.value == pytest.approx(expected)


def test_a_group_for_each_distinct_value_is_scikit_learns_curve() -> None:
    from sklearn.calibration import calibration_curve  # late, as above

    judged = drawn([0.1, 0.3, 0.5, 0.7, 0.9], 500)
    rights, said = calibration_curve([right for _, right in judged], [stated for stated, _ in judged], n_bins=5)
    groups = calibrate_pairs(judged).groups
    assert [group.accuracy.value for group in groups] == pytest.approx(list(rights))
    assert [group.confidence for group in groups] == pytest.approx(list(said))
    assert all(group.low == group.high for group in groups)


def test_the_error_is_the_mean_distance_over_the_groups() -> None:
    found = calibrate_pairs(drawn([0.2, 0.6, 0.95], 400, bias=0.1))
    by_hand = sum(group.count * abs(group.confidence - (group.accuracy.value or 0)) for group in found.groups) / 400
    assert found.ece.value == pytest.approx(by_hand)
    assert found.ece.low <= by_hand <= found.ece.high


def test_many_values_are_joined_and_equal_ones_stay_together() -> None:
    spread = np.sort(np.concatenate((GENERATOR.random(1_000), np.full(500, 0.5))))
    sizes = group_sizes(spread)
    assert sum(sizes) == 1_500
    assert 8 <= len(sizes) <= 16
    edges = np.cumsum(sizes)[:-1]
    assert all(spread[edge - 1] != spread[edge] for edge in edges)


def test_noise_alone_is_not_taken_for_miscalibration_and_real_error_is() -> None:
    sound = [calibrate_pairs(drawn([0.3, 0.6, 0.8, 0.9], 150)).is_miscalibrated for _ in range(60)]
    assert sum(sound) <= 9  # one in twenty is expected
    assert all(calibrate_pairs(drawn([0.6, 0.8, 0.9], 150, bias=0.3)).is_miscalibrated for _ in range(10))


def test_fewer_cases_make_a_higher_noise_floor() -> None:
    few, many = (calibrate_pairs(drawn([0.6, 0.8, 0.9], size)) for size in (30, 3_000))
    assert few.noise_floor is not None
    assert many.noise_floor is not None
    assert few.noise_floor > 5 * many.noise_floor


def test_risk_over_coverage_ends_at_the_share_that_is_wrong() -> None:
    judged = drawn([0.1, 0.5, 0.77, 0.9], 300)
    found = calibrate_pairs(judged)
    assert [point.threshold for point in found.coverage] == [0.9, 0.77, 0.5, 0.1]
    assert found.coverage[-1].coverage == 1.0
    assert found.coverage[-1].risk.value == pytest.approx(sum(not right for _, right in judged) / 300)
    surest = [right for said, right in judged if said == 0.9]
    assert found.coverage[0].risk.value == pytest.approx(surest.count(False) / len(surest))


def test_the_edges() -> None:
    nothing = calibrate_pairs([])
    assert (nothing.ece.value, nothing.brier.value, nothing.noise_floor, nothing.groups) == (None, None, None, ())
    assert not nothing.is_miscalibrated
    one = calibrate_pairs([(0.8, True)])
    assert (one.ece.value, one.brier.value, len(one.groups)) == (pytest.approx(0.2), pytest.approx(0.04), 1)
    certain = calibrate_pairs([(1.0, True)] * 40)
    assert (certain.ece.value, certain.noise_floor, certain.brier.value) == (0.0, 0.0, 0.0)
    tied = calibrate_pairs([(0.5, place % 2 == 0) for place in range(40)])
    assert (tied.ece.value, tied.brier.value, len(tied.groups)) == (0.0, 0.25, 1)
    assert tied.coverage[0].coverage == 1.0


def test_only_what_was_read_with_a_stated_confidence_counts() -> None:
    rows = [
        scored(0, confidence=0.9),
        scored(1, confidence=None),
        scored(2, action="reply", outcome="abstention", confidence=0.99),
        scored(3, action=None, outcome="none", confidence=None),
    ]
    assert (calibrate(rows).cases, calibrate(rows).unstated) == (1, 1)
    assert calibrate(rows, acting=False).cases == 2
