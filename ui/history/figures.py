"""The charts of History as pure functions: what happened in each stretch of time in, plotly figure out. No streamlit.

Each point carries the place of its bucket: a click says which stretch is meant. Titles and units stand in the sentence
above the chart (`ui.history.sentences`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import plotly.graph_objects as go

from db.evaluation.verdicts import Lane
from db.turns.query import Standing
from db.turns.timeline import Bucket, Figures
from ui.counting import count_of
from ui.history.periods import describe_period, overlaps, step_of
from ui.palette import AGAINST, FOR, NEUTRAL, TARGET, VALUE
from ui.words import format_ms

Counts = Sequence[Mapping[Standing, int]]
MeasuredSeries = Sequence[Mapping[Lane, Figures]]
HEIGHT = 220
COMPARED: dict[Standing, tuple[str, str, str]] = {
    "agree": ("✓ agree", VALUE, ""),
    "differ": ("≠ differ", AGAINST, "/"),
    "silent": ("○ one silent", TARGET, "."),
    "broken": ("⚠ broken or failed", NEUTRAL, "x"),
}
"""Name, colour and pattern of each class, the lowest of a stack first. No class is told by its colour alone."""
LANES: dict[Lane, tuple[str, str, str]] = {"engine": ("Engine", FOR, "circle"), "llm": ("LLM", AGAINST, "diamond")}
_PATTERN = {"fgcolor": "rgba(255,255,255,0.5)", "size": 9, "solidity": 0.16, "fillmode": "overlay"}
_FAINT = 0.35
_LEAST_BARS = 16
_FEW = 5
_TICKS = 7
"""So many days stand beside each other on a phone, too, without being turned."""
_TIMES = (0.1, 1, 10, 100, 1000, 10_000, 100_000)
# What was clicked is told by the others being faint; plotly's own fading would come on top of it.
_AS_THEY_ARE = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


def volume_figure(buckets: Sequence[Bucket], counts: Counts, chosen: Bucket | None) -> go.Figure:
    totals = [sum(each.values()) for each in counts]
    figure = go.Figure(_bars("turns", buckets, totals, FOR, chosen, [count_of(total, "turn") for total in totals]))
    # Half a turn there is not: between few of them plotly would mark it, and write "1" twice.
    steps = {"dtick": 1} if max(totals, default=0) < _FEW else {"nticks": 5}
    figure.update_yaxes(rangemode="tozero", tickformat=",d", **steps)
    return _finish(figure, buckets, legend=False)


def agreement_figure(buckets: Sequence[Bucket], counts: Counts, chosen: Bucket | None) -> go.Figure:
    """Shares of the turns in which the LLM was asked and is done; a stretch without any has no bar."""
    figure = go.Figure()
    totals = [sum(each.get(name, 0) for name in COMPARED) for each in counts]
    for name, (label, colour, pattern) in COMPARED.items():
        shares = [each.get(name, 0) / total if total else None for each, total in zip(counts, totals, strict=True)]
        told = [f"{label}: {each.get(name, 0):,} of {total:,}" for each, total in zip(counts, totals, strict=True)]
        bars = _bars(label, buckets, shares, colour, chosen, told)
        bars.marker.pattern = {"shape": pattern, **_PATTERN}
        figure.add_trace(bars)
    figure.update_layout(barmode="stack")
    figure.update_yaxes(range=[0, 1], tickformat=".0%", nticks=5)
    return _finish(figure, buckets)


def confidence_figure(buckets: Sequence[Bucket], measured: MeasuredSeries, chosen: Bucket | None) -> go.Figure:
    figure = _lines(buckets, measured, chosen, lambda value: f"{value:.2f}")
    figure.update_yaxes(range=[0, 1.04], tickvals=[0, 0.25, 0.5, 0.75, 1])
    return _finish(figure, buckets)


def latency_figure(buckets: Sequence[Bucket], measured: MeasuredSeries, chosen: Bucket | None) -> go.Figure:
    """On a scale of powers of ten: the lanes are three of them apart."""
    figure = _lines(buckets, measured, chosen, format_ms)
    for lane, (name, colour, _) in LANES.items():
        if any(lane in each for each in measured):
            dotted = {"color": colour, "width": 1.5, "dash": "dot"}
            high = [each[lane].high if lane in each else None for each in measured]
            figure.add_scatter(
                x=_middles(buckets), y=high, name=f"{name}, 95% within", mode="lines", line=dotted, hoverinfo="skip"
            )
    figure.update_yaxes(type="log", tickvals=_TIMES, ticktext=[_short(ms) for ms in _TIMES])
    return _finish(figure, buckets)


def _short(ms: float) -> str:
    return f"{ms:g} ms" if ms < 1000 else f"{ms / 1000:g} s"


def _bars(
    name: str,
    buckets: Sequence[Bucket],
    values: Sequence[float | None],
    colour: str,
    chosen: Bucket | None,
    told: Sequence[str],
) -> go.Bar:
    faint = [chosen is not None and not overlaps(bucket, chosen) for bucket in buckets]
    return go.Bar(
        name=name,
        x=_middles(buckets),
        y=list(values),
        width=_widths(buckets),
        marker={"color": colour, "opacity": [_FAINT if each else 1.0 for each in faint], "line": {"width": 0}},
        customdata=_custom(buckets, told),
        hovertemplate="%{customdata[1]}<extra></extra>",
        **_AS_THEY_ARE,
    )


def _widths(buckets: Sequence[Bucket]) -> list[float]:
    """In milliseconds. A few bars keep the width that many have: one hour of turns is no slab across the page."""
    most = (buckets[-1].until - buckets[0].start).total_seconds() * 1000 / _LEAST_BARS
    return [min((bucket.until - bucket.start).total_seconds() * 860, most) for bucket in buckets]


def _lines(
    buckets: Sequence[Bucket], measured: MeasuredSeries, chosen: Bucket | None, tell: Callable[[float], str]
) -> go.Figure:
    figure = go.Figure()
    for lane, (name, colour, symbol) in LANES.items():
        if not any(lane in each for each in measured):
            continue
        told = [
            f"{name}: {tell(each[lane].median)}, {each[lane].size:,} decisions" if lane in each else ""
            for each in measured
        ]
        figure.add_scatter(
            name=f"{name}, median",
            x=_middles(buckets),
            y=[each[lane].median if lane in each else None for each in measured],
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"color": colour, "symbol": symbol, "size": 8},
            customdata=_custom(buckets, told),
            hovertemplate="%{customdata[1]}<extra></extra>",
            **_AS_THEY_ARE,
        )
    if chosen:
        figure.add_vrect(
            x0=_wall(chosen.start), x1=_wall(chosen.until), fillcolor=NEUTRAL, opacity=0.22, line_width=0, layer="below"
        )
    return figure


def _custom(buckets: Sequence[Bucket], told: Sequence[str]) -> list[list[object]]:
    return [
        [place, f"<b>{describe_period(bucket)}</b><br>{words}"]
        for place, (bucket, words) in enumerate(zip(buckets, told, strict=True))
    ]


def _middles(buckets: Sequence[Bucket]) -> list[datetime]:
    return [_wall(bucket.start + (bucket.until - bucket.start) / 2) for bucket in buckets]


def _wall(moment: datetime) -> datetime:
    """Plotly knows no time zones: it is given what the clock on the wall shows."""
    return moment.astimezone().replace(tzinfo=None)


def _name_start(bucket: Bucket) -> str:
    """As dates are written everywhere else: the day before the month."""
    start, step = _wall(bucket.start), step_of(bucket)
    if step == "month":
        return f"{start:%b %Y}"
    day = f"{start.day} {start:%b}"
    return f"{start:%H:%M}<br>{day}" if step == "hour" else day


def _finish(figure: go.Figure, buckets: Sequence[Bucket], *, legend: bool = True) -> go.Figure:
    named = buckets[:: -(-len(buckets) // _TICKS)]
    figure.update_xaxes(
        range=[_wall(buckets[0].start), _wall(buckets[-1].until)],
        fixedrange=True,
        showgrid=False,
        tickangle=0,
        tickvals=_middles(named),
        ticktext=[_name_start(bucket) for bucket in named],
    )
    figure.update_yaxes(fixedrange=True, zeroline=False, automargin=True, ticklabelstandoff=6)
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 8, "r": 8, "t": 30 if legend else 8, "b": 24},
        showlegend=legend,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
        legend_itemclick=False,
        legend_itemdoubleclick=False,
        clickmode="event+select",
        dragmode=False,
        hovermode="closest",
    )
    return figure
