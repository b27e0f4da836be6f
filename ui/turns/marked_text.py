"""A message with stretches of it marked: the text between them stays as it is. No streamlit; all text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple, Protocol, TypeVar

from engine.values import Span


class Spanned(Protocol):
    @property
    def span(self) -> Span: ...


class Chip(NamedTuple):
    span: Span
    label: str
    kind: str
    """`value` or `target`: the look."""


_Spanned = TypeVar("_Spanned", bound=Spanned)


def chipped_message(text: str, chips: Sequence[Chip]) -> str:
    """The text with each value on the words it was read from. Of two that overlap, the first is drawn."""
    drawn: list[Chip] = []
    for chip in sorted(chips, key=lambda chip: (chip.span.start, -chip.span.end)):
        if chip.span.end > chip.span.start and (not drawn or chip.span.start >= drawn[-1].span.end):
            drawn.append(chip)
    return f'<div class="ti-message">{"".join(between(text, drawn, lambda chip: _drawn_chip(text, chip)))}</div>'


def between(text: str, marks: Sequence[_Spanned], draw: Callable[[_Spanned], str]) -> Iterator[str]:
    place = 0
    for mark in marks:
        yield escape(text[place : mark.span.start])
        yield draw(mark)
        place = mark.span.end
    yield escape(text[place:])


def _drawn_chip(text: str, chip: Chip) -> str:
    said = escape(text[chip.span.start : chip.span.end])
    return f'<span class="ti-chip ti-{chip.kind}"><span class="ti-said">{said}</span><b>{escape(chip.label)}</b></span>'
