"""The parts of a set as tables: figures of one decider, and the difference between two. No streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evals.evaluate.comparing import RunComparison, SliceComparison
from evals.evaluate.paired import write_p
from evals.evaluate.slices import SLICE_WORDS
from evals.evaluate.slicing import SliceFigures
from evals.evaluate.verdicts import VERDICT_WORDS, VERDICTS
from evals.intervals import Rate
from ui.evaluate.tables import ShownRate, show_rate
from ui.evaluate.words import name_slice
from ui.templates import draw


class SliceRow(NamedTuple):
    part: str
    """Language, kind, …; empty where the row above says it."""
    value: str
    rate: ShownRate
    note: str


def slices_html(figures: Sequence[SliceFigures], whole: Rate) -> str:
    """The whole set first, then its parts."""
    rows = [SliceRow("All", "", show_rate(whole), "")]
    for place, each in enumerate(figures):
        part = SLICE_WORDS.get(each.name, each.name)
        again = place > 0 and figures[place - 1].name == each.name
        value = name_slice(each.name, each.value)
        rows.append(SliceRow("" if again else part, value, show_rate(each.right, faint=each.small), _mostly(each)))
    return draw("evaluate/tables", "slices", rows)


def _mostly(figures: SliceFigures) -> str:
    """What goes wrong there, the most frequent first."""
    if figures.small:
        return "too few to judge"
    wrong = sorted(
        (
            (count, VERDICT_WORDS[name][0].lower())
            for name in VERDICTS
            if (count := figures.verdicts.get(name, 0)) and name != "right"
        ),
        reverse=True,
    )
    return ", ".join(f"{words} {count:,}" for count, words in wrong[:3])


class ComparedSliceRow(NamedTuple):
    part: str
    value: str
    cases: str
    won: str
    lost: str
    difference: str
    interval: str
    p: str
    told: str
    small: bool


def compared_slices_html(compared: RunComparison) -> str:
    rows = []
    for place, each in enumerate(compared.slices):
        again = place > 0 and compared.slices[place - 1].name == each.name
        rows.append(_compared_slice(each, "" if again else SLICE_WORDS.get(each.name, each.name)))
    return draw("evaluate/tables", "compared", compared.first, compared.second, rows)


def _compared_slice(each: SliceComparison, part: str) -> ComparedSliceRow:
    difference = each.difference
    better = "better" if (difference.value or 0) > 0 else "worse"
    return ComparedSliceRow(
        part=part,
        value=name_slice(each.name, each.value),
        cases=f"{difference.total:,}",
        won=f"{difference.only_second:,}",
        lost=f"{difference.only_first:,}",
        difference="–" if difference.value is None else f"{100 * difference.value:+.1f}",
        interval="" if difference.value is None else f"{100 * difference.low:+.1f} to {100 * difference.high:+.1f}",
        p="" if each.adjusted_p is None else write_p(each.adjusted_p).removeprefix("= "),
        told="too few to judge" if each.small else better if each.is_more_than_noise else "no difference can be told",
        small=each.small,
    )
