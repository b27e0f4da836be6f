"""The charts of Evaluate as pure functions: figures in, plotly figure out. No streamlit; the same in words stands in
`ui.evaluate.sentences`."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from evals.calibration import CoveragePoint
from evals.evaluate.calibrating import Calibration
from evals.evaluate.confusion import Confusion
from evals.evaluate.judging import ASKS
from evals.evaluate.thresholds import CostPoint, ThresholdAdvice
from ui.evaluate.words import format_share, name_outcome
from ui.palette import AGAINST, FOR, NEUTRAL, VALUE

CELL = 58
"""Pixels: the step from one cell of the matrix to the next. Two intents fewer or more, and it still fits 1,024."""
_SQUARE = 46
_LABELS = 150
_FAINTEST, _STRONGEST = 0.10, 0.55
"""How a cell is filled: never so that the number in it could not be read, in either theme."""
_AS_THEY_ARE = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}
_EVEN = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}


def confusion_figure(confusion: Confusion, *, shares: bool, chosen: tuple[int, int] | None) -> go.Figure:
    """One square a cell, for heatmaps of `st.plotly_chart` tell no click. What came as it was meant stands on blue,
    anything else on orange with a frame, so that no colour is needed to tell them apart; a question, which may well be
    right, on grey."""
    cells = [
        (row, column)
        for row in range(len(confusion.rows))
        for column in range(len(confusion.columns))
        if confusion.counts[row][column]
    ]
    kinds = [_kind_of(confusion, *cell) for cell in cells]
    figure = go.Figure(
        go.Scatter(
            x=[column for _, column in cells],
            y=[row for row, _ in cells],
            mode="markers+text",
            text=[_cell_text(confusion, row, column, shares=shares) for row, column in cells],
            textfont={"size": 13},
            marker={
                "symbol": "square",
                "size": _SQUARE,
                "color": [_fill(confusion, *cell) for cell in cells],
                "line": {
                    "color": [NEUTRAL if cell == chosen else kind for cell, kind in zip(cells, kinds, strict=True)],
                    "width": [
                        4 if cell == chosen else 1.5 * (kind == AGAINST)
                        for cell, kind in zip(cells, kinds, strict=True)
                    ],
                },
            },
            customdata=[[row, column, _hover(confusion, row, column)] for row, column in cells],
            hovertemplate="%{customdata[2]}<extra></extra>",
            **_AS_THEY_ARE,
        )
    )
    _frame(figure, confusion)
    return figure


def _frame(figure: go.Figure, confusion: Confusion) -> None:
    columns, rows = len(confusion.columns), len(confusion.rows)
    figure.update_xaxes(
        tickvals=list(range(columns)),
        ticktext=[_wrapped(name) for name in confusion.columns],
        range=[-0.5, columns - 0.5],
        side="top",
        fixedrange=True,
        showgrid=False,
        zeroline=False,
        tickangle=0,
    )
    figure.update_yaxes(
        tickvals=list(range(rows)),
        ticktext=[name_outcome(name) for name in confusion.rows],
        range=[rows - 0.5, -0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        width=_LABELS + columns * CELL,
        height=64 + rows * CELL,
        margin={"l": _LABELS - 8, "r": 8, "t": 56, "b": 8},
        showlegend=False,
        dragmode=False,
        hovermode="closest",
        clickmode="event+select",
    )


def _wrapped(name: str) -> str:
    """A column's label in lines of a word or two: columns are narrow."""
    lines: list[str] = []
    for word in name_outcome(name).split():
        if lines and len(lines[-1]) + len(word) < 8:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "<br>".join(lines)


def _cell_text(confusion: Confusion, row: int, column: int, *, shares: bool) -> str:
    if not shares:
        return f"{confusion.counts[row][column]:,}"
    share = 100 * confusion.share(row, column)
    return f"{share:.0f}%" if share >= 1 else "<1%"


def _kind_of(confusion: Confusion, row: int, column: int) -> str:
    if confusion.columns[column] == ASKS:
        return NEUTRAL
    return FOR if confusion.rows[row] == confusion.columns[column] else AGAINST


def _fill(confusion: Confusion, row: int, column: int) -> str:
    strength = _FAINTEST + (_STRONGEST - _FAINTEST) * confusion.share(row, column) ** 0.5
    colour = _kind_of(confusion, row, column)
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{strength:.2f})"


def _hover(confusion: Confusion, row: int, column: int) -> str:
    count, total = confusion.counts[row][column], sum(confusion.counts[row])
    meant, came = name_outcome(confusion.rows[row]), name_outcome(confusion.columns[column])
    return f"<b>{count:,}</b> of {total:,} ({confusion.share(row, column):.1%})<br>meant: {meant}<br>came: {came}"


