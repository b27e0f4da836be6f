from __future__ import annotations

import pytest

from db.connection import Database
from db.failures import ToolFailure
from db.users import create_user, find_user, list_users


@pytest.mark.parametrize(
    ("name", "handle"),
    [("Maya Lindqvist", "maya-lindqvist"), ("  Zoë  ", "zoe"), ("李雷", "person"), ("<b>x</b>", "b-x-b")],
)
def test_a_person_gets_a_short_name_for_addresses(database: Database, name: str, handle: str) -> None:
    with database.write() as session:
        assert create_user(session, name).handle == handle


@pytest.mark.both_databases
def test_people_of_one_name_get_different_handles(database: Database) -> None:
    with database.write() as session:
        handles = [create_user(session, "Ada").handle for _ in range(3)]
        assert handles == ["ada", "ada-2", "ada-3"]
        assert [user.handle for user in list_users(session)] == handles
        assert find_user(session, "ada-2") == list_users(session)[1]
        assert find_user(session, "nobody") is None


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "bell\a"])
def test_a_name_that_cannot_be_one_is_refused(database: Database, name: str) -> None:
    with database.write() as session, pytest.raises(ToolFailure):
        create_user(session, name)
