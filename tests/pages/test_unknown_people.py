"""Whoever the address names and nobody knows is refused, and never turned into somebody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.users import create_user
from tests.pages.opening import PAGES, open_at

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", sorted(path.stem for path in PAGES.glob("*.py")))
def test_no_page_shows_anything_to_somebody_unknown(workbench: Database, name: str) -> None:
    page = open_at(name, {"user": "mallory"})
    assert "Nobody here is called “mallory”" in page.error[0].value
    assert not page.button
    assert not page.dataframe


def open_frame(**address: str) -> AppTest:
    frame = AppTest.from_file(str(ROOT / "ui" / "frame.py"), default_timeout=60)
    for name, value in address.items():
        frame.query_params[name] = value
    return frame.run()


def test_the_frame_asks_who_one_is_and_goes_on_with_the_answer(workbench: Database) -> None:
    frame = open_frame(user="mallory")
    assert "Nobody here is called “mallory”" in frame.error[0].value
    (choice,) = frame.sidebar.selectbox
    assert choice.value is None
    choice.set_value("jonas").run()
    assert not frame.error
    assert frame.sidebar.selectbox(key="user").value == "jonas"


def test_an_odd_name_is_shown_as_text(workbench: Database) -> None:
    frame = open_frame(user="**[x](http://evil.example)**" + "y" * 500)
    (said,) = frame.error
    assert r"\*\*\[x\]" in said.value
    assert len(said.value) < 200


def test_somebody_on_a_stage_stays_after_a_reload(workbench: Database) -> None:
    with workbench.write() as session:
        actor = create_user(session, "Demo stage", handle="stage", stage=True)
    frame = open_frame(user=actor.handle)
    assert not frame.error
    assert frame.sidebar.selectbox(key="user").value == actor.handle
