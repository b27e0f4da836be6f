"""Finding a user's tasks by words, by a part of the title, and by something like the title.

Each function reads a bounded number of rows, so that a mention is found as quickly among a million
tasks as among a thousand (`benchmarks/search.py` measures it).
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, process
from sqlalchemy import ColumnElement, bindparam, false
from sqlmodel import Session, col, select

from db.dialects import WordIndex, dialect_of, words_of
from db.models import TaskRow
from db.tasks.sharing import Group, find_groups, find_sharing, gather
from db.tasks.word_memory import WordMemory
from db.users import User
from engine.text.folding import fold, split_words

_NEAREST_SCORE = 60
"""How similar a title must be to be offered as "did you mean"."""
_WORDS = 8
"""How many words of a long mention are looked up."""


def words_conditions(session: Session, user: User, query: str) -> list[ColumnElement[bool]]:
    """Conditions for tasks that contain every word of the query, also inside longer words."""
    conditions: list[ColumnElement[bool]] = []
    groups: list[list[str]] = []
    connection, index = session.connection(), words_of(session.connection())
    for word in dict.fromkeys(split_words(query)):
        containing = index.words_containing(connection, user.serial, word)
        if containing == []:
            return [false()]  # a word that no task has
        if containing is None:  # in too many words to look them all up: compare the text instead
            conditions.append(col(TaskRow.title_words).contains(word) | col(TaskRow.description_words).contains(word))
        else:
            groups.append(containing)
    if groups:
        match = index.contains_each(groups, title_only=False)
        conditions.append(col(TaskRow.search_id).in_(index.matches(connection, user.serial, match)))
    if not conditions and query.strip():  # no letters or digits at all, for example an emoji
        conditions.append(col(TaskRow.title_key).contains(fold(query), autoescape=True))
    return conditions


def find_by_exact_title(session: Session, user: User, title: str, limit: int) -> list[TaskRow]:
    # Sorted here: asked for an order, SQLite may walk all numbers instead of looking the title up.
    titled = dialect_of(session.connection()).same_text(col(TaskRow.title_key), fold(title))
    same = select(TaskRow).where(TaskRow.user_id == user.id, titled).limit(limit)
    return sorted(session.exec(same), key=lambda row: -row.number)


def find_by_partial_title(
    session: Session, user: User, part: str, limit: int, words: WordMemory | None = None
) -> list[TaskRow]:
    """Tasks whose title contains the text as it stands, newest first. `words`: what the index said before."""
    key = fold(part)
    if not key:
        return []
    connection = session.connection()
    index = words or words_of(connection)
    groups = [index.words_containing(connection, user.serial, word) for word in dict.fromkeys(split_words(part))]
    if any(group == [] for group in groups):
        return []
    narrowing = [group for group in groups if group]
    if narrowing:
        match = index.contains_each(narrowing, title_only=True)
        ids = index.find_newest_titled(connection, user.serial, match, key, limit)
        return _rows(session, user, ids)
    # Nothing to look up (a sign, or letters found in very many words): such a text is either in many
    # titles, and the first few are soon found, or it is rare enough to be worth the walk.
    containing = select(TaskRow).where(
        TaskRow.user_id == user.id, col(TaskRow.title_key).contains(key, autoescape=True)
    )
    return list(session.exec(containing.order_by(col(TaskRow.search_id).desc()).limit(limit)))


def find_nearest(session: Session, user: User, mention: str, limit: int) -> list[TaskRow]:
    """Tasks whose title resembles the mention, most similar first: other order, missing words, typos."""
    titles = _StoredTitles(session, user, words_of(session.connection()))
    rows = gather(titles, find_groups(titles, split_words(mention)[:_WORDS]))
    keys = [row.title_key for row in rows]
    scored = process.extract(fold(mention), keys, scorer=fuzz.WRatio, limit=limit, score_cutoff=_NEAREST_SCORE)
    return [rows[index] for _, _, index in scored]


def find_sharing_words(
    session: Session, user: User, text: str, limit: int, words: WordMemory | None = None
) -> list[TaskRow]:
    """Tasks whose title shares words with a text, those with the most and rarest first."""
    return find_sharing(_StoredTitles(session, user, words or words_of(session.connection())), text, limit)


class _StoredTitles:
    """`db.tasks.sharing.TitleWords` by the word index of the store."""

    def __init__(self, session: Session, user: User, index: WordIndex | WordMemory) -> None:
        self._session, self._user, self._index = session, user, index
        self._connection = session.connection()

    def known(self, words: list[str]) -> set[str]:
        return self._index.known_words(self._connection, self._user.serial, words)

    def similar(self, word: str, limit: int) -> list[str]:
        return self._index.words_sharing_trigrams(self._connection, self._user.serial, word, limit)

    def newest(self, groups: Sequence[Group], limit: int) -> list[int]:
        match = self._index.contains_each(groups, title_only=True)
        return self._index.find_newest(self._connection, self._user.serial, match, limit)

    def rows(self, search_ids: list[int]) -> list[TaskRow]:
        return _rows(self._session, self._user, search_ids)

    def words_of(self, row: TaskRow) -> frozenset[str]:
        return frozenset(row.title_words.split())


_WITH_IDS = select(TaskRow).where(col(TaskRow.search_id).in_(bindparam("ids", expanding=True)))
"""Made once: a message asks dozens of times."""


def _rows(session: Session, user: User, search_ids: list[int]) -> list[TaskRow]:
    """The rows in the order newest first. The owner is checked here rather than in the query: with both
    conditions SQLite may walk all of the user's tasks instead of looking the few ids up."""
    found = session.exec(_WITH_IDS, params={"ids": search_ids}) if search_ids else ()
    return sorted((row for row in found if row.user_id == user.id), key=lambda row: -row.number)
