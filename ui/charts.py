"""Charts as pure functions: data in, plotly figure out, and the same in words for who cannot see it. No streamlit."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from ui.palette import AGAINST, FOR, NEUTRAL

_ROW_HEIGHT, _TWO_LINES = 27, 34
_LONGEST_LINE = 26
_LEAST = 0.0005
"""Less than this would be shown as nothing."""
_COMPARED = 2
_MARGIN = {"l": 8, "r": 8, "t": 8, "b": 28}


class Bar(NamedTuple):
    label: str
    value: float
    marked: bool = False
    """The one that was read."""


class ChartLine(NamedTuple):
    """A threshold across the chart."""

    label: str
    value: float


def scores_figure(bars: Sequence[Bar]) -> go.Figure:
    """One horizontal bar an intent, the strongest on top; what was read has an arrow and its own colour."""
    shown = sorted(bars, key=lambda bar: bar.value)
    figure = go.Figure(
        go.Bar(
            orientation="h",
            x=[bar.value for bar in shown],
            y=[f"▸ <b>{bar.label}</b>" if bar.marked else bar.label for bar in shown],
            text=[f"{bar.value:.3f}" for bar in shown],
            textposition="outside",
            cliponaxis=False,
            marker_color=[FOR if bar.marked else NEUTRAL for bar in shown],
            hovertemplate="%{y}: %{x:.4f}<extra></extra>",
        )
    )
    figure.update_xaxes(range=[0, 1.16], tickvals=[0, 0.25, 0.5, 0.75, 1], zeroline=False, fixedrange=True)
    return _finish(figure, len(shown))


def split_scores(bars: Sequence[Bar]) -> tuple[list[Bar], int]:
    """Those to draw, and how many are left out: rows of 0.000 say nothing, but the two strongest are always held
    against each other, and what was read is seen."""
    ranked = sorted(bars, key=lambda bar: -bar.value)
    shown = [bar for place, bar in enumerate(ranked) if place < _COMPARED or bar.marked or bar.value >= _LEAST]
    return shown, len(bars) - len(shown)


def describe_scores(bars: Sequence[Bar]) -> str:
    ranked = sorted(bars, key=lambda bar: -bar.value)
    return "Scores of the intents: " + ", ".join(f"{bar.label} {bar.value:.3f}" for bar in ranked) + "."


def fold_small(bars: Sequence[Bar]) -> list[Bar]:
    """Rows that would say ±0.000 become one, and the sum stays what it was."""
    small = [bar for bar in bars if abs(bar.value) < _LEAST]
    if not small:
        return list(bars)
    counted = [bar for bar in bars if abs(bar.value) >= _LEAST]
    together = sum(bar.value for bar in small)
    if abs(together) < _LEAST:
        return counted
    return [*counted, Bar(f"{len(small)} that hardly count", together)]


def ledger_figure(factors: Sequence[Bar], confidence: float, thresholds: Sequence[ChartLine]) -> go.Figure:
    """A waterfall from top to bottom: each factor moves the sum on, the last bar is the confidence itself.

    The amounts stand in a column of their own, as in any ledger: beside the bars they would run into the names.
    """
    labels = [*(_in_two_lines(factor.label) for factor in factors), "<b>confidence</b>"]
    # Two factors may be called alike, and a category axis would lay them on top of each other.
    unique = [label + "\u200b" * labels[:place].count(label) for place, label in enumerate(labels)]
    amounts = [*(f"{factor.value:+.3f}" for factor in factors), f"<b>{confidence:.3f}</b>"]
    reached = confidence >= max((line.value for line in thresholds), default=0.0)
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            measure=[*("relative" for _ in factors), "total"],
            x=[*(factor.value for factor in factors), confidence],
            y=unique,
            customdata=amounts,
            increasing_marker_color=FOR,
            decreasing_marker_color=AGAINST,
            totals_marker_color=FOR if reached else AGAINST,
            connector={"line": {"color": NEUTRAL, "width": 1}},
            hovertemplate="%{y}: %{customdata}<extra></extra>",
        )
    )
    for label, amount in zip(unique, amounts, strict=True):
        figure.add_annotation(x=1, xref="paper", xanchor="left", xshift=6, y=label, text=amount, showarrow=False)
    _draw_thresholds(figure, thresholds)
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], zeroline=False, fixedrange=True)
    return _finish(figure, len(labels), top=24, right=58, row=_TWO_LINES if "<br>" in "".join(labels) else _ROW_HEIGHT)


def _draw_thresholds(figure: go.Figure, thresholds: Sequence[ChartLine]) -> None:
    """The lower one is named to the left of its line, the higher one to the right: they often stand close."""
    for place, line in enumerate(sorted(thresholds, key=lambda line: line.value)):
        figure.add_vline(x=line.value, line={"color": NEUTRAL, "width": 1.5, "dash": "dash"})
        side, text = ("left" if place else "right"), f"{line.label} {line.value:.2f}"
        figure.add_annotation(
            x=line.value, y=1, yref="paper", yanchor="bottom", xanchor=side, text=text, showarrow=False
        )


def describe_ledger(factors: Sequence[Bar], confidence: float, thresholds: Sequence[ChartLine]) -> str:
    parts = ", ".join(f"{factor.label} {factor.value:+.3f}" for factor in factors)
    limits = ", ".join(f"{line.label} {line.value:.2f}" for line in thresholds)
    return f"The confidence as a sum: {parts}; together {confidence:.3f}. Thresholds: {limits}."


def _in_two_lines(label: str) -> str:
    """What was seen is said in full where two lines are enough for it."""
    return "<br>".join(textwrap.wrap(label, _LONGEST_LINE, max_lines=2, placeholder="…"))


def _finish(figure: go.Figure, rows: int, top: int = 8, right: int = 8, row: int = _ROW_HEIGHT) -> go.Figure:
    figure.update_yaxes(fixedrange=True, automargin=True, ticklabelstandoff=6)
    figure.update_layout(
        height=rows * row + top + 36,
        margin={**_MARGIN, "t": top, "r": right},
        showlegend=False,
        bargap=0.35,
        dragmode=False,
    )
    return figure
