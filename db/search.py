"""Finding a user's tasks by words, by a part of the title, and by something like the title.

Each function reads a bounded number of rows, so that a mention is found as quickly among a million
tasks as among a thousand (`benchmarks/search.py` measures it).
"""

from __future__ import annotations

from rapidfuzz import fuzz, process
from sqlalchemy import ColumnElement, false
from sqlmodel import Session, col, select

from db import sqlite
from db.models import TaskRow
from db.text import fold, words_of
from db.users import User

_LOOKALIKE_SCORE = 70
"""How similar (of 100) a word of the vocabulary must be to stand in for a misspelt one."""
_NEAREST_SCORE = 60
"""How similar a title must be to be offered as "did you mean"."""
_LOOKALIKES = 30
_POOL = 60
"""How many titles are compared one by one, whatever the number of tasks."""
_WORDS = 8
"""How many words of a long mention are looked up."""


def words_conditions(session: Session, user: User, query: str) -> list[ColumnElement[bool]]:
    """Conditions for tasks that contain every word of the query, also inside longer words."""
    conditions: list[ColumnElement[bool]] = []
    groups: list[list[str]] = []
    for word in dict.fromkeys(words_of(query)):
        containing = sqlite.words_containing(session.connection(), word)
        if containing == []:
            return [false()]  # a word that no task has
        if containing is None:  # in too many words to look them all up: compare the text instead
            conditions.append(col(TaskRow.title_words).contains(word) | col(TaskRow.description_words).contains(word))
        else:
            groups.append(containing)
    if groups:
        match = sqlite.contains_each(groups, title_only=False)
        conditions.append(col(TaskRow.search_id).in_(sqlite.matches(user.serial, match)))
    if not conditions and query.strip():  # no letters or digits at all, for example an emoji
        conditions.append(col(TaskRow.title_key).contains(fold(query), autoescape=True))
    return conditions


def find_by_exact_title(session: Session, user: User, title: str, limit: int) -> list[TaskRow]:
    statement = select(TaskRow).where(TaskRow.user_id == user.id, TaskRow.title_key == fold(title))
    return list(session.exec(statement.order_by(col(TaskRow.number).desc()).limit(limit)))


def find_by_partial_title(session: Session, user: User, part: str, limit: int) -> list[TaskRow]:
    """Tasks whose title contains the text as it stands, newest first."""
    key = fold(part)
    if not key:
        return []
    groups = [sqlite.words_containing(session.connection(), word) for word in dict.fromkeys(words_of(part))]
    if any(group == [] for group in groups):
        return []
    statement = select(TaskRow).where(TaskRow.user_id == user.id, col(TaskRow.title_key).contains(key, autoescape=True))
    narrowing = [group for group in groups if group]
    if narrowing:
        match = sqlite.contains_each(narrowing, title_only=True)
        statement = statement.where(col(TaskRow.search_id).in_(sqlite.matches(user.serial, match)))
    return list(session.exec(statement.order_by(col(TaskRow.search_id).desc()).limit(limit)))


def find_nearest(session: Session, user: User, mention: str, limit: int) -> list[TaskRow]:
    """Tasks whose title resembles the mention, most similar first: other order, missing words, typos."""
    groups = _lookalike_groups(session, words_of(mention)[:_WORDS])
    if not groups:
        return []
    connection = session.connection()
    ids = sqlite.find_newest(connection, user.serial, sqlite.contains_each(groups, title_only=True), _POOL)
    # Then titles that share one word, the longest words first: they say most.
    for group in sorted(groups, key=lambda group: -len(group[0]))[:4]:
        if len(ids) < _POOL:
            match = sqlite.contains_each([group], title_only=True)
            ids += sqlite.find_newest(connection, user.serial, match, _POOL // 3)
    found = session.exec(select(TaskRow).where(TaskRow.user_id == user.id, col(TaskRow.search_id).in_(set(ids))))
    rows = sorted(found, key=lambda row: -row.number)
    titles = [row.title_key for row in rows]
    scored = process.extract(fold(mention), titles, scorer=fuzz.WRatio, limit=limit, score_cutoff=_NEAREST_SCORE)
    return [rows[index] for _, _, index in scored]


def _lookalike_groups(session: Session, words: list[str]) -> list[list[str]]:
    """Per word of the mention the words of the vocabulary that it may stand for."""
    connection = session.connection()
    known = sqlite.known_words(connection, words) if words else set()
    groups = []
    for word in dict.fromkeys(words):
        if word in known:
            groups.append([word])
            continue
        similar = sqlite.words_sharing_trigrams(connection, word, _LOOKALIKES)
        close = process.extract(word, similar, scorer=fuzz.ratio, limit=5, score_cutoff=_LOOKALIKE_SCORE)
        if close:
            groups.append([found for found, _, _ in close])
    return groups
