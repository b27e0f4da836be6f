"""The words of tasks on SQLite: which there are, and which tasks have them; `db.postgres_words` has the same.

FTS5 over the words of each task, and FTS5 with trigrams over each person's distinct words: by another's words one could
find out what stands in their tasks. A trigram index over the tasks themselves was measured first: its cost grows with
the tasks (300 times from a thousand to a million), while the number of distinct words grows far slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, TextClause, text

from db.search_ids import SERIAL_SHIFT

_AT_ONCE = 1000
"""Words in one question: SQLite takes 32,766 values at the most."""
_EXPANSION_LIMIT = 60
"""More words than this contain the fragment: too common to narrow a search."""

_ADD_WORDS = """INSERT INTO task_words(rowid, title_words, description_words)
                VALUES (new.search_id, new.title_words, new.description_words);"""
_REMOVE_WORDS = """INSERT INTO task_words(task_words, rowid, title_words, description_words)
                   VALUES ('delete', old.search_id, old.title_words, old.description_words);"""


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
        taken = int(_ask(connection, _LAST_ID, _range(serial))[0])
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
    most = _EXPANSION_LIMIT + 1
    if len(fragment) >= 3:
        found = _ask(connection, f"{_OWN_PARTS} LIMIT :most", {**_bounds(serial, _quoted(fragment)), "most": most})
    else:  # shorter than a trigram
        found = _ask(connection, _SHORT, {"fragment": fragment, "owner": serial, "most": most})
    return found if len(found) <= _EXPANSION_LIMIT else None


def words_sharing_trigrams(connection: Connection, serial: int, word: str, limit: int) -> list[str]:
    """The person's words that share most with this one, for misspelt words. Counted here: FTS5's own rank weighs each
    trigram by how rare it is among everybody's words."""
    trigrams = list(dict.fromkeys(word[index : index + 3] for index in range(len(word) - 2)))
    if not trigrams:
        return []
    each = " UNION ALL ".join(_OWN_PARTS.replace(":match", f":match{number}") for number in range(len(trigrams)))
    given: dict[str, Any] = {f"match{number}": _quoted(part) for number, part in enumerate(trigrams)}
    given |= {**_range(serial), "length": len(word), "limit": limit}
    return _ask(connection, _SHARING.replace(":each", each), given)


def known_words(connection: Connection, serial: int, words: list[str]) -> set[str]:
    """Those of the words that some task of the person has."""
    found: set[str] = set()
    for start in range(0, len(words), _AT_ONCE):
        part = words[start : start + _AT_ONCE]
        query = _KNOWN.replace(":words", ", ".join("?" * len(part)))
        found.update(_ask(connection, query, (serial, *part)))
    return found


_LAST_ID = "SELECT coalesce(max(id), :first_id) FROM words WHERE id BETWEEN :first_id AND :last_id"
_KNOWN = "SELECT word FROM words WHERE owner = ? AND word IN (:words)"


def find_newest(connection: Connection, serial: int, match: str, limit: int) -> list[int]:
    """Search ids of one user's newest matches; reads only as far as it must."""
    return _ask(connection, f"{_MATCHES} ORDER BY rowid DESC LIMIT :limit", {**_bounds(serial, match), "limit": limit})


def find_newest_titled(connection: Connection, serial: int, match: str, part: str, limit: int) -> list[int]:
    """Search ids of one user's newest matches whose folded title contains the part as it stands."""
    return _ask(connection, _TITLED, {**_bounds(serial, match), "part": part, "limit": limit})


# CROSS JOIN fixes the order: walk the matches and look at each task, never walk the tasks.
_TITLED = """SELECT task.search_id FROM task_words AS found CROSS JOIN tasks AS task ON task.search_id = found.rowid
             WHERE found.task_words MATCH :match AND found.rowid BETWEEN :first_id AND :last_id
             AND instr(task.title_key, :part) > 0 ORDER BY found.rowid DESC LIMIT :limit"""
_SHORT = "SELECT word FROM words WHERE owner = :owner AND instr(word, :fragment) LIMIT :most"


def _ask(connection: Connection, query: str, given: dict[str, Any] | tuple[Any, ...]) -> list[Any]:
    """The first column. As it stands, without making a statement of it first: a message asks dozens of such questions,
    and most of the time went into that."""
    return [row[0] for row in connection.exec_driver_sql(query, given)]


def matches(_connection: Connection, serial: int, match: str) -> TextClause:
    """The same as a subquery, for `search_id IN (…)`."""
    return text(_MATCHES).bindparams(**_bounds(serial, match))


def contains_each(groups: Sequence[Sequence[str]], *, title_only: bool) -> str:
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
