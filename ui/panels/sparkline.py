"""A course of values as a small picture. Pure: numbers in, HTML out, with a description in words.

A clipped box rather than an SVG: Streamlit takes SVG out of what `st.html` is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ui.templates import draw

_LINE = 7.0
"""Thickness in hundredths of the height."""
_LEAST_SPAN = 2.0
"""A course that hardly moves is drawn as one: half a degree of noise is no mountain range."""
_MOST_POINTS = 72


class Sparkline(NamedTuple):
    described: str
    outline: str
    """The corners of the box, as CSS takes them."""


def sparkline_html(values: Sequence[float], label: str) -> str:
    """Empty where there are fewer than two values."""
    found = make_sparkline(values, label)
    return draw("panels/sparkline", "sparkline", found) if found else ""


def make_sparkline(values: Sequence[float], label: str) -> Sparkline | None:
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    heights = _heights(_thinned(values), low, high)
    places = [100 * place / (len(heights) - 1) for place in range(len(heights))]
    above = [f"{x:.1f}% {y:.1f}%" for x, y in zip(places, heights, strict=True)]
    below = [f"{x:.1f}% {y + _LINE:.1f}%" for x, y in zip(reversed(places), reversed(heights), strict=True)]
    return Sparkline(f"{label}: between {low:g} and {high:g}", ", ".join((*above, *below)))


def _heights(values: Sequence[float], low: float, high: float) -> list[float]:
    """In hundredths from the top, with room for the line itself."""
    middle, span = (low + high) / 2, max(high - low, _LEAST_SPAN)
    return [(100 - _LINE) * (0.5 - (value - middle) / span * 0.9) for value in values]


def _thinned(values: Sequence[float]) -> list[float]:
    step = -(-len(values) // _MOST_POINTS)
    return [*values[:-1:step], values[-1]]
