"""All pieces of evidence in a table, each with what somebody would edit to change it; what counts nothing is folded."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.explaining.anatomy import Anatomy, EvidencePiece, RequestAnatomy
from engine.values import Span
from ui.inspect.cells import HintedCell
from ui.inspect.editing import EditLinks
from ui.inspect.marks import describe_piece, name_piece
from ui.inspect.table import render_table

_NOTHING = 0.005
"""What would be shown as 0.00."""
_LONGEST = 40


def render_evidence(anatomy: Anatomy, request: RequestAnatomy, links: EditLinks) -> None:
    ranked = sorted(request.pieces, key=lambda piece: -abs(request.pull(piece)))
    counted = [piece for piece in ranked if abs(request.pull(piece)) >= _NOTHING]
    with st.expander(f"All {len(ranked)} pieces of evidence", icon=":material/format_list_bulleted:"):
        rows = [_row(piece, anatomy, request, links) for piece in counted]
        render_table(("Pull", "Words", "What was seen", "What to edit"), rows, "All pieces of evidence")
        nothing = len(ranked) - len(counted)
        if nothing:
            st.caption(f"… and {nothing} more that move{'s' if nothing == 1 else ''} it by less than {_NOTHING}.")


def _row(
    piece: EvidencePiece, anatomy: Anatomy, request: RequestAnatomy, links: EditLinks
) -> tuple[str, str, HintedCell, HintedCell]:
    return (
        f"{request.pull(piece):+.2f}",
        _quoted(anatomy.text, piece.spans or (piece.span,)),
        HintedCell(describe_piece(piece, request, anatomy.policy), name_piece(piece, anatomy.policy)),
        links.cell(piece.rule),
    )


def _quoted(text: str, spans: Sequence[Span]) -> str:
    said = " … ".join(text[span.start : span.end] for span in spans)
    return f"“{said if len(said) <= _LONGEST else said[: _LONGEST - 1] + '…'}”"
