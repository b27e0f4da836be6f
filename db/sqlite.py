"""All SQL that only SQLite understands, and why it is needed. Nothing else in the project knows the dialect.

- Pragmas: WAL lets people read while somebody writes; foreign keys are off by default; FULL keeps an
  acknowledged change through a power cut, not only through a crash of the program.
- BEGIN IMMEDIATE: a transaction that starts as a reader and then writes fails at once with "database is
  locked", however long the busy timeout is. A writer therefore takes the write lock first.
- The word index: FTS5 over the words of each task, and FTS5 with trigrams over each person's distinct words: by
  another's words one could find out what stands in their tasks. A
  trigram index over the tasks themselves was measured first: its cost grows with the tasks (300 times
  from a thousand to a million), while the number of distinct words grows far slower.
- Append-only triggers for the audit trail.
- The file's counter: `user_version` stands at a fixed place of the file's first page. Who opens the store raises it, so
  that an older copy put in the file's place shows, also one copied into the very same file.
- Copies: SQLite's own way of copying a database that is in use.

On PostgreSQL: `pg_trgm`, plain triggers and row locks take these places.
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, TextClause, bindparam, event, text

MOST_BUSY_MS = 5_000
"""One wait for another process's transaction; `Database` repeats it as long as its patience lasts."""
COPY_ERRORS = (sqlite3.Error, OSError)
SERIAL_SHIFT = 32
"""A search id is the user's serial shifted by this, plus the task's number: one user's tasks lie next
to each other in the index, and a search reads no posting of anybody else."""

_seeking = threading.Lock()
_AT_ONCE = 1000
"""Words in one question: SQLite takes 32,766 values at the most."""
_EXPANSION_LIMIT = 60
"""More words than this contain the fragment: too common to narrow a search."""

_ADD_WORDS = """INSERT INTO task_words(rowid, title_words, description_words)
                VALUES (new.search_id, new.title_words, new.description_words);"""
_REMOVE_WORDS = """INSERT INTO task_words(task_words, rowid, title_words, description_words)
                   VALUES ('delete', old.search_id, old.title_words, old.description_words);"""


