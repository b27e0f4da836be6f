"""An option that the documentation does not name is a red test; so is a field of a case."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from evals.__main__ import _parser
from evals.bulk.command import make_parser as make_bulk_parser
from evals.case import Case, Turn

DOCS = (Path(__file__).parents[2] / "docs" / "evals.md").read_text(encoding="utf-8")
BULK_DOCS = (Path(__file__).parents[2] / "docs" / "bulk.md").read_text(encoding="utf-8")
SET_BY_THE_LOADER = {"id", "keys", "language", "source", "tasks"}


def test_every_option_is_documented() -> None:
    options = set(re.findall(r"--[a-z-]+", _parser().format_help())) - {"--help"}
    assert {option for option in options if option not in DOCS} == set()


def test_every_option_of_a_bulk_run_is_documented() -> None:
    options = set(re.findall(r"--[a-z-]+", make_bulk_parser().format_help())) - {"--help"}
    assert {option for option in options if f"`{option}" not in BULK_DOCS} == set()


def test_every_field_of_a_case_is_documented() -> None:
    names = {each.name for each in (*fields(Case), *fields(Turn))} - SET_BY_THE_LOADER
    assert {name for name in names if f"`{name}" not in DOCS} == set()
