"""Text for Markdown. No streamlit."""

from __future__ import annotations

from engine.text.visible import show_controls


def verbatim(text: str) -> str:
    """A user's text inside a Markdown sentence: shown as it is, never as formatting, a link or an image."""
    return "".join("\\" + char if char in "\\`*_{}[]()<>#+-.!|~$:&" else char for char in show_controls(text))
