"""Text as the store keeps and compares it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from db.failures import ToolFailure
from engine.text.folding import split_words
from engine.values import DESCRIPTION_LIMIT, TITLE_LIMIT, ErrorKind

_MOST_ROWS = 2**62


def clean_title(title: str) -> str:
    """Trimmed, on one line; refuses what cannot be a title."""
    cleaned = " ".join(_storable(title, "title").split())
    if not cleaned:
        raise ToolFailure(ErrorKind.EMPTY_TITLE, "Title must not be empty. Say what is to be done.")
    if len(cleaned) > TITLE_LIMIT:
        message = f"Title must be at most {TITLE_LIMIT} characters; this one has {len(cleaned)}."
        raise ToolFailure(ErrorKind.TITLE_TOO_LONG, message)
    return cleaned


def clean_description(description: str) -> str:
    cleaned = _storable(description, "description").strip()
    if len(cleaned) > DESCRIPTION_LIMIT:
        message = f"Description must be at most {DESCRIPTION_LIMIT} characters; this one has {len(cleaned)}."
        raise ToolFailure(ErrorKind.DESCRIPTION_TOO_LONG, message)
    return cleaned


def _storable(text: str, what: str) -> str:
    """Refuse control characters and lone surrogates: no database keeps a NUL, no file a surrogate."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if any(unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t" for char in text):
        raise ToolFailure(ErrorKind.INVALID_VALUE, f"The {what} contains characters that are not text.")
    return text


def serial_key(serial: str) -> str:
    """A serial number as it is compared: people say KF-2024-11 with and without its dashes."""
    return "".join(split_words(serial))


def one_of(what: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        shown = value if len(value) <= 40 else value[:39] + "…"
        raise ToolFailure(ErrorKind.INVALID_VALUE, f"'{shown}' is not a {what}. Use one of: {', '.join(allowed)}.")
    return value


def within_reach(count: int) -> int:
    """How many rows to leave out: beyond what a database counts there are none, as a little before."""
    return min(count, _MOST_ROWS)
