"""A context in short: how much there was, and what was said last. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domains.loading import TASKS
from ui.call_words import show_day
from ui.counting import count_of
from ui.words import name_one

_SAID = 2
_LONGEST = 240


def describe_context(wire: Mapping[str, Any], domain: str = TASKS, *, clock: bool = True) -> str:
    """“12 tasks, 4 messages before, no question waits, now Wed 4 Mar 2026, 10:00”."""
    things, history = len(wire.get("tasks") or wire.get(domain) or ()), len(wire.get("history") or ())
    parts = [count_of(things, name_one(domain))]
    parts.append(f"{count_of(history, 'message')} before" if history else "nothing said before")
    parts.append("a question waits" if wire.get("pending") else "no question waits")
    if clock:
        parts.append(f"now {show_day(str(wire.get('now'))[:16])}")
    return ", ".join(parts)


def read_said_before(wire: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Who said what, last before the message: “it” is understood from it."""
    said: Sequence[Mapping[str, Any]] = (wire.get("history") or ())[-_SAID:]
    return [("You" if message.get("role") == "user" else "Twolane", _short(message)) for message in said]


def _short(message: Mapping[str, Any]) -> str:
    text = " ".join(str(message.get("content") or "").split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
