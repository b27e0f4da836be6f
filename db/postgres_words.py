"""The words of tasks on PostgreSQL: which there are, and which tasks have them; `db.sqlite` has the same on FTS5.

Tables and triggers stand in `db/schema/postgres_words.sql`: a task's words are indexed by whoever writes the task, in
the same transaction. A search walks the tasks of the rarest word, newest first, and looks each of them up under the
other words, so it reads only as far as it must, whatever the server knows about its tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, TextClause, text

_EXPANSION_LIMIT = 60
"""More words than this contain the fragment: too common to narrow a search."""
_COUNTED = 1000
"""Tasks of a word that are counted to find the rarest: beyond that it does not matter which one is walked."""
_LONGEST_KEY = 600
"""Bytes; what an index of PostgreSQL takes is about 2,700, other columns included."""
_LETTERS = 3
"""Of a trigram."""
_TITLE, _DESCRIPTION = 0, 1


@dataclass(frozen=True, slots=True)
class WantedWords:
    """A word of every group stands in the task."""

    groups: tuple[tuple[str, ...], ...]
    title_only: bool

    @property
    def places(self) -> list[int]:
        return [_TITLE] if self.title_only else [_TITLE, _DESCRIPTION]


def key_of(word: str) -> str:
    """What a word is looked up by; `twolane_word_key` in the database is the same."""
    raw = word.encode()
    return word if len(raw) <= _LONGEST_KEY else f"{word[:50]} {hashlib.sha256(raw).hexdigest()}"


def remember_words(connection: Connection, serial: int, words: set[str]) -> None:
    """Nothing to do: the trigger that indexes a task adds what is new to its owner's vocabulary."""


def forget_words(connection: Connection, serial: int, words: set[str]) -> None:
    """Take those out of a person's vocabulary that stand in none of their tasks any more."""
    if words:
        connection.execute(_FORGET, {"owner": serial, "keys": sorted(map(key_of, words))})


_FORGET = text(
    """DELETE FROM words WHERE owner = :owner AND key = ANY(:keys)
       AND (SELECT true FROM task_words WHERE task_words.word_id = words.id LIMIT 1) IS NULL"""
)


def known_words(connection: Connection, serial: int, words: list[str]) -> set[str]:
    """Those of the words that some task of the person has."""
    query = text("SELECT word FROM words WHERE owner = :owner AND key = ANY(:keys)")
    found = connection.execute(query, {"owner": serial, "keys": [key_of(word) for word in dict.fromkeys(words)]})
    return {row[0] for row in found}


def words_containing(connection: Connection, serial: int, fragment: str) -> list[str] | None:
    """The person's words that contain the fragment; None where they are too many to help."""
    parts = _trigrams(fragment)
    given: dict[str, Any] = {"owner": serial, "fragment": fragment, "most": _EXPANSION_LIMIT + 1}
    query = _CONTAINING_FEW  # shorter than a trigram
    if len(fragment) == _LETTERS:
        query = _CONTAINING_ONE
    elif parts:
        query = _CONTAINING
        given |= {"parts": parts, "shared": len(parts)}
    found = [row[0] for row in connection.execute(query, given)]
    return found if len(found) <= _EXPANSION_LIMIT else None


_CONTAINING = text(
    """SELECT word FROM words WHERE position(:fragment IN word) > 0 AND id = ANY(ARRAY(
           SELECT word_id FROM word_parts WHERE owner = :owner AND part = ANY(:parts)
           GROUP BY word_id HAVING count(*) = :shared)) LIMIT :most"""
)
_CONTAINING_ONE = text(  # of a common one only as many are looked at as it takes to see that they are too many
    """SELECT words.word FROM (
           SELECT word_id FROM word_parts WHERE owner = :owner AND part = :fragment LIMIT :most) AS found
       JOIN words ON words.id = found.word_id"""
)
_CONTAINING_FEW = text("SELECT word FROM words WHERE owner = :owner AND position(:fragment IN word) > 0 LIMIT :most")


def words_sharing_trigrams(connection: Connection, serial: int, word: str, limit: int) -> list[str]:
    """The person's words that share most with this one, for misspelt words."""
    parts = _trigrams(word)
    if not parts:
        return []
    given = {"owner": serial, "parts": parts, "length": len(word), "limit": limit}
    return [row[0] for row in connection.execute(_SHARING, given)]


_SHARING = text(
    """SELECT words.word FROM (
           SELECT word_id, 1.0 * count(*) / (:length + length) AS share FROM word_parts
           WHERE owner = :owner AND part = ANY(:parts) GROUP BY word_id, length
           ORDER BY share DESC FETCH FIRST (:limit) ROWS WITH TIES) AS close
       JOIN words ON words.id = close.word_id ORDER BY close.share DESC, words.word LIMIT :limit"""
)


