"""Statements are compiled once for all stores of a process, and each store still answers for itself."""

from __future__ import annotations

from pathlib import Path

from sqlmodel import select

from db.connection import Database
from db.models import UserRow
from db.users import create_user
from tests.compiled_statements import _compiled


def names_in(database: Database) -> list[str]:
    with database.read() as session:
        return [row.name for row in session.exec(select(UserRow)).all()]


def add(database: Database, name: str) -> None:
    with database.write() as session:
        create_user(session, name)


def test_a_second_store_finds_what_the_first_compiled_and_has_its_own_rows(tmp_path: Path) -> None:
    first, second = (Database(f"sqlite:///{tmp_path / name}.db") for name in ("first", "second"))
    add(first, "Ada")
    assert names_in(first) == ["Ada"]
    known = len(_compiled)
    assert known > 0
    add(second, "Bob")
    assert names_in(second) == ["Bob"]
    assert names_in(first) == ["Ada"]
    assert len(_compiled) == known
    first.close()
    second.close()
