"""The message as HTML with its evidence marked on the words. No streamlit."""

from __future__ import annotations

from typing import NamedTuple

from engine.explaining.anatomy import EvidencePiece, RequestAnatomy
from engine.policy.rule_places import find_rule_place
from engine.policy.values import Policy
from engine.values import Span
from ui.inspect.words import describe_rule
from ui.templates import draw
from ui.turns.marked_text import split_at
from ui.words import name_intent

_HARDLY = 0.05
"""A pull below this is not worth a mark of its own."""


class WordMark(NamedTuple):
    """A stretch of words with the pieces of evidence that they gave."""

    span: Span
    pieces: tuple[EvidencePiece, ...]
    pull: float


class Word(NamedTuple):
    """How a mark looks, how far it moves the reading, and what it says when one points at it."""

    side: str
    pull: str
    lines: tuple[str, ...]


def find_marks(request: RequestAnatomy) -> tuple[tuple[WordMark, ...], tuple[EvidencePiece, ...]]:
    """The words that gave evidence, neighbours with the same pieces together; and what the whole message gave."""
    tokens = request.utterance.tokens
    whole = tuple(piece for piece in request.pieces if len(tokens) > 2 and _covers(piece, request.span))
    local = [piece for piece in request.pieces if piece not in whole and abs(request.pull(piece)) >= _HARDLY]
    marks: list[WordMark] = []
    for token in tokens:
        span = Span(token.start, token.end)
        pieces = tuple(piece for piece in local if _covers(piece, span))
        if not pieces:
            continue
        last = marks[-1] if marks else None
        if last and last.pieces == pieces and not request.utterance.text[last.span.end : span.start].strip():
            marks[-1] = last._replace(span=Span(last.span.start, span.end))
        else:
            marks.append(WordMark(span, pieces, sum(request.pull(piece) for piece in pieces)))
    return tuple(marks), whole


def _covers(piece: EvidencePiece, span: Span) -> bool:
    return any(each.start <= span.start and span.end <= each.end for each in piece.spans or (piece.span,))


def marked_message(text: str, request: RequestAnatomy, policy: Policy) -> str:
    """The whole text; words that speak for the reading are underlined, those against it are so with dots."""
    marks, whole = find_marks(request)
    stretches = [(said, mark and _word(mark, request, policy)) for said, mark in split_at(text, marks)]
    shape = [
        (piece.seen or describe_rule(piece.rule), f"{request.pull(piece):+.1f}")
        for piece in sorted(whole, key=lambda piece: -abs(request.pull(piece)))
        if abs(request.pull(piece)) >= _HARDLY
    ]
    return draw("inspect/marks", "marked", stretches, shape)


def _word(mark: WordMark, request: RequestAnatomy, policy: Policy) -> Word:
    side = "for" if mark.pull >= 0 else "against"
    return Word(side, f"{mark.pull:+.1f}", describe_mark(mark, request, policy))


def describe_mark(mark: WordMark, request: RequestAnatomy, policy: Policy) -> tuple[str, ...]:
    """Each piece in a line: what was seen, its weights, and the line of the policy that says so."""
    return tuple(
        describe_piece(piece, request, policy)
        for piece in sorted(mark.pieces, key=lambda piece: -abs(request.pull(piece)))
    )


def describe_piece(piece: EvidencePiece, request: RequestAnatomy, policy: Policy) -> str:
    read, rival = request.outcome.intent, request.rival
    place = piece.place or find_rule_place(piece.rule, policy)
    shares = [f"{request.weight(piece, intent):+.2f} {name_intent(intent)}" for intent in (read, rival)]
    weights = ", ".join(shares)
    return f"{piece.seen or describe_rule(piece.rule)}: {weights} ({piece.rule}, {place or 'no line of its own'})"
