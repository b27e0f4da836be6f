"""The six tools, bound to one user's service. mypy holds this class to the signatures of the catalogue."""

from __future__ import annotations

from db.failures import ToolFailure
from db.tasks.listing import TaskQuery
from db.tasks.resolve import resolve_task
from db.tasks.service import TaskService
from db.text import within_reach
from db.users import User
from domains.tasks.tools import Filter, ListedTask, TaskListResult, TaskResult, TaskTools, UserResult
from engine.values import ErrorKind, Priority, Status, Task

NO_DUE_DATE = "none"
"""Said as a new due date, it removes the date."""


class UserTools:
    def __init__(self, service: TaskService, user: User) -> None:
        self._service = service
        self._user = user

    def add_task(
        self, title: str, description: str = "", priority: Priority = "medium", due_date: str | None = None
    ) -> TaskResult:
        return self._success(self._service.create(title, description, priority, due_date))

    def list_tasks(
        self,
        filter: Filter = "all",  # noqa: A002 - the name is the interface
        priority: Priority | None = None,
        due: str | None = None,
        search: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> TaskListResult:
        query = TaskQuery(filter, priority, due, search, limit, within_reach(offset or 0))
        tasks = [_listed(task) for task in self._service.find_all(query)]
        return {"status": "success", "count": len(tasks), "total": self._service.count(query), "tasks": tasks}

    def complete_task(self, task_identifier: str) -> TaskResult:
        return self._success(self._service.complete(resolve_task(self._service, task_identifier).id))

    def delete_task(self, task_identifier: str) -> TaskResult:
        return self._success(self._service.delete(resolve_task(self._service, task_identifier).id))

    def update_task(
        self,
        task_identifier: str,
        new_title: str | None = None,
        new_description: str | None = None,
        new_priority: Priority | None = None,
        new_due_date: str | None = None,
        new_status: Status | None = None,
    ) -> TaskResult:
        given = (new_title, new_description, new_priority, new_due_date, new_status)
        if all(value is None for value in given):
            message = "update_task needs something to change: a title, description, priority, due date or status."
            raise ToolFailure(ErrorKind.NOTHING_TO_CHANGE, message)
        clear = new_due_date is not None and new_due_date.lower() in (NO_DUE_DATE, "")
        task = self._service.update(
            resolve_task(self._service, task_identifier).id,
            title=new_title,
            description=new_description,
            priority=new_priority,
            due_date=None if clear else new_due_date,
            clear_due_date=clear,
            status=new_status,
        )
        return self._success(task)

    def get_user_info(self) -> UserResult:
        return {
            "status": "success",
            "name": self._user.name,
            "handle": self._user.handle,
            "pending": self._service.count(TaskQuery("pending")),
            "completed": self._service.count(TaskQuery("completed")),
            "overdue": self._service.count(TaskQuery("overdue")),
        }

    def _success(self, task: Task) -> TaskResult:
        return {
            "status": "success",
            "task_id": task.id,
            "number": task.number,
            "title": task.title,
            "description": task.description,
            "priority": task.priority,
            "due_date": task.due_date,
            "completed": task.completed,
            "changed": bool(self._service.changes),
        }


def _listed(task: Task) -> ListedTask:
    return {
        "id": task.id,
        "number": task.number,
        "title": task.title,
        "description": task.description,
        "priority": task.priority,
        "due_date": task.due_date,
        "completed": task.completed,
        "created_at": task.created_at,
    }


def _check_signatures(tools: UserTools) -> TaskTools:
    """Never called: mypy refuses this line when the class and the catalogue drift apart."""
    return tools
