"""Charts are data in and figures out; colour is never their only signal, and each says the same in words."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ui.charts import (
    Bar,
    ChartLine,
    describe_ledger,
    describe_scores,
    fold_small,
    ledger_figure,
    scores_figure,
    split_scores,
)
from ui.palette import AGAINST, FOR

SCORES = (Bar("Add a task", 0.2), Bar("Delete a task", 0.75, marked=True), Bar("Nothing to do", 0.05))
LEDGER = (
    Bar("before any word", 0.1),
    Bar("fits delete.item", 0.7),
    Bar("fits delete.item", 0.05),
    Bar("misspelt", -0.05),
)
LIMITS = (ChartLine("acts from", 0.7), ChartLine("reads from", 0.55))


def test_the_strongest_intent_stands_on_top_and_what_was_read_is_marked_by_a_sign_too() -> None:
    (bars,) = scores_figure(SCORES).data
    assert list(bars.x) == [0.05, 0.2, 0.75]
    assert [("▸" in label) for label in bars.y] == [False, False, True]
    assert list(bars.text) == ["0.050", "0.200", "0.750"]
    assert bars.marker.color[2] == FOR


def test_the_waterfall_ends_at_the_confidence() -> None:
    (steps,) = ledger_figure(LEDGER, 0.8, LIMITS).data
    assert list(steps.measure) == ["relative"] * 4 + ["total"]
    assert sum(steps.x[:-1]) == pytest.approx(steps.x[-1])
    assert list(steps.customdata)[-2:] == ["-0.050", "<b>0.800</b>"]
    assert (steps.increasing.marker.color, steps.decreasing.marker.color) == (FOR, AGAINST)


def test_the_amounts_stand_in_a_column_beside_their_rows() -> None:
    figure = ledger_figure(LEDGER, 0.8, LIMITS)
    beside = [note for note in figure.layout.annotations if note.xref == "paper"]
    assert [note.text for note in beside] == ["+0.100", "+0.700", "+0.050", "-0.050", "<b>0.800</b>"]
    assert [note.y for note in beside] == list(figure.data[0].y)


def test_a_long_name_goes_on_in_a_second_line() -> None:
    (steps,) = ledger_figure([Bar("nothing but a word of a task", 0.8)], 0.8, LIMITS).data
    assert steps.y[0] == "nothing but a word of a<br>task"


def test_factors_of_one_name_keep_rows_of_their_own() -> None:
    (steps,) = ledger_figure(LEDGER, 0.8, LIMITS).data
    assert len(set(steps.y)) == len(LEDGER) + 1


def test_thresholds_are_lines_with_their_names_that_do_not_run_into_each_other() -> None:
    figure = ledger_figure(LEDGER, 0.8, LIMITS)
    assert [line.x0 for line in figure.layout.shapes] == [0.55, 0.7]
    notes = [note for note in figure.layout.annotations if note.yref == "paper"]
    assert [(note.text, note.xanchor) for note in notes] == [
        ("reads from 0.55", "right"),
        ("acts from 0.70", "left"),
    ]


def test_a_confidence_below_the_threshold_has_the_other_colour() -> None:
    (steps,) = ledger_figure(LEDGER[:1], 0.1, LIMITS).data
    assert steps.totals.marker.color == AGAINST


def test_the_words_hold_every_number_of_the_chart() -> None:
    assert describe_scores(SCORES).startswith("Scores of the intents: Delete a task 0.750, Add a task 0.200")
    told = describe_ledger(LEDGER, 0.8, LIMITS)
    assert "misspelt -0.050" in told
    assert "together 0.800" in told
    assert "acts from 0.70" in told


def test_charts_need_no_streamlit() -> None:
    code = "import sys, ui.charts; print('streamlit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_rows_that_would_say_nothing_are_folded_and_the_sum_stays() -> None:
    many = [Bar("before any word", 0.1), Bar("a", -0.0004), Bar("b", -0.0004), Bar("task found", 0.2)]
    folded = fold_small(many)
    assert [bar.label for bar in folded] == ["before any word", "task found", "2 that hardly count"]
    assert sum(bar.value for bar in folded) == pytest.approx(sum(bar.value for bar in many))
    assert [bar.label for bar in fold_small([Bar("a", 0.3), Bar("b", 0.0001)])] == ["a"]


def test_scores_of_nothing_are_left_out_and_counted() -> None:
    bars = [Bar("add", 0.9, marked=True), Bar("list", 0.0001), Bar("delete", 0.0002), Bar("who", 0.0)]
    shown, hidden = split_scores(bars)
    assert [bar.label for bar in shown] == ["add", "delete"]
    assert hidden == 2
    assert split_scores([Bar("add", 0.5), Bar("list", 0.4), Bar("who", 0.0, marked=True)])[1] == 0
