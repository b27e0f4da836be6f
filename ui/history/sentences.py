"""What each chart of History shows, in one sentence: its title, also for who cannot see it. No streamlit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from db.turns.timeline import Bucket
from ui.counting import count_of
from ui.history.figures import COMPARED, LANES, Counts, MeasuredSeries
from ui.history.periods import describe_period, step_of
from ui.words import format_ms

_FEW = 5
"""A share of fewer turns than this says little."""


def tell_volume(buckets: Sequence[Bucket], counts: Counts) -> str:
    totals = [sum(each.values()) for each in counts]
    if not any(totals):
        return "No turn fits these filters."
    most = max(range(len(totals)), key=totals.__getitem__)
    total = sum(totals)
    words = f"**{count_of(total, 'turn')}**"
    busy = sum(1 for each in totals if each)
    return f"{words}, most on {describe_period(buckets[most])} ({totals[most]:,})" if busy > 1 else words


def tell_agreement(buckets: Sequence[Bucket], counts: Counts) -> str:
    compared = [sum(each.get(name, 0) for name in COMPARED) for each in counts]
    total = sum(compared)
    if not total:
        return "No turn here was compared: the LLM was not asked."
    share = sum(each.get("agree", 0) for each in counts) / total
    words = f"**The lanes agree on {share:.0%}** of {count_of(total, 'compared turn')}"
    enough = [place for place, number in enumerate(compared) if number >= _FEW]
    if len(enough) < 2:
        return words
    shares = {place: counts[place].get("agree", 0) / compared[place] for place in enough}
    least = min(shares, key=shares.__getitem__)
    return f"{words}, least on {describe_period(buckets[least])} ({shares[least]:.0%})"


def tell_confidence(buckets: Sequence[Bucket], measured: MeasuredSeries) -> str:
    return _tell_lanes("How sure", buckets, measured, lambda value: f"{value:.2f}", "states no confidence")


def tell_latency(buckets: Sequence[Bucket], measured: MeasuredSeries) -> str:
    return _tell_lanes("How quick", buckets, measured, format_ms, "has no times")


def _tell_lanes(
    what: str, buckets: Sequence[Bucket], measured: MeasuredSeries, tell: Callable[[float], str], nothing: str
) -> str:
    """By their medians: those of all stretches lie between these."""
    step = step_of(buckets[0])
    parts = []
    for lane, (name, _, _) in LANES.items():
        medians = [each[lane].median for each in measured if lane in each]
        low, high = (tell(min(medians)), tell(max(medians))) if medians else ("", "")
        parts.append(
            f"the {name if lane == 'llm' else 'engine'} "
            + (f"**{low}**" if low and low == high else f"**{low} to {high}**" if low else nothing)
        )
    return f"{what}, by the median of each {step}: {', '.join(parts)}"


def is_anything_there(chart: str, found: Sequence[Mapping[Any, Any]]) -> bool:
    """Whether the chart would show something: an empty one says less than its sentence."""
    return any(any(each.get(name) for name in (COMPARED if chart == "agreement" else each)) for each in found)


def list_figures(chart: str, buckets: Sequence[Bucket], found: Sequence[Mapping[Any, Any]]) -> dict[str, list[str]]:
    """All that the chart draws, by columns; stretches of time without anything are left out."""
    rows = [(describe_period(bucket), each) for bucket, each in zip(buckets, found, strict=True) if each]
    columns: dict[str, list[str]] = {"When": [when for when, _ in rows]}
    if chart in ("volume", "agreement"):
        if chart == "volume":
            columns["Turns"] = [f"{sum(each.values()):,}" for _, each in rows]
        else:
            columns |= {
                label: [f"{each.get(name, 0):,}" for _, each in rows] for name, (label, _, _) in COMPARED.items()
            }
        return columns
    tell: Callable[[float], str] = format_ms if chart == "latency" else "{:.2f}".format
    for lane, (name, _, _) in LANES.items():
        measured = [each.get(lane) for _, each in rows]
        columns[f"{name}, median"] = [tell(each.median) if each else "–" for each in measured]
        if chart == "latency":
            columns[f"{name}, 95% within"] = [tell(each.high) if each else "–" for each in measured]
    return columns
