"""What a person has, beside the conversation, with what its last turn changed marked."""

from __future__ import annotations

import streamlit as st

from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.turns.turns import StoredTurn
from db.users import User
from domains.machines.tools import TARGET
from ui.panels.task_panel import MARKS, changes_of, mark_of, panel_html
from ui.resources import load_database, now_here
from ui.turns.card import TurnView
from ui.turns.links import tasks_link

_PANEL_TASKS = 16
"""One more is shown, too: it takes no more room than to say that there is one."""


def render_task_panel(user: User, last: TurnView | None) -> None:
    changed = changes_of(last.turn) if last and not last.undone else {}
    with load_database().read() as session:
        service = TaskService(session, user, now_here)
        total, done = service.count(TaskQuery("pending")), service.count(TaskQuery("completed"))
        shown = service.find_all(
            TaskQuery("pending", order="due", limit=total if total == _PANEL_TASKS + 1 else _PANEL_TASKS)
        )
        touched = service.find_many(tuple(changed))
    front = tuple(task for task in touched if task.completed or task.id not in {each.id for each in shown})
    gone = [
        (int(result["payload"]["number"]), str(result["payload"]["title"]))
        for result in (last.turn.results if last and changed else ())
        if mark_of(result["tool_name"]) == MARKS["remove"] and result["audit_id"]
    ]
    st.markdown(f"**Tasks** :gray[{total:,} open · {done:,} done]")
    st.html(panel_html((*front, *shown), changed, gone, total + len(front), now_here(), tasks_link(user)))


def machine_marks(last: StoredTurn | None, undone: set[str]) -> dict[str, str]:
    """What the last turn told which machine."""
    return {
        str(result["payload"][TARGET]): str(result["payload"]["command"]).replace("_", " ")
        for result in (last.results if last else ())
        if result["audit_id"] and result["audit_id"] not in undone and "command" in result["payload"]
    }
