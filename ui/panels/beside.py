"""What a person has, beside the conversation, with what its last turn changed marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from db.connection import Session
from db.tasks.service import TaskService
from db.turns.turns import StoredTurn
from db.users import User
from domains.machines.tools import TARGET
from engine.values import Task
from ui.drawn_html import render_html
from ui.panels.task_panel import MARKS, changes_of, mark_of, panel_html
from ui.resources import now_here
from ui.turns.card import TurnView
from ui.turns.links import tasks_link

_PANEL_TASKS = 16
"""One more is shown, too: it takes no more room than to say that there is one."""


@dataclass(frozen=True, slots=True)
class TasksBeside:
    total: int
    done: int
    front: tuple[Task, ...]
    """What the last turn changed and the list would not show."""
    shown: tuple[Task, ...]
    changed: Mapping[str, str]
    """Which tasks the last turn changed, and how."""


def read_tasks_beside(session: Session, user: User, last: TurnView | None) -> TasksBeside:
    changed = changes_of(last.turn) if last and not last.undone else {}
    service = TaskService(session, user, now_here)
    total, done = service.count_open_and_done()
    limit = total if total == _PANEL_TASKS + 1 else _PANEL_TASKS
    shown = service.first_open(limit)
    listed = {each.id for each in shown}
    unlisted = tuple(task_id for task_id in changed if task_id not in listed)
    front = service.find_many(unlisted) if unlisted else ()
    return TasksBeside(total, done, front, shown, changed)


def render_task_panel(user: User, last: TurnView | None, tasks: TasksBeside) -> None:
    changed, total = tasks.changed, tasks.total
    gone = [
        (int(result["payload"]["number"]), str(result["payload"]["title"]))
        for result in (last.turn.results if last and changed else ())
        if mark_of(result["tool_name"]) == MARKS["remove"] and result["audit_id"]
    ]
    st.markdown(f"**Tasks** :gray[{total:,} open · {tasks.done:,} done]")
    listed = (*tasks.front, *tasks.shown)
    render_html(panel_html(listed, changed, gone, total + len(tasks.front), now_here(), tasks_link(user)))


def machine_marks(last: StoredTurn | None, undone: set[str]) -> dict[str, str]:
    """What the last turn told which machine."""
    return {
        str(result["payload"][TARGET]): str(result["payload"]["command"]).replace("_", " ")
        for result in (last.results if last else ())
        if result["audit_id"] and result["audit_id"] not in undone and "command" in result["payload"]
    }
