"""What a domain's deciders find in the store: what is in reach, what was chosen before, and what a choice teaches."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Protocol

from sqlmodel import Session

from db.items.service import ItemService
from db.machines.choices import read_learned, record_choice
from db.machines.fleet import load_fleet
from db.tasks.few_tasks import read_few
from db.tasks.listing import TaskQuery
from db.tasks.service import Clock, TaskService
from db.users import User
from domains.loading import TASKS, load_domain
from domains.machines.reach import FleetIndex
from engine.border.json_form import to_json
from engine.decision import Learned, TaskIndex
from engine.targets.recorded_index import RecordingIndex

MACHINES = "machines"


class Reach(TaskIndex, Protocol):
    """What is in reach, and what is to be kept of it with a turn."""

    def record(self) -> dict[str, Any]: ...


def open_reach(session: Session, user: User, clock: Clock, domain: str) -> Reach:
    if domain == MACHINES:
        return FleetIndex(load_fleet(session, user.id))
    if domain == TASKS:
        few = read_few(session, user)
        return RecordingIndex(few or TaskService(session, user, clock, remembers=True))
    return RecordingIndex(ItemService(session, user, load_domain(domain)))


def read_reach(session: Session, user: User, clock: Clock, domain: str, limit: int) -> tuple[dict[str, Any], int]:
    """What is in reach here and now, as a line of the batch interface says it, and how many things there are in all.
    Of many, those changed last."""
    if domain == MACHINES:
        machines = load_fleet(session, user.id).machines()
        learned = to_json(read_choices(session, user, domain), named=True)
        reach = {"machines": to_json(machines[:limit])}
        return {**reach, **({"learned": learned} if learned else {})}, len(machines)
    service: TaskService | ItemService
    if domain == TASKS:
        service = TaskService(session, user, clock)
        total = service.count(TaskQuery())
    else:
        service = ItemService(session, user, load_domain(domain))
        total = service.find(limit=0).total
    # The newest last, as the engine takes a list: later ones count as more recent.
    return {"tasks": [asdict(thing) for thing in reversed(service.recent(limit))]}, total


def read_choices(session: Session, user: User, domain: str) -> tuple[Learned, ...]:
    return read_learned(session, user.id) if domain == MACHINES else ()


def keep_choice(session: Session, user: User, taught: tuple[str, str]) -> None:
    """Under which key which target was chosen; keys begin with the tool, so that no two domains share one."""
    record_choice(session, user.id, *taught)
