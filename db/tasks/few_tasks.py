"""All tasks of a person who has few, read once: what a message asks of them is then answered from memory.

A message asks about seven mentions, each in several questions to the word index: thirty statements, most of what the
engine took. Of few tasks one statement reads everything, and what is found is the same, in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col

from db.models import TaskRow
from db.tasks.kept import KeptTask, choose_tasks, read_tasks
from db.tasks.sharing import Group, find_sharing
from db.users import User
from engine.text.folding import fold
from engine.values import Task

FEW = 200
_ALL = choose_tasks().where(col(TaskRow.user_id) == bindparam("user")).limit(bindparam("limit", type_=Integer))
_number, _touched = attrgetter("number"), attrgetter("updated_at", "number")


def read_few(session: Session, user: User) -> FewTasks | None:
    """None where there are more."""
    rows = read_tasks(session, _ALL, {"user": user.id, "limit": FEW + 1})
    return FewTasks(rows) if len(rows) <= FEW else None


class FewTasks:
    """Serves `engine.decision.TaskIndex` for who reads one state of the store."""

    def __init__(self, rows: Sequence[KeptTask]) -> None:
        self._rows = sorted(rows, key=_number, reverse=True)
        self._titles = _HeldTitles(self._rows)

    def find_by_id(self, task_id: str) -> Task | None:
        return next((row.task for row in self._rows if row.id == task_id), None)

    def find_by_number(self, number: int) -> Task | None:
        return next((row.task for row in self._rows if row.number == number), None)

    def recent(self, limit: int) -> tuple[Task, ...]:
        """The tasks touched last, newest first."""
        touched = sorted(self._rows, key=_touched, reverse=True)
        return tuple([row.task for row in touched[:limit]])

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        """Tasks that a mention may mean: the same title, one that contains it, one that shares words with it."""
        key = fold(mention)
        found = [row for row in self._rows if row.title_key == key][:limit]
        found += [row for row in self._rows if key and key in row.title_key][:limit]
        rows = {row.id: row for row in found}
        if len(rows) < limit:
            rows |= {row.id: row for row in find_sharing(self._titles, mention, limit) if row.id not in rows}
        return tuple([row.task for row in list(rows.values())[:limit]])


class _HeldTitles:
    """`TitleWords` of rows at hand, the newest first."""

    def __init__(self, rows: Sequence[KeptTask]) -> None:
        self._rows = rows
        self._places: dict[str, int] | None = None
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
        places, fitting = self._read(), (1 << len(self._rows)) - 1
        for group in groups:
            having = 0
            for word in group:
                having |= places.get(word, 0)
            fitting &= having
        return [self._rows[place].search_id for place in _ones(fitting, limit)]

    def rows(self, search_ids: list[int]) -> list[KeptTask]:
        wanted = set(search_ids)
        return [row for row in self._rows if row.search_id in wanted]

    def words_of(self, row: KeptTask) -> frozenset[str]:
        return row.title_words

    def _read(self) -> dict[str, int]:
        """Of each word of the titles, in which of them it stands: a bit for each. Beside, the words of all titles and
        notes."""
        if self._places is None:
            self._places = {}
            for place, row in enumerate(self._rows):
                for word in row.title_words:
                    self._places[word] = self._places.get(word, 0) | 1 << place
            self._words = frozenset(self._places).union(*[row.noted_words for row in self._rows])
        return self._places

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


@lru_cache(maxsize=20_000)
def _in_threes(word: str) -> frozenset[str]:
    """Kept: the words of a person's tasks are asked about with every message."""
    return frozenset([word[place : place + 3] for place in range(len(word) - 2)])


def _ones(bits: int, limit: int) -> Iterator[int]:
    """Where the first ones of a number stand, from its end."""
    while bits and limit:
        last = bits & -bits
        yield last.bit_length() - 1
        bits, limit = bits ^ last, limit - 1
