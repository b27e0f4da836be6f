"""Versions of the schema after the 21st: revisions of Alembic, on both databases, whoever starts first."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from db.connection import Database
from db.copying import _MODELS
from db.failures import NewerDatabaseError
from db.models import Base
from db.schema.baseline import BASELINE
from db.schema.migrations import MIGRATIONS, read_version
from db.schema.upgrading import LATEST, REVISIONS, bring_up_to_date
from db.tasks.service import TaskService
from db.users import create_user
from tests.conftest import NOW
from tests.postgres_databases import new_database

pytestmark = pytest.mark.both_databases

NEXT = '''"""Tasks have a colour."""

import sqlalchemy as sa
from alembic import op

revision = "{number:04}"
down_revision = "{before:04}"


def upgrade() -> None:
    op.add_column("tasks", sa.Column("colour", sa.String(20), nullable=False, server_default="grey"))
    op.execute("UPDATE tasks SET colour = 'red' WHERE priority = 'high'")
    {more}
'''


@pytest.fixture
def empty_url(database_kind: str, tmp_path: Path) -> str:
    """Of a database in which nobody made anything yet."""
    return new_database() if database_kind == "postgresql" else f"sqlite:///{tmp_path / 'empty.db'}"


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The revisions of a later Twolane."""
    folder = tmp_path / "revisions"
    shutil.copytree(REVISIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    write_next(folder)
    return folder


def write_next(folder: Path, more: str = "") -> None:
    file = folder / "versions" / f"v{LATEST + 1:04}_colours.py"
    file.write_text(NEXT.format(number=LATEST + 1, before=LATEST, more=more), encoding="utf-8")


def test_the_revisions_follow_the_frozen_list_without_a_gap() -> None:
    script = ScriptDirectory(str(REVISIONS))
    numbers = [int(each.revision) for each in script.walk_revisions()]
    assert numbers == list(range(LATEST, BASELINE - 1, -1))
    assert len(MIGRATIONS) == BASELINE, "the list is closed: a new version is a revision of Alembic"


def test_a_new_database_has_what_the_models_say(empty_url: str) -> None:
    assert _MODELS
    database = Database(empty_url)
    with database.read() as session:
        found = inspect(session.connection())
        assert read_version(session.connection()) == LATEST
        revision = session.connection().execute(text("SELECT version_num FROM alembic_version")).scalar()
        assert revision == f"{LATEST:04}"
        for table in Base.metadata.sorted_tables:
            primary = {column.name for column in table.primary_key}
            made = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
            modelled = {column.name: column.nullable for column in table.columns}
            assert made.keys() == modelled.keys(), table.name
            assert {name: made[name] for name in made.keys() - primary} == {
                name: modelled[name] for name in made.keys() - primary
            }, table.name
    database.close()


def test_a_later_revision_keeps_what_is_there_and_older_twolanes_refuse_it(empty_url: str, later: Path) -> None:
    database = Database(empty_url)
    with database.write() as session:
        user = create_user(session, "Ada")
        TaskService(session, user, lambda: NOW).create("Pay rent", priority="high")
    with database.write() as session:
        assert bring_up_to_date(session.connection(), latest=LATEST + 1, revisions=later) == LATEST
    with database.read() as session:
        rows = session.connection().execute(text("SELECT title, colour FROM tasks")).all()
        versions = session.connection().execute(text("SELECT max(version) FROM schema_version")).scalar()
    assert [tuple(row) for row in rows] == [("Pay rent", "red")]
    assert versions == LATEST + 1
    with pytest.raises(NewerDatabaseError, match=f"version {LATEST + 1}"), database.write() as session:
        create_user(session, "Too late")  # the one who had it open notices
    database.close()
    with pytest.raises(NewerDatabaseError, match="Update Twolane"):
        Database(empty_url)


def test_a_revision_that_fails_leaves_the_version_before_it(empty_url: str, later: Path) -> None:
    write_next(later, more='raise RuntimeError("power cut")')
    database = Database(empty_url)
    with pytest.raises(RuntimeError, match="power cut"), database.write() as session:
        bring_up_to_date(session.connection(), latest=LATEST + 1, revisions=later)
    with database.read() as session:
        assert read_version(session.connection()) == LATEST
        assert "colour" not in {column["name"] for column in inspect(session.connection()).get_columns("tasks")}
    database.close()


def test_many_may_start_at_once(empty_url: str) -> None:
    """Each with connections of its own, as processes have them: what one makes, the others find made."""
    found: list[Database | BaseException] = []
    together = threading.Barrier(6)

    def start() -> None:
        together.wait(30)
        try:
            found.append(Database(empty_url))
        except BaseException as error:  # told below, whatever it is
            found.append(error)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    opened = [each for each in found if isinstance(each, Database)]
    assert len(opened) == 6, found
    with opened[0].read() as session:
        versions = session.connection().execute(text("SELECT version FROM schema_version")).scalars().all()
    assert len(versions) == len(set(versions))
    assert max(versions) == LATEST
    for database in opened:
        database.close()
