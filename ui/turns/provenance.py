"""Where the value of an argument is from, in a word and in a hint. No streamlit."""

from __future__ import annotations

from typing import NamedTuple

from engine.values import Provenance
from ui.words import SOURCE_WORDS


class OriginView(NamedTuple):
    source: str
    hint: str


def describe_origin(provenance: Provenance) -> OriginView:
    span, source = provenance.span, SOURCE_WORDS[provenance.source]
    where = f"letters {span.start} to {span.end} of the message" if span else ""
    return OriginView(source, ": ".join(part for part in (source, provenance.detail or where) if part))
