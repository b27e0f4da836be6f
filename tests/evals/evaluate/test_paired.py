"""Differences between two, held against scipy on random data and at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from evals.evaluate.paired import difference_of_counts, holm, paired_difference, tell_difference
from evals.intervals import mcnemar_exact, quantile, wilson

GENERATOR = np.random.default_rng(20261116)


def test_mcnemar_is_scipys_exact_binomial_test() -> None:
    from scipy import stats  # late: every process of a run loads this file, and one of them runs it

    splits = [(0, 0), (1, 0), (0, 1), (5, 5), (0, 40), (130, 1), *map(tuple, GENERATOR.integers(0, 200, (200, 2)))]
    for first, second in splits:
        expected = stats.binomtest(int(first), int(first + second), 0.5).pvalue if first + second else 1.0
        assert mcnemar_exact(int(first), int(second)) == pytest.approx(expected, rel=1e-9)


def test_wilson_is_scipys() -> None:
    from scipy import stats  # late, as above

    for total in (1, 2, 7, 156, 10_000):
        for count in {0, 1, total // 3, total - 1, total}:
            low, high = stats.binomtest(count, total).proportion_ci(method="wilson")
            rate = wilson(count, total)
            assert (rate.low, rate.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


def test_the_nearest_rank_is_numpys() -> None:
    values = GENERATOR.random(101).tolist()
    for share in (0.0, 0.05, 0.5, 0.95, 1.0):
        assert quantile(values, share) == np.quantile(values, share, method="inverted_cdf")


@pytest.mark.parametrize(("total", "first_share", "second_share"), [(80, 0.5, 0.6), (400, 0.9, 0.95), (150, 0.2, 0.7)])
def test_the_paired_bootstrap_is_scipys(total: int, first_share: float, second_share: float) -> None:
    from scipy import stats  # late, as above

    first, second = GENERATOR.random(total) < first_share, GENERATOR.random(total) < second_share
    theirs = stats.bootstrap(
        (first.astype(float), second.astype(float)),
        lambda a, b, axis=-1: np.mean(b, axis=axis) - np.mean(a, axis=axis),
        paired=True, method="percentile", n_resamples=4_000, rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    ours = paired_difference(first.tolist(), second.tolist())
    assert ours.value == pytest.approx(float(second.mean() - first.mean()))
    # Both draw at random: one case more or less at a limit.
    assert ours.low == pytest.approx(theirs.low, abs=1.5 / total + 0.005)
    assert ours.high == pytest.approx(theirs.high, abs=1.5 / total + 0.005)


def test_no_case_one_case_and_ties_have_no_difference() -> None:
    nothing = paired_difference([], [])
    assert (nothing.value, nothing.p_value, nothing.is_more_than_noise) == (None, 1.0, False)
    one = paired_difference([True], [False])
    assert (one.value, one.p_value, one.low, one.high) == (-1.0, 1.0, -1.0, -1.0)
    for rights in ([True] * 50, [False] * 50, [True, False] * 25):
        tied = paired_difference(rights, rights)
        assert (tied.value, tied.low, tied.high, tied.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_lists_of_different_lengths_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="zip"):
        paired_difference([True], [])


def rejected_by_steps(p_values: list[float], alpha: float) -> set[int]:
    """Holm's procedure as he wrote it: from the smallest on, until one is not small enough."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    rejected: set[int] = set()
    for rank, place in enumerate(order):
        if p_values[place] > alpha / (len(p_values) - rank):
            break
        rejected.add(place)
    return rejected


def test_holms_adjusted_values_reject_what_his_procedure_does() -> None:
    for size in (1, 2, 9, 30):
        for _ in range(50):
            p_values = (GENERATOR.random(size) ** 4).tolist()
            adjusted = holm(p_values)
            for alpha in (0.01, 0.05, 0.2):
                assert {place for place, value in enumerate(adjusted) if value <= alpha} == rejected_by_steps(
                    p_values, alpha
                )
    assert holm([]) == []
    assert holm([0.5, 0.5, 0.5]) == [1.0, 1.0, 1.0]


def test_a_difference_is_told_in_a_plain_sentence() -> None:
    assert tell_difference(difference_of_counts(7, 3, 156), "engine", "LLM") == (
        "No difference can be told with 156 cases: they differ on 10, of which LLM has 3 right and engine 7 "
        "(p = 0.344)."
    )
    assert tell_difference(difference_of_counts(2, 40, 500), "baseline", "engine").startswith(
        "Engine is right more often than baseline, by 7.6 points (95%: "
    )
    worse = tell_difference(difference_of_counts(40, 2, 500), "the baseline", "this run")
    assert worse.startswith("The baseline is right more often than this run, by 7.6 points (95%: 5.")
    assert (
        tell_difference(difference_of_counts(0, 0, 1), "a", "b") == "A and b are right and wrong on the same of 1 case."
    )
    assert tell_difference(difference_of_counts(0, 0, 0), "a", "b") == "There is no case that both have judged."
