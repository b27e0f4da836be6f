"""The task service: everything one user can do with their tasks, inside the caller's transaction.

Every query names the user. Methods take and return plain values; rows do not leave the room.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Integer, bindparam, update
from sqlmodel import Session, col, func, select

from db.changes import Change
from db.dialects import words_of
from db.failures import ToolFailure
from db.models import TaskRow, UserRow
from db.plain_rows import read_rows, table_of
from db.search_ids import search_id_of
from db.tasks import search
from db.tasks.due import parse_due
from db.tasks.images import Image, insert_rows, make_image, make_task, remove_row, set_search_columns
from db.tasks.kept import choose_tasks, read_tasks
from db.tasks.listing import TaskQuery, make_conditions, make_ordering
from db.tasks.word_memory import WordMemory
from db.text import clean_description, clean_title, one_of
from db.users import User
from engine.decision import TaskIndex
from engine.text.folding import split_words
from engine.values import PRIORITIES, STATUSES, ErrorKind, Task

_BY_STATUS = (  # made once, as in `db.users`
    select(TaskRow.status, func.count().label("held"))
    .where(TaskRow.user_id == bindparam("user"))
    .group_by(col(TaskRow.status))
)
_TASKS = table_of(TaskRow).select()
_BY_ID = _TASKS.where(col(TaskRow.user_id) == bindparam("user"), col(TaskRow.id) == bindparam("id"))
_BY_IDS = choose_tasks().where(
    col(TaskRow.user_id) == bindparam("user"), col(TaskRow.id).in_(bindparam("ids", expanding=True))
)
_OPEN = (
    choose_tasks()
    .where(col(TaskRow.user_id) == bindparam("user"), col(TaskRow.status) == "pending")
    .order_by(*make_ordering(TaskQuery()))
    .limit(bindparam("limit", type_=Integer))
)
_TAKE_NUMBERS = (
    update(UserRow)
    .where(col(UserRow.id) == bindparam("user"))
    .values(next_number=UserRow.next_number + bindparam("taken", type_=Integer))
    .returning(col(UserRow.next_number))
)
Clock = Callable[[], datetime]
"""Gives the time here and now, with its zone: what "today" means is the user's day, not UTC's."""


class TaskService:
    def __init__(self, session: Session, user: User, clock: Clock, *, remembers: bool = False) -> None:
        """`remembers`: what was found out about words, for who only reads and sees one state of the store."""
        self._session = session
        self._user = user
        self._clock = clock
        self._words = WordMemory(words_of(session.connection())) if remembers else None
        self.changes: list[Change] = []
        """What was done through this service, for the audit trail."""

    # Reading

    def get(self, task_id: str) -> Task:
        return make_task(self._row(task_id))

    def find_by_id(self, task_id: str) -> Task | None:
        row = read_rows(self._session, _BY_ID, {"user": self._user.id, "id": task_id}).first()
        return make_task(row) if row else None

    def find_by_number(self, number: int) -> Task | None:
        return next(iter(self._tasks(TaskRow.number == number)), None)

    def recent(self, limit: int) -> tuple[Task, ...]:
        """The tasks touched last, newest first."""
        order = (col(TaskRow.updated_at).desc(), col(TaskRow.number).desc())
        return _snapshots(self._session.exec(self._own().order_by(*order).limit(limit)))

    def find_all(self, query: TaskQuery) -> tuple[Task, ...]:
        conditions = make_conditions(self._session, self._user, query, self._clock())
        statement = select(TaskRow).where(*conditions).order_by(*make_ordering(query))
        return _snapshots(self._session.exec(statement.limit(query.limit).offset(query.offset)))

    def first_open(self, limit: int) -> tuple[Task, ...]:
        """Those that are due first."""
        found = read_tasks(self._session, _OPEN, {"user": self._user.id, "limit": limit})
        return tuple([each.task for each in found])

    def find_many(self, task_ids: Sequence[str]) -> tuple[Task, ...]:
        """The tasks with these ids that still exist, in the order of the ids."""
        rows = read_tasks(self._session, _BY_IDS, {"user": self._user.id, "ids": list(task_ids)})
        found = {row.id: row.task for row in rows}
        return tuple(found[task_id] for task_id in task_ids if task_id in found)

    def count(self, query: TaskQuery) -> int:
        """How many tasks fit, limit and offset aside."""
        conditions = make_conditions(self._session, self._user, query, self._clock())
        return self._session.exec(select(func.count()).select_from(TaskRow).where(*conditions)).one()

    def count_open_and_done(self) -> tuple[int, int]:
        counts = {row.status: row.held for row in read_rows(self._session, _BY_STATUS, {"user": self._user.id})}
        return counts.get("pending", 0), counts.get("completed", 0)

    def with_exact_title(self, title: str, limit: int = 6) -> tuple[Task, ...]:
        return _snapshots(search.find_by_exact_title(self._session, self._user, title, limit))

    def search_by_title(self, part: str, limit: int = 6) -> tuple[Task, ...]:
        """Tasks whose title contains the text, case and accents aside, newest first."""
        return _snapshots(search.find_by_partial_title(self._session, self._user, part, limit, self._words))

    def nearest(self, mention: str, limit: int = 5) -> tuple[Task, ...]:
        """Tasks whose title resembles the mention, best first."""
        return _snapshots(search.find_nearest(self._session, self._user, mention, limit))

    def sharing_words(self, text: str, limit: int = 5) -> tuple[Task, ...]:
        """Tasks whose title shares words with the text, those with the most first."""
        return _snapshots(search.find_sharing_words(self._session, self._user, text, limit, self._words))

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        """Tasks that a mention may mean: the same title, one that contains it, one that shares words with it."""
        same = self.with_exact_title(mention, limit) if self._may_be_title(mention) else ()
        found = {task.id: task for task in same}
        for step in (self.search_by_title, self.sharing_words):
            if len(found) < limit:
                found |= {task.id: task for task in step(mention, limit) if task.id not in found}
        return tuple(found.values())[:limit]

    def _may_be_title(self, mention: str) -> bool:
        """No title has a word that is in none of the person's tasks. Most of what is looked for is no whole title, and
        to ask about all its words at once is quicker than to look for it."""
        words = list(dict.fromkeys(split_words(mention))) if self._words else []
        if self._words is None or not words:
            return True
        return len(self._words.known_words(self._session.connection(), self._user.serial, words)) == len(words)

    # Changing

    def create(
        self,
        title: str,
        description: str = "",
        priority: str = "medium",
        due_date: str | None = None,
        *,
        status: str = "pending",
        demo_key: str | None = None,
    ) -> Task:
        given = {"title": title, "description": description, "priority": priority, "due_date": due_date}
        return self.create_all([{**given, "status": status, "demo_key": demo_key}])[0]

    def create_all(
        self, drafts: Sequence[Mapping[str, str | None]], moments: Sequence[datetime] = ()
    ) -> tuple[Task, ...]:
        """Several at once, in the order given: what each costs beside its row is then paid once. `moments`: when each
        of them is made, where that is not now."""
        values = [_check_draft(**draft) for draft in drafts]  # type: ignore[arg-type]
        made, first = [moment.astimezone(UTC) for moment in moments], self._take_numbers(len(values))
        made = made or [self._moment()] * len(values)
        rows = insert_rows(
            self._session,
            [
                self._make_row(first + place, moment, each)
                for place, (moment, each) in enumerate(zip(made, values, strict=True))
            ],
        )
        self.changes += [Change(row.id, None, make_image(row)) for row in rows]
        return _snapshots(rows)

    def _make_row(self, number: int, moment: datetime, values: dict[str, Any]) -> dict[str, Any]:
        return dict(
            **values,
            id=str(uuid.uuid4()),
            user_id=self._user.id,
            number=number,
            search_id=search_id_of(self._user.serial, number),
            created_at=moment,
            updated_at=moment,
            completed_at=moment if values["status"] == "completed" else None,
        )

    def update(
        self,
        task_id: str,
        *,
        title: str | None = None,
        description: str | None = None,
        priority: str | None = None,
        due_date: str | None = None,
        clear_due_date: bool = False,
        status: str | None = None,
    ) -> Task:
        """Change what is given; the rest stays. A status of pending reopens a completed task."""
        row = self._row(task_id)
        before = make_image(row)
        if title is not None:
            row.title = clean_title(title)
        if description is not None:
            row.description = clean_description(description)
        if priority is not None:
            row.priority = one_of("priority", priority, PRIORITIES)
        if due_date is not None or clear_due_date:
            due = parse_due(due_date) if due_date is not None else None
            row.due_date, row.due_time = (due.day, due.time) if due else (None, None)
        if status is not None and one_of("status", status, STATUSES) != row.status:
            row.status = status
            row.completed_at = self._moment() if status == "completed" else None
        if make_image(row) == before:
            return make_task(row)  # already so: nothing to record, nothing to undo
        row.updated_at = self._moment()
        return self._done(set_search_columns(self._session, row), before)

    def complete(self, task_id: str) -> Task:
        return self.update(task_id, status="completed")

    def reopen(self, task_id: str) -> Task:
        return self.update(task_id, status="pending")

    def delete(self, task_id: str) -> Task:
        row = self._row(task_id)
        task = make_task(row)
        self.changes.append(Change(row.id, make_image(row), None))
        remove_row(self._session, row)
        return task

    # Inside

    def _own(self) -> Any:
        return select(TaskRow).where(TaskRow.user_id == self._user.id)

    def _tasks(self, condition: Any) -> tuple[Task, ...]:
        return _snapshots(self._session.exec(self._own().where(condition)))

    def _row(self, task_id: str) -> TaskRow:
        row: TaskRow | None = self._session.exec(self._own().where(TaskRow.id == task_id)).first()
        if row is None:
            raise ToolFailure(ErrorKind.NOT_FOUND, f"No task found matching '{task_id}'")
        return row

    def _moment(self) -> datetime:
        """Now as the database keeps it: in UTC."""
        return self._clock().astimezone(UTC)

    def _take_numbers(self, count: int) -> int:
        """The first of so many in a row."""
        taken = self._session.connection().execute(_TAKE_NUMBERS, {"user": self._user.id, "taken": count})
        return int(taken.scalar_one()) - count

    def _done(self, row: TaskRow, before: Image) -> Task:
        self._session.flush()
        self.changes.append(Change(row.id, before, make_image(row)))
        return make_task(row)


def _check_draft(
    title: str, description: str, priority: str, due_date: str | None, status: str, demo_key: str | None = None
) -> dict[str, Any]:
    """The columns of a new task; refuses what cannot be one."""
    due = parse_due(due_date) if due_date else None
    return {
        "title": clean_title(title),
        "description": clean_description(description),
        "priority": one_of("priority", priority, PRIORITIES),
        "status": one_of("status", status, STATUSES),
        "due_date": due.day if due else None,
        "due_time": due.time if due else None,
        "demo_key": demo_key,
    }


def _check_index(service: TaskService) -> TaskIndex:
    """Never called: mypy refuses this line when the service no longer serves the engine as its index."""
    return service


def _snapshots(rows: Iterable[Any]) -> tuple[Task, ...]:
    return tuple(make_task(row) for row in rows)