def prepare_engine(engine: Engine, patience_seconds: float, *, durable: bool = True) -> None:
    """Set up each new connection, and let `execution_options(write=True)` start as a writer."""
    busy_ms = min(MOST_BUSY_MS, int(patience_seconds * 1000))
    # A store that nobody keeps need not wait for the disk.
    synchronous = "FULL" if durable else "OFF"

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions on its own
        connection.execute(f"PRAGMA busy_timeout = {busy_ms}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {synchronous}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def is_locked(error: BaseException | None) -> bool:
    return isinstance(error, sqlite3.OperationalError) and (
        getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    )


def raise_counter(connection: Connection) -> None:
    """Inside the caller's transaction. A file without a counter starts anywhere, so that no two stores look alike."""
    found = int(connection.exec_driver_sql("PRAGMA user_version").scalar() or 0)
    connection.exec_driver_sql(f"PRAGMA user_version = {found + 1 if found > 0 else random.randint(1, 1 << 30)}")  # noqa: S311


def move_into_file(engine: Engine) -> None:
    """What was written lately lies beside the file; put it in, as far as readers allow."""
    with engine.connect() as connection:
        connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(PASSIVE)").close()  # type: ignore[union-attr]


def read_counter(handle: int) -> int | None:
    """The counter as the open file itself has it; None where it is no database."""
    head = _read_head(handle)
    return int.from_bytes(head[60:64], "big") if head.startswith(b"SQLite format 3\0") and len(head) == 64 else None


def _read_head(handle: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(handle, 64, 0)
    with _seeking:  # Windows has one place a handle, which its threads share
        os.lseek(handle, 0, os.SEEK_SET)
        return os.read(handle, 64)


def copy_database(source: Path, target: Path, *, patience_seconds: float) -> None:
    """One consistent state, while others read and write. The target may be in use as well; it is replaced whole."""
    reading = f"file:{quote(str(source))}?mode=rw"
    with (
        closing(sqlite3.connect(reading, uri=True, timeout=patience_seconds)) as from_here,
        closing(sqlite3.connect(target, timeout=patience_seconds)) as to_there,
    ):
        from_here.backup(to_there)


def make_single_file(path: Path, *, beyond: Path | None = None, steps: int = 0) -> None:
    """No further files beside it: a copy that can be moved about; its counter so many steps beyond another store's."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        if beyond:
            with closing(sqlite3.connect(beyond)) as other:
                found = int(other.execute("PRAGMA user_version").fetchone()[0])
            connection.execute(f"PRAGMA user_version = {found + steps}")


def has_table(path: Path, name: str) -> bool:
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True)) as connection:
        return bool(connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone())


def find_damage(path: Path) -> str | None:
    """What is wrong inside a database file, in SQLite's words; None where it is whole."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.Error as error:
        return str(error)
    if found != "ok":
        return str(found)
    return f"a row of {orphan[0]} belongs to nothing" if orphan else None


def create_search_index(connection: Connection) -> None:
    for statement in (
        # External content: the words are kept once, in the tasks table; the index holds postings only.
        """CREATE VIRTUAL TABLE task_words USING fts5(
               title_words, description_words, content='tasks', content_rowid='search_id', tokenize='unicode61')""",
        "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE)",
        "CREATE VIRTUAL TABLE word_parts USING fts5(word, content='words', content_rowid='id', tokenize='trigram')",
        """CREATE TRIGGER words_added AFTER INSERT ON words BEGIN
               INSERT INTO word_parts(rowid, word) VALUES (new.id, new.word);
           END""",
        f"CREATE TRIGGER task_words_added AFTER INSERT ON tasks BEGIN {_ADD_WORDS} END",
        f"CREATE TRIGGER task_words_removed AFTER DELETE ON tasks BEGIN {_REMOVE_WORDS} END",
        f"""CREATE TRIGGER task_words_changed AFTER UPDATE OF title_words, description_words ON tasks
                WHEN old.title_words <> new.title_words OR old.description_words <> new.description_words
                BEGIN {_REMOVE_WORDS} {_ADD_WORDS} END""",
    ):
        connection.exec_driver_sql(statement)


def make_append_only(connection: Connection, table: str) -> None:
    for change in ("UPDATE", "DELETE"):
        connection.exec_driver_sql(
            f"""CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} BEGIN
                    SELECT RAISE(ABORT, 'the audit trail is append-only');
                END"""
        )


def make_vocabulary_personal(connection: Connection) -> None:
    """Each person's distinct words, in the place of everybody's: the words of one person lie next to each other."""
    for statement in (
        "DROP TRIGGER IF EXISTS words_added",
        "DROP TABLE IF EXISTS word_parts",
        "DROP TABLE IF EXISTS words",
        """CREATE TABLE words (
               id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, word TEXT NOT NULL, UNIQUE (owner, word))""",
        "CREATE VIRTUAL TABLE word_parts USING fts5(word, content='words', content_rowid='id', tokenize='trigram')",
        """CREATE TRIGGER words_added AFTER INSERT ON words BEGIN
               INSERT INTO word_parts(rowid, word) VALUES (new.id, new.word);
           END""",
        """CREATE TRIGGER words_removed AFTER DELETE ON words BEGIN
               INSERT INTO word_parts(word_parts, rowid, word) VALUES ('delete', old.id, old.word);
           END""",
    ):
        connection.exec_driver_sql(statement)


def remember_words(connection: Connection, serial: int, words: set[str]) -> None:
    """Add what is new to a person's vocabulary."""
    if words:
        add_words(connection, serial, words - known_words(connection, serial, sorted(words)))


def add_words(connection: Connection, serial: int, words: set[str]) -> None:
    """Words that the person's vocabulary does not have yet, any number of them."""
    if words:
        last = text("SELECT coalesce(max(id), :first_id) FROM words WHERE id BETWEEN :first_id AND :last_id")
        taken = int(connection.execute(last, _range(serial)).scalar_one())
        rows = [(taken + number, serial, word) for number, word in enumerate(sorted(words), start=1)]
        connection.exec_driver_sql("INSERT INTO words(id, owner, word) VALUES (?, ?, ?)", rows)


def forget_words(connection: Connection, serial: int, words: set[str]) -> None:
    """Take those out of a person's vocabulary that stand in none of their tasks any more."""
    ask = connection.connection.driver_connection.execute  # type: ignore[union-attr] # one by one, thousands of times
    used = f"{_MATCHES} LIMIT 1"
    gone = [word for word in sorted(words) if not ask(used, _bounds(serial, _quoted(word))).fetchone()]
    if gone:
        rows = [{"owner": serial, "word": word} for word in gone]
        connection.execute(text("DELETE FROM words WHERE owner = :owner AND word = :word"), rows)


def words_containing(connection: Connection, serial: int, fragment: str) -> list[str] | None:
    """The person's words that contain the fragment; None where they are too many to help."""
    parameters = {**_range(serial), "most": _EXPANSION_LIMIT + 1}
    if len(fragment) >= 3:
        query = text(f"{_OWN_PARTS} LIMIT :most")
        parameters["match"] = _quoted(fragment)
    else:  # shorter than a trigram
        query = text("SELECT word FROM words WHERE owner = :owner AND instr(word, :fragment) LIMIT :most")
        parameters |= {"fragment": fragment, "owner": serial}
    found = [row[0] for row in connection.execute(query, parameters)]
    return found if len(found) <= _EXPANSION_LIMIT else None


def words_sharing_trigrams(connection: Connection, serial: int, word: str, limit: int) -> list[str]:
    """The person's words that share most with this one, for misspelt words. Counted here: FTS5's own rank weighs each
    trigram by how rare it is among everybody's words."""
    trigrams = list(dict.fromkeys(word[index : index + 3] for index in range(len(word) - 2)))
    if not trigrams:
        return []
    each = " UNION ALL ".join(_OWN_PARTS.replace(":match", f":match{number}") for number in range(len(trigrams)))
    query = text(_SHARING.replace(":each", each))
    matches = {f"match{number}": _quoted(part) for number, part in enumerate(trigrams)}
    found = connection.execute(query, {**_range(serial), **matches, "length": len(word), "limit": limit})
    return [row[0] for row in found]


def known_words(connection: Connection, serial: int, words: list[str]) -> set[str]:
    """Those of the words that some task of the person has."""
    query = text("SELECT word FROM words WHERE owner = :owner AND word IN :words")
    query = query.bindparams(bindparam("words", expanding=True))
    parts = (words[start : start + _AT_ONCE] for start in range(0, len(words), _AT_ONCE))
    return {row[0] for part in parts for row in connection.execute(query, {"owner": serial, "words": part})}


def find_newest(connection: Connection, serial: int, match: str, limit: int) -> list[int]:
    """Search ids of one user's newest matches; reads only as far as it must."""
    query = text(f"{_MATCHES} ORDER BY rowid DESC LIMIT :limit")
    return [row[0] for row in connection.execute(query, {**_bounds(serial, match), "limit": limit})]


def find_newest_titled(connection: Connection, serial: int, match: str, part: str, limit: int) -> list[int]:
    """Search ids of one user's newest matches whose folded title contains the part as it stands."""
    # CROSS JOIN fixes the order: walk the matches and look at each task, never walk the tasks.
    query = text(
        """SELECT task.search_id FROM task_words AS found CROSS JOIN tasks AS task ON task.search_id = found.rowid
           WHERE found.task_words MATCH :match AND found.rowid BETWEEN :first_id AND :last_id
           AND instr(task.title_key, :part) > 0 ORDER BY found.rowid DESC LIMIT :limit"""
    )
    return [row[0] for row in connection.execute(query, {**_bounds(serial, match), "part": part, "limit": limit})]


def matches(serial: int, match: str) -> TextClause:
    """The same as a subquery, for `search_id IN (…)`."""
    return text(_MATCHES).bindparams(**_bounds(serial, match))


def contains_each(groups: list[list[str]], *, title_only: bool) -> str:
    """A match expression: a word of every group stands in the task."""
    columns = "{title_words} : " if title_only else ""
    return columns + "(" + " AND ".join("(" + " OR ".join(map(_quoted, group)) + ")" for group in groups) + ")"


_MATCHES = """SELECT rowid FROM task_words
              WHERE task_words MATCH :match AND rowid BETWEEN :first_id AND :last_id"""


_OWN_PARTS = "SELECT word FROM word_parts WHERE word_parts MATCH :match AND rowid BETWEEN :first_id AND :last_id"
_SHARING = """SELECT word FROM (SELECT word, count(*) AS shared FROM (:each) GROUP BY word)
              ORDER BY 1.0 * shared / (:length + length(word)) DESC, word LIMIT :limit"""


def _bounds(serial: int, match: str) -> dict[str, Any]:
    return {"match": match, **_range(serial)}


def _range(serial: int) -> dict[str, Any]:
    """The ids of one person's rows."""
    return {"first_id": serial << SERIAL_SHIFT, "last_id": ((serial + 1) << SERIAL_SHIFT) - 1}


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
