"""The confusion matrix as a chart: counts in, plotly figure out. No streamlit."""

from __future__ import annotations

import plotly.graph_objects as go

from evals.evaluate.confusion import Confusion
from evals.evaluate.judging import ASKS
from ui.evaluate.words import name_outcome
from ui.palette import AGAINST, FOR, NEUTRAL

CELL = 58
"""Pixels: the step from one cell of the matrix to the next. Two intents fewer or more, and it still fits 1,024."""
_SQUARE = 46
_LABELS = 128
_FAINTEST, _STRONGEST = 0.10, 0.55
"""How a cell is filled: never so that the number in it could not be read, in either theme."""
_AS_THEY_ARE = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


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
    figure.add_annotation(
        text="meant ↓ &nbsp;came →", showarrow=False, xref="paper", yref="paper", x=0, y=1, xanchor="right",
        yanchor="bottom", xshift=-6, yshift=6, font={"size": 11},
    )  # fmt: skip
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
        return _short(confusion.counts[row][column])
    share = 100 * confusion.share(row, column)
    return f"{share:.0f}%" if share >= 1 else "<1%"


def _short(count: int) -> str:
    """As much of a number as fits into a square; the hint has all of it."""
    if count < 100_000:
        return f"{count:,}"
    return f"{count / 1_000:.0f}k" if count < 999_500 else f"{count / 1_000_000:.1f}M"


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
