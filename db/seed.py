"""Two demo people with a believable set of tasks, dated relative to today, and the machines they look after.

Seeding replaces the demo tasks of a user and no others: it knows them by their demo key. It is in the
audit trail like any other change and can be undone in one go.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from db import audit
from db.audit import Origin, TrailEntry
from db.connection import Database
from db.machines.seed import load_demo_machines, replace_demo_machines
from db.models import TaskRow
from db.tasks.service import Clock, TaskService
from db.users import User, create_user, find_user, list_users
from engine.values import make_call

_FILE = Path(__file__).parent / "demo_tasks.json"
_PLAIN: Mapping[str, str | None] = {"description": "", "priority": "medium", "due_date": None, "status": "pending"}
"""What a task has of which nothing else is said."""


def seed_empty_database(database: Database, clock: Clock) -> None:
    """Give a new database its two demo people; leave any other as it is."""
    with database.write() as session:
        if not list_users(session):
            _seed_people(session, clock, decider=audit.SETUP)


def seed_demo_people(database: Database, clock: Clock) -> int:
    """Bring the demo people and their demo tasks back to the start; returns the number of tasks."""
    with database.write() as session:
        return _seed_people(session, clock, decider="seed")


def seed_user(database: Database, user: User, clock: Clock) -> str:
    """Give any user the first demo person's tasks; returns the batch, for undo."""
    with database.write() as session:
        return _replace_demo_tasks(session, user, load_people()[0]["tasks"], clock, "seed")


def set_up_tasks(session: Session, user: User, tasks: Sequence[Mapping[str, Any]], moments: Sequence[datetime]) -> None:
    """Put tasks there that somebody starts with: in the trail, but not offered as the last change to undo."""
    if tasks:
        service = TaskService(session, user, lambda: moments[-1])
        service.create_all([{**_PLAIN, **task} for task in tasks], moments)
        _record(session, user, service, Origin(audit.SETUP), [("add_task", dict(task)) for task in tasks])


def load_people() -> list[dict[str, Any]]:
    return list(json.loads(_FILE.read_text(encoding="utf-8")))


def _seed_people(session: Session, clock: Clock, decider: str) -> int:
    people = load_people()
    for person in people:
        user = find_user(session, person["handle"]) or create_user(session, person["name"], handle=person["handle"])
        seed_person(session, user, person, clock, decider)
    return sum(len(person["tasks"]) for person in people)


def seed_person(session: Session, user: User, person: dict[str, Any], clock: Clock, decider: str) -> None:
    """Give a user the tasks and the machines of a demo person, one of `load_people()`."""
    _replace_demo_tasks(session, user, person["tasks"], clock, decider)
    replace_demo_machines(session, user, clock(), person["handle"])


def _replace_demo_tasks(session: Session, user: User, tasks: list[dict[str, Any]], clock: Clock, decider: str) -> str:
    origin = Origin(decider, batch_id=str(uuid.uuid4()))
    service = TaskService(session, user, clock)
    stale = select(TaskRow.id).where(TaskRow.user_id == user.id, col(TaskRow.demo_key).is_not(None))
    gone = list(session.exec(stale))
    for task_id in gone:
        service.delete(task_id)
    made = [_arguments(task, clock()) for task in tasks]
    kept = [{"status": "completed" if task.get("done") else "pending", "demo_key": task["key"]} for task in tasks]
    service.create_all([{**_PLAIN, **given, **more} for given, more in zip(made, kept, strict=True)])
    deleted = [("delete_task", {"task_identifier": task_id}) for task_id in gone]
    _record(session, user, service, origin, [*deleted, *(("add_task", given) for given in made)])
    return str(origin.batch_id)


def _arguments(task: dict[str, Any], now: datetime) -> dict[str, Any]:
    arguments: dict[str, Any] = {name: task[name] for name in ("title", "description", "priority") if name in task}
    if "due_in_days" in task:
        day = (now + timedelta(days=task["due_in_days"])).date().isoformat()
        arguments["due_date"] = f"{day}T{task['time']}" if "time" in task else day
    return arguments


def _record(
    session: Session, user: User, service: TaskService, origin: Origin, calls: Sequence[tuple[str, dict[str, Any]]]
) -> None:
    """What the service has changed, each by its call."""
    entries = [
        TrailEntry(make_call(*call, "default"), {"status": "success", "task_id": change.subject_id}, change=change)
        for call, change in zip(calls, service.changes, strict=True)
    ]
    audit.append_all(session, user.id, origin, entries)


if __name__ == "__main__":
    from settings import load_settings, resolve_database_url

    store = Database(resolve_database_url(load_settings().database_url))
    count = seed_demo_people(store, lambda: datetime.now().astimezone())
    machines = sum(len(fleet) for fleet in load_demo_machines()["fleets"].values())
    print(f"{count} demo tasks and {machines} demo machines are in place, dated from today.")  # noqa: T201
    print("All other tasks and machines are as they were.")  # noqa: T201
