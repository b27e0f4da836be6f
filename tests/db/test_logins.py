"""From a login to a person."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from db.connection import Database
from db.logins import Login, begin_login, end_login, find_person, is_ended, list_people
from db.users import User

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
LOGIN = Login("first", "https://id.example", "123", "Ada", NOW + timedelta(hours=1), "member")


def begin(database: Database, login: Login) -> User:
    with database.write() as session:
        return begin_login(session, login, NOW)


def test_the_first_login_makes_the_person_and_later_ones_find_them(database: Database, ada: User) -> None:
    made = begin(database, LOGIN)
    assert (made.id != ada.id, made.name, made.handle, made.role) == (True, "Ada", "ada-2", "member")
    again = begin(database, replace(LOGIN, id="second", name="Ada Lovelace", role="maintainer"))
    assert (again.id, again.name, again.role) == (made.id, "Ada", "maintainer")
    with database.read() as session:
        assert [user.id for user in list_people(session)] == [made.id]


def test_the_same_subject_of_another_issuer_is_somebody_else(database: Database) -> None:
    assert begin(database, LOGIN).id != begin(database, replace(LOGIN, id="x", issuer="https://other.example")).id


def test_a_login_that_ended_is_over_and_others_of_the_person_are_not(database: Database) -> None:
    begin(database, LOGIN)
    begin(database, replace(LOGIN, id="second"))
    with database.write() as session:
        end_login(session, "first", NOW)
    with database.read() as session:
        assert [is_ended(session, each) for each in ("first", "second", "never begun")] == [True, False, False]


def test_a_login_with_another_role_has_to_be_begun_again(database: Database) -> None:
    begin(database, LOGIN)
    with database.read() as session:
        assert find_person(session, LOGIN)
        assert find_person(session, replace(LOGIN, role="viewer")) is None
