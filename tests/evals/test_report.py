"""Figures with their intervals, checked against values worked out elsewhere."""

from __future__ import annotations

import math

import pytest

from evals.calibration import area_under_risk, reliability, risk_coverage
from evals.comparison import compare, diff_runs
from evals.intervals import f1_rate, mcnemar_exact, mean_rate, quantile, wilson
from evals.report import confusion_matrix, intent_figures, report_readings
from evals.runner import MessageReading


def reading(read: str, *accepted: str, confidence: float | None = 0.9, action: str = "execute") -> MessageReading:
    if read == "unknown" and action == "execute":
        action = "reply"
    outcome = "call" if action in ("execute", "confirm") else "abstention"
    return MessageReading("id", "text", "en", "file", accepted, read, action, confidence, outcome)  # type: ignore[arg-type]


def test_wilson_is_the_interval_of_the_textbooks() -> None:
    rate = wilson(8, 10)
    assert (round(rate.low, 4), round(rate.high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 10).low == 0.0
    assert round(wilson(0, 10).high, 4) == 0.2775
    assert wilson(0, 0).value is None
    assert str(wilson(0, 0)) == "n/a"


def test_f1_and_its_interval_follow_from_the_jaccard_share() -> None:
    rate = f1_rate(8, 2, 2)
    assert rate.value == pytest.approx(0.8)
    assert rate.low < 0.8 < rate.high
    assert f1_rate(0, 0, 0).value is None


def test_a_mean_of_shares_has_a_narrower_interval_than_each() -> None:
    mean = mean_rate([wilson(1, 10), wilson(3, 10), wilson(0, 0)])
    assert mean.value == pytest.approx(0.2)
    assert mean.high - mean.low < wilson(1, 10).high - wilson(1, 10).low
    assert mean_rate([]).value is None


@pytest.mark.parametrize(
    ("only_first", "only_second", "expected"), [(0, 0, 1.0), (0, 5, 0.0625), (1, 9, 0.021484375), (5, 5, 1.0)]
)
def test_mcnemar_is_the_exact_binomial_test(only_first: int, only_second: int, expected: float) -> None:
    assert mcnemar_exact(only_first, only_second) == pytest.approx(expected)
    assert mcnemar_exact(only_second, only_first) == pytest.approx(expected)


def test_mcnemar_stays_a_probability_for_thousands_of_rows() -> None:
    brute = min(1.0, 2 * sum(math.comb(900, k) for k in range(401)) / 2**900)
    assert mcnemar_exact(400, 500) == pytest.approx(brute)
    assert 0.0 < mcnemar_exact(4000, 4400) < 1.0


def test_quantiles_are_values_that_occur() -> None:
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile([1, 2, 3, 4], 0.95) == 4
    assert quantile([5], 0.0) == 5


def test_a_perfectly_honest_decider_has_no_calibration_error() -> None:
    rows = [reading("add_task", "add_task", confidence=0.75)] * 3 + [reading("add_task", "unknown", confidence=0.75)]
    assert reliability(rows).ece.value == pytest.approx(0.0)
    (only,) = reliability(rows).bins
    assert (only.low, only.high, only.count) == (0.7, 0.8, 4)


def test_an_overconfident_decider_is_told_so() -> None:
    rows = [reading("add_task", "unknown", confidence=1.0), reading("add_task", "add_task", confidence=1.0)]
    figures = reliability(rows)
    assert figures.ece.value == pytest.approx(0.5)
    assert figures.bins[0].high == 1.0


def test_silence_counts_only_among_all_decisions() -> None:
    rows = [reading("unknown", "unknown", confidence=0.9)] * 9 + [reading("unknown", "add_task", confidence=0.9)]
    assert reliability(rows, "acting").ece.value is None
    assert reliability(rows, "all").ece.value == pytest.approx(0.0)


def test_a_decider_without_a_confidence_is_left_out_of_the_calibration() -> None:
    rows = [reading("add_task", "add_task", confidence=None)]
    assert reliability(rows, "all").ece.total == 0
    assert risk_coverage(rows) == ()
    assert area_under_risk(()) is None


def test_risk_grows_with_coverage_when_the_confidence_ranks_well() -> None:
    rows = [
        reading("add_task", "add_task", confidence=0.9),
        reading("add_task", "add_task", confidence=0.8),
        reading("add_task", "unknown", confidence=0.7),
        reading("add_task", "unknown", confidence=0.7),
    ]
    points = risk_coverage(rows)
    assert [(point.threshold, point.coverage, point.risk.value) for point in points] == [
        (0.9, 0.25, 0.0),
        (0.8, 0.5, 0.0),
        (0.7, 1.0, 0.5),
    ]
    assert area_under_risk(points) == pytest.approx(0.25)


def test_false_actions_count_questions_and_false_runs_do_not() -> None:
    rows = [
        reading("add_task", "unknown", action="clarify"),
        reading("add_task", "unknown"),
        reading("unknown", "unknown"),
        reading("delete_task", "add_task"),
        reading("unknown", "add_task", "unknown"),
    ]
    report = report_readings("scripted", rows)
    assert (report.false_actions.count, report.false_actions.total) == (2, 3)
    assert (report.false_runs.count, report.false_runs.total) == (1, 3)
    assert (report.wrong_tool.count, report.wrong_tool.total) == (1, 1)
    assert report.accuracy.count == 2


def test_precision_and_recall_know_rows_with_several_labels() -> None:
    rows = [
        reading("add_task", "add_task"),
        reading("add_task", "unknown", "add_task"),
        reading("unknown", "add_task"),
        reading("add_task", "list_tasks"),
    ]
    figures = intent_figures(rows, "add_task")
    assert figures.precision.value == pytest.approx(2 / 3)
    assert figures.recall.value == pytest.approx(2 / 3)
    assert figures.support == 3


def test_a_cell_of_the_confusion_matrix_leads_to_its_messages() -> None:
    matrix = confusion_matrix("x", [reading("delete_task", "add_task")])
    row, column = matrix.labels.index("add_task"), matrix.labels.index("delete_task")
    assert matrix.matrix[row][column] == 1
    assert matrix.ids[row][column] == ("id",)


def test_the_quadrant_holds_what_both_have_judged() -> None:
    quadrant = compare("a", {"1": True, "2": True, "3": False, "4": False}, "b", {"1": True, "2": False, "3": True})
    assert (quadrant.both, quadrant.only_first, quadrant.only_second) == (("1",), ("2",), ("3",))
    assert quadrant.neither == ()
    assert quadrant.p_value == 1.0
    assert quadrant.agreement.count == 1


def test_a_diff_names_what_was_fixed_and_what_was_broken() -> None:
    diff = diff_runs({"1": True, "2": False, "3": True}, {"1": False, "2": True, "4": True})
    assert (diff.fixed, diff.broken, diff.added, diff.gone) == (("2",), ("1",), ("4",), ("3",))
