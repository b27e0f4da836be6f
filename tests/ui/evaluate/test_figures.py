"""The charts of Evaluate, and the same in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.evaluation.run_values import ScoredCase
from evals.evaluate.calibrating import Calibration, calibrate_pairs
from evals.evaluate.confusion import Confusion, make_confusion
from evals.evaluate.thresholds import CostPoint, ThresholdAdvice
from evals.intervals import wilson
from ui.evaluate import figures, sentences
from ui.evaluate.matrix import confusion_figure
from ui.palette import AGAINST, FOR, NEUTRAL

INTENTS = ("add_task", "list_tasks", "unknown")
ROW = ScoredCase(
    0, "k", "right", True, "add_task", "add_task", "add_task", True, "execute", "call", 0.9, 1.0, "s"
)  # fmt: skip


@pytest.fixture
def confusion() -> Confusion:
    cells = {("add_task", "add_task"): 8, ("add_task", "list_tasks"): 2, ("list_tasks", "asks"): 3}
    return make_confusion(cells, INTENTS)


@pytest.fixture
def calibration() -> Calibration:
    return calibrate_pairs([(0.9, True)] * 9 + [(0.9, False)] + [(0.6, True), (0.6, False)])


def test_each_cell_is_a_square_that_knows_its_place(confusion: Confusion) -> None:
    (squares,) = confusion_figure(confusion, shares=False, chosen=None).data
    assert squares.marker.symbol == "square"
    places = {tuple(each[:2]): text for each, text in zip(squares.customdata, squares.text, strict=True)}
    assert places == {(0, 0): "8", (0, 1): "2", (1, confusion.columns.index("asks")): "3"}


def test_what_came_otherwise_has_a_frame_and_a_question_is_grey(confusion: Confusion) -> None:
    (squares,) = confusion_figure(confusion, shares=False, chosen=None).data
    assert list(squares.marker.line.color) == [FOR, AGAINST, NEUTRAL]
    assert list(squares.marker.line.width) == [0, 1.5, 0]
    (chosen,) = confusion_figure(confusion, shares=False, chosen=(0, 0)).data
    assert list(chosen.marker.line.width) == [4, 1.5, 0]


def test_the_matrix_says_which_side_is_which(confusion: Confusion) -> None:
    (note,) = confusion_figure(confusion, shares=False, chosen=None).layout.annotations
    assert note.text.startswith("meant ↓")
    assert note.text.endswith("came →")


def test_shares_are_of_a_row(confusion: Confusion) -> None:
    (squares,) = confusion_figure(confusion, shares=True, chosen=None).data
    assert list(squares.text) == ["80%", "20%", "100%"]
    head, rows = sentences.confusion_rows(confusion, shares=True)
    assert head[0] == "Meant"
    assert rows[0][1:3] == ("80.0%", "20.0%")
    assert len(rows) == 2  # nothing was meant as the third


def test_an_empty_matrix_is_drawn() -> None:
    figure = confusion_figure(make_confusion({}, INTENTS), shares=True, chosen=None)
    assert len(figure.data[0].x) == 0


def test_only_what_failed_is_listed_as_a_mistake() -> None:
    rows = [
        ROW,
        replace(ROW, passed=False),
        replace(ROW, passed=False, final="asks"),
        replace(ROW, passed=False, final="asks"),
        replace(ROW, final="asks"),
    ]
    mistakes = sentences.list_mistakes(rows, behind=False)
    assert [(each.failed, each.came) for each in mistakes] == [(2, "asks"), (1, "add_task")]
    assert sentences.tell_mistake(mistakes[1]) == "Add a task, otherwise wrong"
    assert "Add a task → Asks back 2" in sentences.tell_confusion(mistakes)
    assert [each.failed for each in sentences.list_mistakes(rows, behind=True)] == [3]


def test_reliability_has_a_dot_a_group_with_its_interval(calibration: Calibration) -> None:
    _line, dots = figures.reliability_figure(calibration).data
    assert list(dots.x) == pytest.approx([0.6, 0.9])
    assert list(dots.y) == pytest.approx([0.5, 0.9])
    assert all(value > 0 for value in dots.error_y.arrayminus)
    _head, rows = sentences.group_rows(calibration)
    assert [row[:2] for row in rows] == [("0.60", "2"), ("0.90", "10")]


def test_coverage_ends_with_everything(calibration: Calibration) -> None:
    _band, line = figures.coverage_figure(calibration.coverage).data
    assert line.x[-1] == 1
    _head, rows = sentences.coverage_rows(calibration)
    assert rows[-1][:2] == ("0.60", "100.0%")


def test_a_decider_without_a_confidence_is_told() -> None:
    nothing = calibrate_pairs([])
    assert "states no confidence" in sentences.tell_calibration(nothing, "LLM")
    assert "No case" in sentences.tell_coverage(nothing)
    figures.reliability_figure(nothing)
    figures.coverage_figure(nothing.coverage)


def test_calibration_says_whether_it_is_more_than_noise() -> None:
    good = calibrate_pairs([(0.5, True), (0.5, False)] * 50)
    assert "can be taken at its word" in sentences.tell_calibration(good, "Engine")
    bad = calibrate_pairs([(0.99, False)] * 50)
    assert "off by more than noise" in sentences.tell_calibration(bad, "Engine")


def test_costs_are_drawn_with_the_present_and_the_cheapest_thresholds() -> None:
    now, best = CostPoint(0.7, 0.45, 0.3), CostPoint(0.6, 0.4, 0.2)
    advice = ThresholdAdvice(100, now, best, 0.1, 0.05, 0.15, wilson(98, 100), (best, now))
    figure = figures.cost_figure(advice)
    assert [trace.text[0] for trace in figure.data[1:]] == ["now 0.70", "cheapest 0.60"]
    assert "the saving is 0.100 (95%: 0.050 to 0.150)" in sentences.tell_costs(advice)
