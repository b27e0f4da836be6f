"""Colours that carry meaning stand out on both themes, and words on their tints can be read (WCAG 2.2 AA)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from ui import palette

ROOT = Path(__file__).parent.parent.parent
COLOURS = {name: value for name, value in vars(palette).items() if name.isupper()}
THEME = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
CSS = (ROOT / "assets" / "inspect.css").read_text(encoding="utf-8")

Colour = tuple[float, float, float]


def parse(colour: str) -> Colour:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def luminance(colour: Colour) -> float:
    shares = [part / 255 for part in colour]
    linear = [share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mixed(top: Colour, share: float, below: Colour) -> Colour:
    red, green, blue = (share * over + (1 - share) * under for over, under in zip(top, below, strict=True))
    return red, green, blue


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", COLOURS)
def test_every_colour_stands_out_from_both_backgrounds_of_the_theme(name: str, theme: str) -> None:
    for background in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(parse(COLOURS[name]), parse(THEME[theme][background])) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", COLOURS)
def test_words_on_a_tint_can_be_read(name: str, theme: str) -> None:
    tint = mixed(parse(COLOURS[name]), 0.14, parse(THEME[theme]["backgroundColor"]))
    assert contrast(parse(THEME[theme]["textColor"]), tint) >= 4.5


def test_the_style_sheet_uses_the_palette_and_no_other_colours() -> None:
    themes = {
        value.lower() for part in (THEME["light"], THEME["dark"]) for value in part.values() if isinstance(value, str)
    }
    used = set(re.findall(r"#[0-9a-f]{6}", CSS))
    assert used - themes <= set(COLOURS.values())
    tints = {tuple(map(int, found)) for found in re.findall(r"rgb\((\d+) (\d+) (\d+) / 14%\)", CSS)}
    assert tints <= {parse(colour) for colour in COLOURS.values()}
