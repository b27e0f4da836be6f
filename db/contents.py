"""All that somebody has in a domain, as plain values: what a conversation is compared by, before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from operator import itemgetter
from typing import Any

from sqlmodel import Session

from db.connection import Database
from db.items.examples import load_examples
from db.items.service import ItemService
from db.machines.seed import FIRST_FLEET, load_demo_machines, seed_machines
from db.machines.service import MachineQuery, MachineService
from db.reach import MACHINES
from db.tasks.listing import TaskQuery
from db.tasks.service import Clock, TaskService
from db.users import User
from domains.loading import TASKS, load_domain
from engine.values import Task

KeptThing = dict[str, Any]
"""`id`, `title`, where people say numbers `number`, and whatever else the domain keeps of it."""
_STAMPS = ("created_at", "updated_at", "completed_at")
_TASK_FIELDS = tuple(each.name for each in fields(Task) if each.name not in _STAMPS)


def read_contents(session: Session, user: User, clock: Clock, domain: str) -> dict[str, KeptThing]:
    """By id, in the order of their numbers or names. When something was changed is no part of it."""
    things = _READERS.get(domain, _read_items)(session, user, clock, domain)
    return {str(thing["id"]): {name: value for name, value in thing.items() if name not in _STAMPS} for thing in things}


def load_starting_things(database: Database, user: User, clock: Clock, domain: str) -> None:
    """What somebody new has in a domain: tasks they bring themselves, machines and other things are the examples."""
    if domain == MACHINES:
        fleets = load_demo_machines()["fleets"]
        seed_machines(database, user, clock, user.handle if user.handle in fleets else FIRST_FLEET)
    elif domain != TASKS:
        load_examples(database, user, load_domain(domain))


def _read_tasks(session: Session, user: User, clock: Clock, _domain: str) -> list[KeptThing]:
    tasks = TaskService(session, user, clock).find_all(TaskQuery())
    # Not asdict, which copies every value: a conversation of many turns reads all of this after each.
    things = [{name: getattr(task, name) for name in _TASK_FIELDS} for task in tasks]
    return sorted(things, key=itemgetter("number"))


def _read_machines(session: Session, user: User, clock: Clock, _domain: str) -> list[KeptThing]:
    machines = MachineService(session, user, clock).find_all(MachineQuery())
    return [_named(asdict(machine)) for machine in machines]


def _read_items(session: Session, user: User, _clock: Clock, domain: str) -> list[KeptThing]:
    items = ItemService(session, user, load_domain(domain)).find().items
    return [{**asdict(item), **item.fields} for item in items]


def _named(machine: Mapping[str, Any]) -> KeptThing:
    """Called by its title, like everything else."""
    rest = {name: value for name, value in machine.items() if name not in ("id", "name")}
    return {"id": machine["id"], "title": machine["name"], **rest}


_READERS: Mapping[str, Callable[[Session, User, Clock, str], list[KeptThing]]] = {
    TASKS: _read_tasks,
    MACHINES: _read_machines,
}
