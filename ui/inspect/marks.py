"""The message as HTML with its evidence marked on the words, each piece drawn once. No streamlit."""

from __future__ import annotations

from typing import NamedTuple

from engine.explaining.anatomy import EvidencePiece, RequestAnatomy
from engine.policy.rule_places import find_rule_place
from engine.policy.values import Policy
from engine.text.normalise import Token
from engine.values import Span
from ui.rules.words import describe_rule
from ui.templates import draw
from ui.turns.marked_text import split_at
from ui.words import name_intent

_HARDLY = 0.05
"""A pull below this is not worth a mark of its own."""
_GAP = " … "


class WordMark(NamedTuple):
    """A stretch of words with the pieces of evidence that they alone gave, and those that others gave with them."""

    span: Span
    pieces: tuple[EvidencePiece, ...]
    shared: tuple[EvidencePiece, ...]
    pull: float
    """Of its own pieces: what it shares is counted where it is drawn."""


class Together(NamedTuple):
    """What several words gave together: drawn once, under all of them."""

    words: str
    pieces: tuple[EvidencePiece, ...]
    pull: float


class Marks(NamedTuple):
    words: tuple[WordMark, ...]
    together: tuple[Together, ...]
    whole: tuple[EvidencePiece, ...]
    """What the message as a whole gave."""


class Word(NamedTuple):
    """How a mark looks, how far it moves the reading, and what it says when one points at it."""

    side: str
    pull: str
    lines: tuple[tuple[str, str], ...]
    """What was seen, and what the code calls it."""


class SharedWords(NamedTuple):
    """The same for words that count together."""

    words: str
    seen: str
    pull: str
    side: str
    lines: tuple[tuple[str, str], ...]


def find_marks(request: RequestAnatomy) -> Marks:
    """The words that gave evidence, neighbours with the same pieces together; what several gave; what all gave."""
    tokens = request.utterance.tokens
    whole = tuple(piece for piece in request.pieces if len(tokens) > 2 and _covers(piece, request.span))
    local = [piece for piece in request.pieces if piece not in whole and abs(request.pull(piece)) >= _HARDLY]
    shared = [piece for piece in local if sum(_covers(piece, _span(token)) for token in tokens) > 1]
    marks: list[WordMark] = []
    for token in tokens:
        span = _span(token)
        here = [piece for piece in local if _covers(piece, span)]
        own = tuple(piece for piece in here if piece not in shared)
        others = tuple(piece for piece in here if piece in shared)
        if not here:
            continue
        last = marks[-1] if marks else None
        between = request.utterance.text[last.span.end : span.start] if last else ""
        if last and not own and not last.pieces and last.shared == others and not between.strip():
            marks[-1] = last._replace(span=Span(last.span.start, span.end))
        else:
            marks.append(WordMark(span, own, others, sum(map(request.pull, own))))
    return Marks(tuple(marks), _group(shared, request), whole)


def _span(token: Token) -> Span:
    return Span(token.start, token.end)


def _group(shared: list[EvidencePiece], request: RequestAnatomy) -> tuple[Together, ...]:
    """Pieces of the same words are one group; the strongest comes first."""
    groups: dict[tuple[Span, ...], list[EvidencePiece]] = {}
    for piece in shared:
        groups.setdefault(tuple(piece.spans or (piece.span,)), []).append(piece)
    found = [
        Together(
            _GAP.join(request.utterance.text[span.start : span.end] for span in spans),
            tuple(pieces),
            sum(map(request.pull, pieces)),
        )
        for spans, pieces in groups.items()
    ]
    return tuple(sorted(found, key=lambda group: -abs(group.pull)))


def _covers(piece: EvidencePiece, span: Span) -> bool:
    return any(each.start <= span.start and span.end <= each.end for each in piece.spans or (piece.span,))


def marked_message(text: str, request: RequestAnatomy, policy: Policy) -> str:
    """The whole text; words that speak for the reading are underlined, those against it are so with dots."""
    marks = find_marks(request)
    stretches = [(said, mark and _word(mark, request, policy)) for said, mark in split_at(text, marks.words)]
    shape = [
        (_seen(piece, policy), f"{request.pull(piece):+.1f}", name_piece(piece, policy))
        for piece in _ranked(marks.whole, request)
        if abs(request.pull(piece)) >= _HARDLY
    ]
    groups = [_show_group(each, request, policy) for each in marks.together]
    return draw("inspect/marks", "marked", stretches, groups, shape)


def _word(mark: WordMark, request: RequestAnatomy, policy: Policy) -> Word:
    counted = mark.pull if mark.pieces else sum(map(request.pull, mark.shared))
    return Word(_side(counted), f"{mark.pull:+.1f}" if mark.pieces else "", describe_mark(mark, request, policy))


def _show_group(group: Together, request: RequestAnatomy, policy: Policy) -> SharedWords:
    lines = _describe(group.pieces, request, policy)
    first = _ranked(group.pieces, request)[0]
    return SharedWords(group.words, _seen(first, policy), f"{group.pull:+.1f}", _side(group.pull), lines)


def _side(pull: float) -> str:
    return "for" if pull >= 0 else "against"


def describe_mark(mark: WordMark, request: RequestAnatomy, policy: Policy) -> tuple[tuple[str, str], ...]:
    """Each piece in a line: what was seen, with its weights, and what the code calls it."""
    return _describe((*mark.pieces, *mark.shared), request, policy)


def _describe(
    pieces: tuple[EvidencePiece, ...], request: RequestAnatomy, policy: Policy
) -> tuple[tuple[str, str], ...]:
    return tuple(
        (describe_piece(piece, request, policy), name_piece(piece, policy)) for piece in _ranked(pieces, request)
    )


def _ranked(pieces: tuple[EvidencePiece, ...], request: RequestAnatomy) -> list[EvidencePiece]:
    return sorted(pieces, key=lambda piece: -abs(request.pull(piece)))


def _seen(piece: EvidencePiece, policy: Policy) -> str:
    return piece.seen or describe_rule(piece.rule, policy)


def describe_piece(piece: EvidencePiece, request: RequestAnatomy, policy: Policy) -> str:
    read, rival = request.outcome.intent, request.rival
    shares = [f"{request.weight(piece, intent):+.2f} {name_intent(intent)}" for intent in (read, rival)]
    return f"{_seen(piece, policy)}: {', '.join(shares)}"


def name_piece(piece: EvidencePiece, policy: Policy) -> str:
    """What the code calls it, and the line that says so."""
    return f"{piece.rule}, {piece.place or find_rule_place(piece.rule, policy) or 'no line of its own'}"
