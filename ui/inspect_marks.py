"""The message as HTML with its evidence and its values marked on the words. No streamlit; all text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple, TypeVar

from engine.decision import Language
from engine.explaining.anatomy import Piece, Request
from engine.policy.rule_places import find_rule_place
from engine.values import Span
from ui.inspect_words import describe_rule
from ui.words import INTENT_WORDS

_HARDLY = 0.05
"""A pull below this is not worth a mark of its own."""


class Mark(NamedTuple):
    """A stretch of words with the pieces of evidence that they gave."""

    span: Span
    pieces: tuple[Piece, ...]
    pull: float


class Chip(NamedTuple):
    span: Span
    label: str
    kind: str
    """`value` or `target`: the look."""


_Marked = TypeVar("_Marked", Mark, Chip)


def find_marks(request: Request) -> tuple[tuple[Mark, ...], tuple[Piece, ...]]:
    """The words that gave evidence, neighbours with the same pieces together; and what the whole message gave."""
    tokens = request.utterance.tokens
    whole = tuple(piece for piece in request.pieces if len(tokens) > 2 and _covers(piece, request.span))
    local = [piece for piece in request.pieces if piece not in whole and abs(request.pull(piece)) >= _HARDLY]
    marks: list[Mark] = []
    for token in tokens:
        span = Span(token.start, token.end)
        pieces = tuple(piece for piece in local if _covers(piece, span))
        if not pieces:
            continue
        last = marks[-1] if marks else None
        if last and last.pieces == pieces and not request.utterance.text[last.span.end : span.start].strip():
            marks[-1] = last._replace(span=Span(last.span.start, span.end))
        else:
            marks.append(Mark(span, pieces, sum(request.pull(piece) for piece in pieces)))
    return tuple(marks), whole


def _covers(piece: Piece, span: Span) -> bool:
    return any(each.start <= span.start and span.end <= each.end for each in piece.spans or (piece.span,))


def marked_message(text: str, request: Request, language: Language) -> str:
    """The whole text; words that speak for the reading are underlined, those against it are so with dots."""
    marks, whole = find_marks(request)
    words = "".join(_between(text, marks, lambda mark: _marked_word(text, mark, request, language)))
    rest = "".join(
        f'<span class="ti-whole">{escape(describe_rule(piece.rule))} <b>{request.pull(piece):+.1f}</b></span>'
        for piece in sorted(whole, key=lambda piece: -abs(request.pull(piece)))
        if abs(request.pull(piece)) >= _HARDLY
    )
    shape = f'<div class="ti-shape">The message as a whole: {rest}</div>' if rest else ""
    return f'<div class="ti-message">{words}</div>{shape}'


def _between(text: str, marks: Sequence[_Marked], draw: Callable[[_Marked], str]) -> Iterator[str]:
    place = 0
    for mark in marks:
        yield escape(text[place : mark.span.start])
        yield draw(mark)
        place = mark.span.end
    yield escape(text[place:])


def _marked_word(text: str, mark: Mark, request: Request, language: Language) -> str:
    side = "for" if mark.pull >= 0 else "against"
    lines = "".join(f"<li>{escape(line)}</li>" for line in describe_mark(mark, request, language))
    said = escape(text[mark.span.start : mark.span.end])
    return (
        f'<span class="ti-word ti-{side}" tabindex="0"><span class="ti-said">{said}</span>'
        f'<span class="ti-pull">{mark.pull:+.1f}</span>'
        f'<span class="ti-tip" role="tooltip"><ul>{lines}</ul></span></span>'
    )


def describe_mark(mark: Mark, request: Request, language: Language) -> tuple[str, ...]:
    """Each piece in a line: what was seen, its weights, and the line of the policy that says so."""
    return tuple(
        describe_piece(piece, request, language)
        for piece in sorted(mark.pieces, key=lambda piece: -abs(request.pull(piece)))
    )


def describe_piece(piece: Piece, request: Request, language: Language) -> str:
    read, rival = request.outcome.intent, request.rival
    place = find_rule_place(piece.rule, language)
    shares = [f"{request.weight(piece, intent):+.2f} {INTENT_WORDS[intent]}" for intent in (read, rival)]
    weights = ", ".join(shares)
    return f"{describe_rule(piece.rule)}: {weights} ({piece.rule}, {place or 'no line of its own'})"


def chipped_message(text: str, chips: Sequence[Chip]) -> str:
    """The text with each value on the words it was read from. Of two that overlap, the first is drawn."""
    drawn: list[Chip] = []
    for chip in sorted(chips, key=lambda chip: (chip.span.start, -chip.span.end)):
        if chip.span.end > chip.span.start and (not drawn or chip.span.start >= drawn[-1].span.end):
            drawn.append(chip)
    return f'<div class="ti-message">{"".join(_between(text, drawn, lambda chip: _drawn_chip(text, chip)))}</div>'


def _drawn_chip(text: str, chip: Chip) -> str:
    said = escape(text[chip.span.start : chip.span.end])
    return f'<span class="ti-chip ti-{chip.kind}"><span class="ti-said">{said}</span><b>{escape(chip.label)}</b></span>'
