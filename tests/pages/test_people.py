"""The switch in the sidebar that says who uses the workbench."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.users import find_user


def sidebar() -> None:
    from ui.people import render_user_switch

    render_user_switch()


def test_every_run_says_who_it_is(workbench: Database) -> None:
    """A browser that loads the field late would else start it with the first person, and act as that one."""
    page = AppTest.from_function(sidebar, default_timeout=60)
    page.query_params["user"] = "jonas"
    page.run().run()
    switch = page.selectbox(key="user")
    assert switch.value == "jonas"
    with workbench.read() as session:
        jonas = find_user(session, "jonas")
    assert jonas
    assert switch.options[switch.proto.default] == jonas.name != switch.options[0]
