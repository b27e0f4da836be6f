"""The pictures in docs/: each is shown somewhere, each that is shown is there, and one command takes them all."""

from __future__ import annotations

import re
from pathlib import Path

from tests.browser.take_screenshots import PICTURES, SHOTS
from tests.workbench import ROOT

_PICTURE = re.compile(r"images/([\w-]+\.png)")


def read_shown() -> set[str]:
    pages: list[Path] = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    return {name for page in pages for name in _PICTURE.findall(page.read_text(encoding="utf-8"))}


def test_every_picture_is_shown_and_every_one_that_is_shown_is_there() -> None:
    assert {path.name for path in PICTURES.iterdir()} == read_shown()


def test_one_command_takes_every_picture() -> None:
    assert {shot.file.name for shot in SHOTS} == read_shown()
