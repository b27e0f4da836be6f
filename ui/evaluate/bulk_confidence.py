"""How sure the decisions of a bulk run are, and whether that can be taken at its word."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from evals.bulk.report import BulkFigures
from ui.bulk.words import count_messages
from ui.evaluate.words import format_interval, format_share
from ui.markdown import verbatim
from ui.palette import FOR, NEUTRAL
from ui.templates import draw

_CONFIG = {"displayModeBar": False}
_HOVER = "%{customdata}<extra></extra>"


def render_confidence(figures: BulkFigures, side: int) -> None:
    counts = [figures.confidence(place) for place in range(len(figures.names))]
    stated = sum(counts[side])
    if not stated:
        st.info(f"{verbatim(figures.names[side])} states no confidence.", icon=":material/speed:")
        return
    sure = sum(count for place, count in enumerate(counts[side]) if place >= 0.9 * len(counts[side]))
    told = f"{sure / stated:.1%} of {count_messages(stated)} are decided with a confidence of 0.90 and more."
    st.markdown(f"**{told}**")
    order = [side, *(place for place in range(len(counts)) if place != side)]
    figure = confidence_figure([counts[place] for place in order], [figures.names[place] for place in order])
    st.plotly_chart(figure, config=_CONFIG, key=f"bulk-confidence-{side}", alt=told)
    error = figures.calibration_error(side)
    if error is None:
        st.caption("Nobody said what was meant, so whether it can be taken at its word is not known.")
        return
    st.markdown(f"Where an intent was read in a message with a label, it is off by **{error:.3f}** on average.")
    rows = [
        (
            f"{each.low:.2f} to {each.high:.2f}",
            f"{each.count:,}",
            f"{each.confidence:.3f}",
            format_share(each.accuracy),
            format_interval(each.accuracy),
        )
        for each in figures.calibration(side)
    ]
    st.html(draw("evaluate/tables", "figures", ("Confidence", "Messages", "States", "Is right", "95%"), rows))


def confidence_figure(counts: Sequence[Sequence[int]], names: Sequence[str]) -> go.Figure:
    """How many messages are decided with which confidence: the first filled, what it is held against as a line."""
    figure = go.Figure()
    bins = len(counts[0])
    edges = [place / bins for place in range(bins)]
    for place, (each, name) in enumerate(zip(counts, names, strict=True)):
        hover = [f"{low:.2f} to {low + 1 / bins:.2f}: {count:,}" for low, count in zip(edges, each, strict=True)]
        middles = [low + 0.5 / bins for low in edges]
        said = {"x": middles, "y": list(each), "name": name, "customdata": hover, "hovertemplate": _HOVER}
        if place == 0:
            figure.add_bar(**said, marker={"color": FOR}, width=0.9 / bins)
        else:
            figure.add_scatter(**said, mode="lines", line={"color": NEUTRAL, "width": 2, "shape": "hvh"})
    figure.update_xaxes(title="confidence stated", range=[0, 1], dtick=0.1, fixedrange=True)
    # Most messages are decided surely: on a plain scale nobody would see the others, who are worth a look.
    figure.update_yaxes(title="messages (log scale)", type="log", dtick=1, tickformat=",d", fixedrange=True)
    figure.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 28, "b": 8},
        showlegend=len(names) > 1,
        legend={"orientation": "h", "x": 0, "y": 1.12},
    )
    return figure
