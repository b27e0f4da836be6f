"""A message with stretches of it marked: the text between them stays as it is. No streamlit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from engine.values import Span
from ui.templates import draw


class Spanned(Protocol):
    @property
    def span(self) -> Span: ...


class Chip(NamedTuple):
    span: Span
    label: str
    kind: str
    """`value` or `target`: the look."""
    hint: str = ""
    """What the code calls it."""


_Spanned = TypeVar("_Spanned", bound=Spanned)


def chipped_message(text: str, chips: Sequence[Chip]) -> str:
    """The text with each value on the words it was read from. Of two that overlap, the first is drawn."""
    return draw("turns/marked_text", "chipped", split_at_chips(text, chips))


def split_at_chips(text: str, chips: Sequence[Chip]) -> tuple[tuple[str, Chip | None], ...]:
    drawn: list[Chip] = []
    for chip in sorted(chips, key=lambda chip: (chip.span.start, -chip.span.end)):
        if chip.span.end > chip.span.start and (not drawn or chip.span.start >= drawn[-1].span.end):
            drawn.append(chip)
    return tuple(split_at(text, drawn))


def split_at(text: str, marks: Sequence[_Spanned]) -> Iterator[tuple[str, _Spanned | None]]:
    """The text in stretches, each with its mark, or None where it has none."""
    place = 0
    for mark in marks:
        yield text[place : mark.span.start], None
        yield text[mark.span.start : mark.span.end], mark
        place = mark.span.end
    yield text[place:], None
