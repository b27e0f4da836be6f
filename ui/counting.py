"""How many of something, as people write it: “1 line”, “2,000 lines”. No streamlit."""

from __future__ import annotations


def count_of(count: int, one: str) -> str:
    """`one` names one of them; its plural has an s."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"
