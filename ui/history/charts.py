"""The charts above History's list. One at a time, counted by the database, and a click narrows the list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import plotly.graph_objects as go
import streamlit as st

from db.turns.query import TurnQuery
from db.turns.timeline import (
    Bucket,
    count_over_time,
    find_first_and_last,
    measure_over_time,
    read_stamp,
)
from db.users import User
from ui.address_controls import render_segments
from ui.history import figures, sentences
from ui.history.filters import PERIOD, STANDING
from ui.history.periods import make_buckets, write_period
from ui.resources import load_database, now_here
from ui.state.address import first_page, put_in_address, read_address
from ui.state.fields import put_value, read_value

_HIDDEN = "none"
_CONFIG = {"displayModeBar": False}


class Chart(NamedTuple):
    label: str
    measure: Any
    """None: turns are counted."""
    draw: Callable[..., go.Figure]
    tell: Callable[..., str]


CHARTS: dict[str, Chart] = {
    "volume": Chart("Volume", None, figures.volume_figure, sentences.tell_volume),
    "agreement": Chart("Agreement", None, figures.agreement_figure, sentences.tell_agreement),
    "confidence": Chart("Confidence", "confidence", figures.confidence_figure, sentences.tell_confidence),
    "latency": Chart("Latency", "elapsed_ms", figures.latency_figure, sentences.tell_latency),
}


def render_charts(user: User, query: TurnQuery, period: Bucket | None) -> None:
    """Of the turns that the filters show, in their whole stretch of time: what was clicked stands out in it."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        headline = st.empty()
        labels = {**{name: chart.label for name, chart in CHARTS.items()}, _HIDDEN: "No chart"}
        with st.container(width="content"):
            name = render_segments("Chart", "chart", labels, "volume")
    if name == _HIDDEN:
        headline.markdown(":gray[Charts of volume, agreement, confidence and latency over time]")
        return
    chart = CHARTS[name]
    if name == "agreement":
        query = replace(query, standing="all")  # else every bar would be of one class
    buckets = _find_buckets(user, query)
    with load_database().read() as session:
        stamp = read_stamp(session, user.id)
    found = _read(user.id, query, buckets, chart.measure, stamp)
    told = chart.tell(buckets, found)
    headline.markdown(told)
    if not sentences.is_anything_there(name, found):
        return
    key = f"chart-{name}-{write_period(Bucket(buckets[0].start, buckets[-1].until))}-{read_address(PERIOD)}"
    st.plotly_chart(
        chart.draw(buckets, found, period),
        config=_CONFIG,
        key=key,
        alt=told.replace("**", "") + ".",
        on_select=lambda: _take_click(key, buckets, name),
        selection_mode="points",
    )
    with st.expander("The figures of the chart", icon=":material/table:"):
        st.table(sentences.list_figures(name, buckets, found))


def _find_buckets(user: User, query: TurnQuery) -> tuple[Bucket, ...]:
    """From the first turn to the latest, or as the time filter says."""
    with load_database().read() as session:
        ends = find_first_and_last(session, user.id) or (now_here(), now_here())
    start = query.since or ends[0]
    last = query.until - timedelta(seconds=1) if query.until else now_here() if query.since else ends[1]
    return make_buckets(start, max(start, last))


@lru_cache(maxsize=64)
def _read(user_id: str, query: TurnQuery, buckets: tuple[Bucket, ...], measure: Any, stamp: tuple[int, int]) -> Any:
    """Kept until a turn or a verdict changes the stamp: the page runs again at every click, and 100,000 turns take
    most of a second to measure."""
    with load_database().read() as session:
        if measure is None:
            return count_over_time(session, user_id, query, buckets)
        return measure_over_time(session, user_id, query, buckets, measure)


def _take_click(key: str, buckets: tuple[Bucket, ...], name: str) -> None:
    """The stretches clicked become a filter; on a class of agreement, so does the class."""
    points = read_value(key)["selection"]["points"]
    places = sorted({int(point["customdata"][0]) for point in points if point.get("customdata")})
    if not places:
        return
    put_in_address(PERIOD, write_period(Bucket(buckets[places[0]].start, buckets[places[-1]].until)))
    if name == "agreement":
        put_value(STANDING, list(figures.COMPARED)[points[0]["curve_number"]])
    first_page()
