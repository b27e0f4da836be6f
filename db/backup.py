"""Copies of a store, made and put back while it is in use, and looked through before anybody relies on them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import text

from db import sqlite
from db.connection import Database
from db.failures import StoreUnavailableError

_AHEAD = 1000
"""A restored store goes on counting beyond the one it replaces, so that a running server takes it for the same file."""


class CopyRefusedError(Exception):
    """In a sentence for whoever asked for a backup or for putting one back. The store is as it was."""


@dataclass(frozen=True, slots=True)
class Contents:
    people: int
    tasks: int
    turns: int

    def __str__(self) -> str:
        return f"{self.people} people, {self.tasks} tasks, {self.turns} turns"


@dataclass(frozen=True, slots=True)
class Restored:
    contents: Contents
    kept: Path | None
    """Where the store from before is now."""
    needs_restart: bool
    """Whether a server that runs must be started again: it had no file that could be written to."""


def back_up(store: Path, target: Path, *, patience_seconds: float = 30.0) -> Contents:
    """A copy in one file, of one moment. Its name is there only once the copy is whole and was looked through."""
    if not store.exists():
        raise CopyRefusedError(f"There is no database at {store}.")
    if target.exists():
        raise CopyRefusedError(f"{target} is there already; nothing was written over it.")
    with _draft_beside(target) as draft:
        _copy(store, draft, patience_seconds)
        sqlite.make_single_file(draft)
        contents = look_through(draft)
        _publish(draft, target)
    return contents


def restore(backup: Path, store: Path, *, patience_seconds: float = 30.0) -> Restored:
    """Put a backup in the place of the store, which is kept beside it. All of it or nothing."""
    if not backup.exists():
        raise CopyRefusedError(f"There is no file {backup}.")
    store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _draft_beside(store) as draft:
        _copy(backup, draft, patience_seconds)
        _check_kind(draft)
        contents = look_through(draft)
        usable = store.exists() and sqlite.find_damage(store) is None
        kept = _name_of_kept(store) if store.exists() else None
        if usable and kept:
            back_up(store, kept, patience_seconds=patience_seconds)
            sqlite.make_single_file(draft, beyond=store, steps=_AHEAD)
            _copy(draft, store, patience_seconds)
            Database(f"sqlite:///{store}", patience_seconds=patience_seconds).close()  # the new counter into the file
        else:
            _set_aside(store, kept)
            sqlite.make_single_file(draft)
            _publish(draft, store)
    return Restored(contents, kept, needs_restart=not usable)


def look_through(path: Path) -> Contents:
    """What a copy holds; CopyRefusedError where it is damaged or no store of ours."""
    damage = sqlite.find_damage(path)
    if damage:
        raise CopyRefusedError(f"This is no whole database of Twolane ({damage}); nothing was changed.")
    try:
        store = Database(f"sqlite:///{path}")
    except StoreUnavailableError as error:
        raise CopyRefusedError(f"{error} Nothing was changed.") from error
    try:
        with store.read() as session:
            counts = session.connection().execute(text(_COUNT)).one()
    finally:
        store.close()
        sqlite.make_single_file(path)
    return Contents(*map(int, counts))


_COUNT = "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM tasks), (SELECT count(*) FROM turns)"


def _check_kind(draft: Path) -> None:
    """Opening makes a store of any database; what is restored must have been one."""
    if not sqlite.has_table(draft, "schema_version"):
        raise CopyRefusedError("This file is no database of Twolane; nothing was changed.")


def _copy(source: Path, target: Path, patience_seconds: float) -> None:
    try:
        sqlite.copy_database(source, target, patience_seconds=patience_seconds)
    except sqlite.COPY_ERRORS as error:
        raise CopyRefusedError(f"{source.name} cannot be copied ({error}).") from error


@contextmanager
def _draft_beside(target: Path) -> Iterator[Path]:
    """A file on the same disk that only its owner can read, gone if it was not published."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise CopyRefusedError(f"Nothing can be written to {target.parent}: {error.strerror}.") from error
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
    finally:
        for leftover in (draft, *_companions(draft)):
            leftover.unlink(missing_ok=True)


def _publish(draft: Path, target: Path) -> None:
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(target)


def _set_aside(store: Path, kept: Path | None) -> None:
    """A damaged store, with what lies beside it: replayed into the restored file it would damage that, too."""
    for path in (store, *_companions(store)):
        if path.exists() and kept:
            path.replace(kept.with_name(kept.name + path.name.removeprefix(store.name)))
        else:
            path.unlink(missing_ok=True)


def _companions(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))


def _name_of_kept(store: Path) -> Path:
    moment = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    names = (f"{store.stem}.before-{moment}{mark}{store.suffix}" for mark in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for path in map(store.with_name, names) if not path.exists())