def contains_each(groups: Sequence[Sequence[str]], *, title_only: bool) -> WantedWords:
    return WantedWords(tuple(tuple(group) for group in groups), title_only)


def find_newest(connection: Connection, serial: int, match: WantedWords, limit: int) -> list[int]:
    """Search ids of one user's newest matches; reads only as far as it must."""
    return _walk(connection, serial, match, limit, {})


def find_newest_titled(connection: Connection, serial: int, match: WantedWords, part: str, limit: int) -> list[int]:
    """Search ids of one user's newest matches whose folded title contains the part as it stands."""
    return _walk(connection, serial, match, limit, {"part": part})


def matches(connection: Connection, serial: int, match: WantedWords) -> TextClause:
    """All of them as a subquery, for `search_id IN (…)`."""
    ids = _find_ids(connection, serial, match)
    if ids is None:
        return text("SELECT search_id FROM task_words WHERE false")
    return text(f"{_ALL} AND {_among(len(ids))}").bindparams(places=match.places, **_given(ids))


_ALL = "SELECT search_id FROM task_words AS found WHERE word_id = ANY(:ids0)"


def _walk(connection: Connection, serial: int, match: WantedWords, limit: int, titled: dict[str, str]) -> list[int]:
    given: dict[str, Any] = {**titled, "places": match.places, "limit": limit}
    if len(match.groups) == 1:  # which is what is walked need not be found out first: one way to the server less
        walked = "(SELECT id FROM words WHERE owner = :owner AND key = ANY(:keys))"
        given |= {"owner": serial, "keys": sorted(map(key_of, match.groups[0]))}
        groups = 1
    else:
        ids = _find_ids(connection, serial, match)
        if ids is None:
            return []
        walked, groups = "unnest(CAST(:ids0 AS bigint[]))", len(ids)
        given |= _given(ids)
    query = _NEWEST.replace(":walked", walked).replace(":among", f"{_among(groups)} {_TITLED if titled else ''}")
    return [row[0] for row in connection.execute(text(query), given)]


_NEWEST = """SELECT DISTINCT newest.search_id
    FROM :walked AS walked(id), unnest(CAST(:places AS bigint[])) AS within(place),
    LATERAL (SELECT found.search_id FROM task_words AS found
             WHERE found.word_id = walked.id AND found.place = within.place AND :among
             ORDER BY found.search_id DESC LIMIT :limit) AS newest
    ORDER BY newest.search_id DESC LIMIT :limit"""
"""Each word of the first group has its own walk, from the newest task back; none is longer than the limit asks for."""
_TITLED = """AND (SELECT position(:part IN tasks.title_key) > 0 FROM tasks WHERE tasks.search_id = found.search_id)"""


def _among(groups: int) -> str:
    """A word of every other group stands in the task. Looked up task by task: as a join, the server might read all
    tasks that have one of them first."""
    others = (_OTHER.replace(":ids", f":ids{place}") for place in range(1, groups))
    return " AND ".join(["found.place = ANY(:places)", *others])


_OTHER = """(SELECT true FROM task_words AS other WHERE other.word_id = ANY(:ids) AND other.place = ANY(:places)
             AND other.search_id = found.search_id LIMIT 1)"""


def _given(ids: list[list[int]]) -> dict[str, list[int]]:
    return {f"ids{place}": group for place, group in enumerate(ids)}


def _find_ids(connection: Connection, serial: int, match: WantedWords) -> list[list[int]] | None:
    """The ids of the words of each group, those with the fewest tasks first; None where no task can have them all."""
    keys = {key_of(word) for group in match.groups for word in group}
    given: dict[str, Any] = {"owner": serial, "keys": sorted(keys), "places": match.places}
    # Of one group it does not matter how many tasks it has.
    counted = _COUNTED if len(match.groups) > 1 else 0
    known = {row[0]: (row[1], row[2]) for row in connection.execute(_SIZES, {**given, "counted": counted})}
    groups = [[known[key] for word in group if (key := key_of(word)) in known] for group in match.groups]
    if not groups or not all(groups):
        return None
    groups.sort(key=lambda group: sum(size for _, size in group))
    return [[word_id for word_id, _ in group] for group in groups]


_SIZES = text(
    """SELECT key, id, (SELECT count(*) FROM (
           SELECT 1 FROM task_words WHERE word_id = words.id AND place = ANY(:places) LIMIT :counted) AS found)
       FROM words WHERE owner = :owner AND key = ANY(:keys)"""
)


def _trigrams(word: str) -> list[str]:
    return list(dict.fromkeys(word[index : index + _LETTERS] for index in range(len(word) - _LETTERS + 1)))
