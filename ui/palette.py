"""The colours that carry meaning. One set for both themes: each stands out 3:1 and more (WCAG AA for graphics) from
the light and the dark background alike, so that no chart depends on knowing the theme. Words are never written in
them, and each colour has a sign, a word or a shape beside it. `tests/ui/test_palette.py` holds the figures."""

from __future__ import annotations

FOR = "#5a6bea"
"""Speaks for what was read."""
AGAINST = "#c2621a"
"""Speaks against it."""
NEUTRAL = "#787f96"
"""Was there, and changes little."""
VALUE = "#17897f"
"""A value that was found in the words."""
TARGET = "#9a5bd0"
"""A task that is meant."""
