"""How people name a task in a tool call: by UUID, by number, or by (a part of) its title."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass

_NUMBER = re.compile(r"(?:(?:task|todo|attività|compito)[\s#-]*|#\s*)?(?:no\.?\s*|n\.?\s*)?(\d{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Identifier:
    """What the text may mean. A text can be a number and a title at once ("2024")."""

    text: str
    uuid: str | None = None
    number: int | None = None


def parse_identifier(text: str) -> Identifier:
    """Read `550e8400-…`, `#12`, `12`, `task 12`, `task #12`, `TASK-12`; anything else is a title."""
    stripped = text.strip().strip("\"'“”‘’«»").strip()
    number = _NUMBER.fullmatch(stripped)
    return Identifier(
        text=stripped,
        uuid=_canonical_uuid(stripped),
        number=int(number.group(1)) if number and number.group(1).isascii() else None,
    )


def _canonical_uuid(text: str) -> str | None:
    # uuid.UUID alone is too generous: it accepts braces, "urn:" prefixes and misplaced hyphens.
    if len(text) not in (32, 36):
        return None
    try:
        parsed = str(uuid.UUID(text))
    except ValueError:
        return None
    return parsed if text.lower() in (parsed, parsed.replace("-", "")) else None
