"""From whatever version a database has to the present one, on both databases.

Up to version 21 a database is made by `db.schema.baseline`; from there on every version is a revision of Alembic, in
`revisions/versions`, numbered on: `0022` is version 22. Whoever brings a database up to date holds its write lock, so
that many processes may start at once, and does all of it in one transaction. The version also stands in the table
`schema_version`, where Twolanes from before Alembic look for it, and refuse what is newer than themselves.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from db.failures import NewerDatabaseError
from db.schema.baseline import BASELINE, make_baseline
from db.schema.migrations import read_version

LATEST = 24
"""The last revision of Alembic; `tests/db/test_revisions.py` holds it to the files. Known here, so that a start with
nothing to do need not load Alembic, which takes a quarter of a second."""
REVISIONS = Path(__file__).parent / "revisions"


def bring_up_to_date(connection: Connection, *, latest: int = LATEST, revisions: Path = REVISIONS) -> int:
    """Inside the caller's transaction, which holds the write lock; returns the version found, 0 where nothing was."""
    found = read_version(connection)
    _refuse_newer(found, latest)
    if found < BASELINE:
        make_baseline(connection)
    if found <= BASELINE and not inspect(connection).has_table("alembic_version"):
        _stamp(connection)
    if max(found, BASELINE) < latest:
        _upgrade(connection, revisions)
    return found


def refuse_newer(connection: Connection) -> None:
    """A store of ours that a later Twolane has since gone on with: nobody knows what a change would break there."""
    _refuse_newer(int(connection.execute(_VERSION).scalar() or 0), LATEST)


_VERSION = text("SELECT max(version) FROM schema_version")


def _refuse_newer(found: int, latest: int) -> None:
    if found > latest:
        raise NewerDatabaseError(
            f"This database has schema version {found}, but this Twolane knows only up to {latest}. "
            "Update Twolane, or point DATABASE_URL at another database."
        )


def _stamp(connection: Connection) -> None:
    """What Alembic writes at its first revision, without loading it."""
    connection.exec_driver_sql(
        """CREATE TABLE alembic_version (
               version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"""
    )
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": f"{BASELINE:04}"})


def _upgrade(connection: Connection, revisions: Path) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(revisions).replace("%", "%%"))
    command.upgrade(config, "head")
