"""How people name a task in a tool call: by UUID, by number, or by (a part of) its title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Identifier:
    """What the text may mean. A text can be a number and a title at once ("2024")."""

    text: str
    uuid: str | None = None
    number: int | None = None


def parse_identifier(text: str, nouns: tuple[str, ...] = ()) -> Identifier:
    """Read `550e8400-…`, `#12`, `12`, and with the noun "task" also `task 12`, `task #12`, `TASK-12`; anything else
    is a title. The nouns are the policies' class `numbered`."""
    stripped = text.strip().strip("\"'“”‘’«»").strip()
    number = _whole(nouns).fullmatch(stripped)
    return Identifier(
        text=stripped,
        uuid=_canonical_uuid(stripped),
        number=int(number.group(1)) if number and number.group(1).isascii() else None,
    )


def find_numbered(text: str, nouns: tuple[str, ...]) -> int | None:
    """The number of the first `#12` or `task 12` within a text."""
    found = find_numbered_place(text, nouns)
    return found[0] if found else None


def find_numbered_place(text: str, nouns: tuple[str, ...]) -> tuple[int, int, int] | None:
    """The number of the first `#12` or `task 12` within a text, and where that begins and ends."""
    found = _within(nouns).search(text)
    return (int(found.group(1) or found.group(2)), *found.span()) if found else None


@lru_cache(maxsize=32)
def _whole(nouns: tuple[str, ...]) -> re.Pattern[str]:
    noun = f"(?:{_any_of(nouns)})[\\s#-]*|" if nouns else ""
    return re.compile(rf"(?:{noun}#\s*)?(?:no\.?\s*|n\.?\s*)?(\d{{1,9}})", re.IGNORECASE)


@lru_cache(maxsize=32)
def _within(nouns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"#\s?(\d{{1,9}})\b|\b(?:{_any_of(nouns)})[\s#-]*(\d{{1,9}})\b", re.IGNORECASE)


def _any_of(nouns: tuple[str, ...]) -> str:
    # A policy's words are cut at hyphens: "to do" stands for "to-do" here, never for "to do 5 push-ups".
    return "|".join(re.escape(noun.replace(" ", "-")) for noun in nouns) or "(?!)"


def _canonical_uuid(text: str) -> str | None:
    # uuid.UUID alone is too generous: it accepts braces, "urn:" prefixes and misplaced hyphens.
    if len(text) not in (32, 36):
        return None
    import uuid  # late: few messages name one, and it is slow to import

    try:
        parsed = str(uuid.UUID(text))
    except ValueError:
        return None
    return parsed if text.lower() in (parsed, parsed.replace("-", "")) else None
