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
from db.tasks.word_memory import WordMemory
from db.users import User
from engine.text.folding import fold, split_words

_LOOKALIKE_SCORE = 70
"""How similar (of 100) a word of the vocabulary must be to stand in for a misspelt one."""
_NEAREST_SCORE = 60
"""How similar a title must be to be offered as "did you mean"."""
_LOOKALIKES = 30
_POOL = 60
"""How many titles are compared one by one, whatever the number of tasks."""
_WORDS, _WORDS_OF_TEXT = 8, 14
"""How many words of a long mention, and of a whole message, are looked up."""
_SINGLE_WORDS = 4


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
    index = words_of(session.connection())
    rows = _pool(session, user, _lookalike_groups(session, user, split_words(mention)[:_WORDS], index), index)
    titles = [row.title_key for row in rows]
    scored = process.extract(fold(mention), titles, scorer=fuzz.WRatio, limit=limit, score_cutoff=_NEAREST_SCORE)
    return [rows[index] for _, _, index in scored]


def find_sharing_words(
    session: Session, user: User, text: str, limit: int, words: WordMemory | None = None
) -> list[TaskRow]:
    """Tasks whose title shares words with a text, those with the most and rarest first, however much else the text
    says: "the boiler man came at last" is about "Boiler service"."""
    index = words or words_of(session.connection())
    groups = _lookalike_groups(session, user, split_words(text)[:_WORDS_OF_TEXT], index)
    rows = _pool(session, user, groups, index)
    titled = [frozenset(split_words(row.title)) for row in rows]
    shared = [[not each.isdisjoint(group) for group in groups] for each in titled]
    worth = [1 + 1 / (1 + sum(column)) for column in zip(*shared, strict=True)]
    scores = [sum(value for value, has in zip(worth, each, strict=True) if has) for each in shared]
    order = sorted(range(len(rows)), key=lambda place: (-scores[place], -rows[place].number))
    return [rows[place] for place in order[:limit]]


def _pool(session: Session, user: User, groups: list[list[str]], index: WordIndex | WordMemory) -> list[TaskRow]:
    """Titles with words of every group, then titles with a word of one, the longest words first: they say most."""
    if not groups:
        return []
    connection = session.connection()
    ids = index.find_newest(connection, user.serial, index.contains_each(groups, title_only=True), _POOL)
    for group in sorted(groups, key=lambda group: -len(group[0]))[:_SINGLE_WORDS]:
        if len(ids) < _POOL:
            match = index.contains_each([group], title_only=True)
            ids += index.find_newest(connection, user.serial, match, _POOL // 3)
    return _rows(session, user, list(dict.fromkeys(ids)))


def _lookalike_groups(
    session: Session, user: User, words: Sequence[str], index: WordIndex | WordMemory
) -> list[list[str]]:
    """Per word of the mention the words of the person's own tasks that it may stand for."""
    connection = session.connection()
    swapped = {word: _with_letters_swapped(word) for word in words}
    looked_up = [*words, *(other for others in swapped.values() for other in others)]
    known = index.known_words(connection, user.serial, looked_up) if words else set()
    groups = []
    for word in dict.fromkeys(words):
        if word in known:
            groups.append([word])
            continue
        similar = index.words_sharing_trigrams(connection, user.serial, word, _LOOKALIKES)
        close = process.extract(word, similar, scorer=fuzz.ratio, limit=5, score_cutoff=_LOOKALIKE_SCORE)
        found = dict.fromkeys([*known.intersection(swapped[word]), *(found for found, _, _ in close)])
        if found:
            groups.append(list(found))
    return groups


def _with_letters_swapped(word: str) -> list[str]:
    """Two letters in the wrong order: of a short word that leaves no three letters as they were."""
    if not _SHORTEST_SWAPPED <= len(word) <= _LONGEST_SWAPPED:
        return []
    return [word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1)]


_SHORTEST_SWAPPED, _LONGEST_SWAPPED = 4, 8


_WITH_IDS = select(TaskRow).where(col(TaskRow.search_id).in_(bindparam("ids", expanding=True)))
"""Made once: a message asks dozens of times."""


def _rows(session: Session, user: User, search_ids: list[int]) -> list[TaskRow]:
    """The rows in the order newest first. The owner is checked here rather than in the query: with both
    conditions SQLite may walk all of the user's tasks instead of looking the few ids up."""
    found = session.exec(_WITH_IDS, params={"ids": search_ids}) if search_ids else ()
    return sorted((row for row in found if row.user_id == user.id), key=lambda row: -row.number)