def reliability_figure(calibration: Calibration) -> go.Figure:
    """Each group of confidences where it says it is, and where it was; on the broken line it keeps its word."""
    groups = calibration.groups
    most = max((group.count for group in groups), default=1)
    least = min((min(group.confidence, group.accuracy.low) for group in groups), default=0.0)
    start = max(0.0, int(least * 10) / 10 - 0.05)
    values = [group.accuracy.value or 0.0 for group in groups]
    figure = go.Figure()
    figure.add_scatter(x=[start, 1], y=[start, 1], mode="lines", line=_EVEN, hoverinfo="skip", name="as it says")
    figure.add_scatter(
        x=[group.confidence for group in groups],
        y=values,
        mode="markers",
        name="as it was",
        cliponaxis=False,
        marker={"color": FOR, "size": [6 + 10 * (group.count / most) ** 0.5 for group in groups]},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [group.accuracy.high - value for group, value in zip(groups, values, strict=True)],
            "arrayminus": [value - group.accuracy.low for group, value in zip(groups, values, strict=True)],
            "color": FOR,
            "thickness": 1.5,
            "width": 4,
        },
        customdata=[
            f"<b>says {group.confidence:.2f}</b>, is right {value:.2f}<br>{group.count:,} cases"
            for group, value in zip(groups, values, strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    figure.update_xaxes(title="confidence stated", range=[start, 1.02])
    figure.update_yaxes(title="share that is right", range=[start, 1.02])
    return _finish(figure)


def coverage_figure(points: Sequence[CoveragePoint]) -> go.Figure:
    """How often it is wrong, if only the surest are acted on."""
    shares = [point.coverage for point in points]
    figure = go.Figure()
    figure.add_scatter(
        x=[*shares, *reversed(shares)],
        y=[*(point.risk.high for point in points), *(point.risk.low for point in reversed(points))],
        fill="toself",
        fillcolor="rgba(194,98,26,0.18)",
        line={"width": 0},
        hoverinfo="skip",
        name="95%",
    )
    figure.add_scatter(
        x=shares,
        y=[point.risk.value for point in points],
        mode="lines",
        line={"color": AGAINST, "width": 2.5, "shape": "hv"},
        name="risk",
        customdata=[
            f"<b>from {point.threshold:.2f}</b><br>{point.coverage:.0%} acted on, {format_share(point.risk)} wrong"
            for point in points
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    highest = max((point.risk.high for point in points if point.coverage > 0.05), default=1.0)
    figure.update_xaxes(title="share acted on, the surest first", range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(title="share of it that is wrong", range=[0, min(1.0, highest * 1.15)], tickformat=".0%")
    return _finish(figure)


def cost_figure(advice: ThresholdAdvice) -> go.Figure:
    """What a case costs on the half that the thresholds were not found on, over the threshold for acting."""
    figure = go.Figure()
    figure.add_scatter(
        x=[point.act for point in advice.curve],
        y=[point.cost for point in advice.curve],
        mode="lines",
        line={"color": NEUTRAL, "width": 2.5},
        hovertemplate="acting from %{x:.2f}: %{y:.3f} a case<extra></extra>",
    )
    for point, label, colour, symbol in (
        (advice.present, "now", AGAINST, "diamond"),
        (advice.best, "cheapest", VALUE, "circle"),
    ):
        figure.add_trace(_marked(point, label, colour, symbol))
    figure.update_xaxes(title="act from this confidence", tickformat=".2f")
    figure.update_yaxes(title="cost of a case", rangemode="tozero")
    return _finish(figure)


def _marked(point: CostPoint, label: str, colour: str, symbol: str) -> go.Scatter:
    return go.Scatter(
        x=[point.act],
        y=[point.cost],
        mode="markers+text",
        text=[f"{label} {point.act:.2f}"],
        textposition="bottom center",
        marker={"color": colour, "size": 13, "symbol": symbol},
        hovertemplate=f"{label}: act {point.act:.2f}, read {point.read:.2f}: {point.cost:.3f} a case<extra></extra>",
        cliponaxis=False,
    )


def _finish(figure: go.Figure) -> go.Figure:
    figure.update_xaxes(fixedrange=True, zeroline=False)
    figure.update_yaxes(fixedrange=True, zeroline=False, automargin=True)
    figure.update_layout(
        height=340, margin={"l": 8, "r": 8, "t": 16, "b": 8}, showlegend=False, dragmode=False, hovermode="closest"
    )
    return figure
