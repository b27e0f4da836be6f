"""All tasks of a person who has few, read once: what a message asks of them is then answered from memory.

A message asks about seven mentions, each in several questions to the word index: thirty statements, most of what the
engine took. Of few tasks one statement reads everything, and what is found is the same, in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col

from db.models import TaskRow
from db.plain_rows import read_rows, table_of
from db.tasks.images import make_task
from db.tasks.sharing import Group, find_sharing
from db.users import User
from engine.text.folding import fold
from engine.values import Task

FEW = 100
_ALL = (
    table_of(TaskRow).select().where(col(TaskRow.user_id) == bindparam("user")).limit(bindparam("limit", type_=Integer))
)


def read_few(session: Session, user: User) -> FewTasks | None:
    """None where there are more."""
    rows = read_rows(session, _ALL, {"user": user.id, "limit": FEW + 1}).all()
    return FewTasks(rows) if len(rows) <= FEW else None


class FewTasks:
    """Serves `engine.decision.TaskIndex` for who reads one state of the store."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = sorted(rows, key=lambda row: -row.number)
        self._titles = _HeldTitles(self._rows)
        self._made: dict[str, Task] = {}

    def find_by_id(self, task_id: str) -> Task | None:
        return next((self._make(row) for row in self._rows if row.id == task_id), None)

    def find_by_number(self, number: int) -> Task | None:
        return next((self._make(row) for row in self._rows if row.number == number), None)

    def recent(self, limit: int) -> tuple[Task, ...]:
        """The tasks touched last, newest first."""
        touched = sorted(self._rows, key=lambda row: (row.updated_at, row.number), reverse=True)
        return tuple([self._make(row) for row in touched[:limit]])

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        """Tasks that a mention may mean: the same title, one that contains it, one that shares words with it."""
        key = fold(mention)
        found = [row for row in self._rows if row.title_key == key][:limit]
        found += [row for row in self._rows if key and key in row.title_key][:limit]
        rows = {row.id: row for row in found}
        if len(rows) < limit:
            rows |= {row.id: row for row in find_sharing(self._titles, mention, limit) if row.id not in rows}
        return tuple([self._make(row) for row in list(rows.values())[:limit]])

    def _make(self, row: Any) -> Task:
        return self._made.get(row.id) or self._made.setdefault(row.id, make_task(row))


class _HeldTitles:
    """`TitleWords` of rows at hand, the newest first."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = rows
        self._titled: list[frozenset[str]] | None = None
        self._words: frozenset[str] = frozenset()
        self._by_letters: dict[str, list[str]] | None = None
        self._similar: dict[str, list[str]] = {}

    def known(self, words: list[str]) -> set[str]:
        self._read()
        return {word for word in words if word in self._words}

    def similar(self, word: str, limit: int) -> list[str]:
        found = self._similar.get(word)
        if found is None:
            found = self._similar[word] = self._find_similar(word)
        return found[:limit]

    def newest(self, groups: Sequence[Group], limit: int) -> list[int]:
        titled = self._read()
        fitting = [
            row.search_id
            for row, words in zip(self._rows, titled, strict=True)
            if all(not words.isdisjoint(group) for group in groups)
        ]
        return fitting[:limit]

    def rows(self, search_ids: list[int]) -> list[Any]:
        wanted = set(search_ids)
        return [row for row in self._rows if row.search_id in wanted]

    def _read(self) -> list[frozenset[str]]:
        """The words of each title; and, beside, those of all titles and notes."""
        if self._titled is None:
            self._titled = [frozenset(row.title_words.split()) for row in self._rows]
            noted = [row.description_words.split() for row in self._rows if row.description_words]
            self._words = frozenset().union(*self._titled, *noted)
        return self._titled

    def _find_similar(self, word: str) -> list[str]:
        """As the word index sorts them: by the share of letters, three in a row, that both have."""
        self._read()
        if self._by_letters is None:
            self._by_letters = {}
            for each in self._words:
                for letters in _in_threes(each):
                    self._by_letters.setdefault(letters, []).append(each)
        shared = Counter(each for letters in _in_threes(word) for each in self._by_letters.get(letters, ()))
        return sorted(shared, key=lambda each: (-shared[each] / (len(word) + len(each)), each))


def _in_threes(word: str) -> set[str]:
    return {word[place : place + 3] for place in range(len(word) - 2)}
