"""A count and its noun agree, on every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.counting import count_of

UI = Path(__file__).parent.parent.parent / "ui"
_NOUNS = "lines messages cases turns tasks runs files rules edits rows machines tokens versions calls answers phrases"
_COUNTED = re.compile(r"\{([^{}]*)\} (" + "|".join(_NOUNS.split()) + r")\b(?! a second)")
"""A number that is put in, and a plural that stands there whatever the number is."""
_CONSTANT = re.compile(r"_?[A-Z][A-Z_]+(?::,)?")
_MORE_THAN_ONE = {
    ("tasks/actions.py", "change.count"),
    ("tasks/actions.py", "len(done)"),
    ("tasks/dialogs.py", "len(picked)"),
    ("turns/lanes.py", "tokens[1]"),
    ("policy/effects.py", "effect.total:,"),  # “messages and conversations”
    ("rules/words.py", "least"),
    ("settings/connection.py", "where"),  # a place that “answers”
}
"""Said only where there are several."""


@pytest.mark.parametrize(("count", "told"), [(0, "0 lines"), (1, "1 line"), (2, "2 lines"), (12_000, "12,000 lines")])
def test_one_is_one_and_the_others_are_many(count: int, told: str) -> None:
    assert count_of(count, "line") == told


def test_no_page_puts_a_number_before_a_plural_of_its_own() -> None:
    found = {
        (path.relative_to(UI).as_posix(), match[1])
        for path in UI.rglob("*.py")
        for match in _COUNTED.finditer(path.read_text(encoding="utf-8"))
        if not _CONSTANT.fullmatch(match[1])
    }
    assert found - _MORE_THAN_ONE == set()


def test_what_is_wrong_would_be_found() -> None:
    assert _COUNTED.search('f"{len(problems):,} lines could not be used"')
    assert not _COUNTED.search("f\"{count_of(bad, 'line')} could not be used\"")
