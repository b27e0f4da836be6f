"""The charts of Evaluate as pure functions: figures in, plotly figure out. No streamlit; the same in words stands in
`ui.evaluate.sentences`."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from evals.calibration import CoveragePoint
from evals.evaluate.calibrating import Calibration
from evals.evaluate.thresholds import CostPoint, ThresholdAdvice
from ui.counting import count_of
from ui.evaluate.words import format_share
from ui.palette import AGAINST, FOR, NEUTRAL, VALUE

_EVEN = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}


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
            f"<b>says {group.confidence:.2f}</b>, is right {value:.2f}<br>{count_of(group.count, 'case')}"
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
