"""Which tasks a list shows and in which order: a query as a value, turned into conditions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, case, func, or_
from sqlmodel import Session, col

from db.models import TaskRow
from db.tasks.due import due_range
from db.tasks.search import words_conditions
from db.text import one_of
from db.users import User
from domains.tasks.tools import FILTERS, NO_DUE, Filter
from engine.values import PRIORITIES, Priority

Order = Literal["due", "priority", "number", "title", "created", "updated"]
ORDERS: tuple[Order, ...] = ("due", "priority", "number", "title", "created", "updated")


@dataclass(frozen=True, slots=True)
class TaskQuery:
    """All conditions must hold. Equal tasks keep the order of their numbers, so pages never overlap."""

    filter: Filter = "all"
    priority: Priority | None = None
    due: str | None = None
    """today, tomorrow, this_week, an ISO day, two ISO days joined by a slash, or none: without a date. Of completed
    tasks, those finished then, too."""
    search: str | None = None
    limit: int | None = None
    offset: int = 0
    order: Order = "due"
    descending: bool = False


def make_conditions(session: Session, user: User, query: TaskQuery, now: datetime) -> list[ColumnElement[bool]]:
    searching = bool(query.search and query.search.strip())
    # While searching, the words must lead and the owner only be checked: the function keeps SQLite from
    # walking all of the user's tasks by the index on the owner.
    owner = func.coalesce(col(TaskRow.user_id), "") if searching else col(TaskRow.user_id)
    conditions: list[ColumnElement[bool]] = [owner == user.id]
    chosen = one_of("filter", query.filter, FILTERS)
    if chosen == "overdue":
        conditions += [col(TaskRow.status) == "pending", _is_past(now)]
    elif chosen != "all":
        conditions.append(col(TaskRow.status) == chosen)
    if query.priority is not None:
        conditions.append(col(TaskRow.priority) == one_of("priority", query.priority, PRIORITIES))
    if query.due == NO_DUE:
        conditions.append(col(TaskRow.due_date).is_(None))
    elif query.due is not None:
        conditions.append(_is_of_days(*due_range(query.due, now.date()), now, finished=chosen == "completed"))
    if searching:
        conditions += words_conditions(session, user, query.search or "")
    return conditions


def _is_of_days(first: date, last: date, now: datetime, *, finished: bool) -> ColumnElement[bool]:
    """Due on these days. "What did I get done today" asks when it was finished, whenever it was due."""
    is_due: ColumnElement[bool] = col(TaskRow.due_date).between(first, last)
    if not finished:
        return is_due
    done = col(TaskRow.completed_at)
    bounds = [] if first == date.min else [done >= _begin_of(first, now)]
    bounds += [] if last == date.max else [done < _begin_of(last + timedelta(days=1), now)]
    return or_(is_due, and_(done.is_not(None), *bounds))


def _begin_of(day: date, now: datetime) -> datetime:
    """The day's first moment where the user is, as the database keeps it: in UTC."""
    return datetime.combine(day, time.min, now.tzinfo).astimezone(UTC)


def make_ordering(query: TaskQuery) -> tuple[Any, ...]:
    return _make_ordering(query.order, descending=query.descending)


@cache
def _make_ordering(order: str, *, descending: bool) -> tuple[Any, ...]:
    """Made once each: to put it together takes as long as to have the tasks read."""
    number = col(TaskRow.number)
    done_last = case((col(TaskRow.status) == "completed", 1), else_=0)
    rank = case({"high": 0, "medium": 1, "low": 2}, value=col(TaskRow.priority))
    due_date, due_time = col(TaskRow.due_date), col(TaskRow.due_time)
    leading: dict[str, list[Any]] = {
        # A day without a time is due by its end, so it comes after the day's hours.
        "due": [due_date, case((due_time.is_(None), 1), else_=0), due_time],
        "priority": [rank],
        "number": [number],
        "title": [col(TaskRow.title_key)],
        "created": [col(TaskRow.created_at)],
        "updated": [col(TaskRow.updated_at)],
    }
    chosen = leading[one_of("order", order, ORDERS)]
    if descending:
        chosen = [column.desc() for column in chosen]
    if order == "due":
        return (done_last, case((due_date.is_(None), 1), else_=0), *chosen, rank, number)
    if order == "priority":
        return (done_last, *chosen, case((due_date.is_(None), 1), else_=0), due_date, number)
    return (*chosen, number)


def _is_past(now: datetime) -> ColumnElement[bool]:
    """A day is over when the next begins; a day with a time, when the time has come."""
    today, at = now.date(), now.time().replace(tzinfo=None)
    due_date, due_time = col(TaskRow.due_date), col(TaskRow.due_time)
    return or_(due_date < today, and_(due_date == today, due_time < at))
