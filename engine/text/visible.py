"""Text that shows what it holds: characters that turn the order of others around are shown as marks."""

from __future__ import annotations

import re

_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Unicode's controls of direction. With one of them in a title, "Delete 'x'?" reads as something else."""

_MARKS = re.compile("⟨U\\+([0-9A-F]{4})⟩")


def show_controls(text: str) -> str:
    """The same text, with ⟨U+202E⟩ in the place of such a character."""
    if text.isascii():
        return text  # nearly always, and asked about every word that is drawn
    return _TURNING.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def take_marks(text: str) -> str:
    """The way back, for what is shown so and edited: marks become the characters that they stand for."""
    return _MARKS.sub(_character, text)


def _character(mark: re.Match[str]) -> str:
    character = chr(int(mark[1], 16))
    return character if _TURNING.fullmatch(character) else mark[0]
