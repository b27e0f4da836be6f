"""The tools for tasks: one typed signature with a docstring per tool, and the facts that the engine goes by.

Everything else that describes a tool (the OpenAI schema, the MCP schema, the reference on the
Tools page) is derived from here by `engine.catalogue.schemas`; the executor implements `TaskTools`, so
mypy holds the implementation to the signature.

Nobody passes a user: every implementation is bound to one. This module stays free of pydantic so
that the engine starts quickly; the constraints are plain `annotated_types`, which pydantic reads.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, Protocol

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import TypedDict  # pydantic refuses the one of typing before Python 3.12

from engine.domain import Catalogue, read_catalogue, tool
from engine.values import DESCRIPTION_LIMIT, TITLE_LIMIT, Priority, Status

Filter = Literal["all", "pending", "completed", "overdue"]
FILTERS: tuple[Filter, ...] = ("all", "pending", "completed", "overdue")
DUE_WORDS = ("today", "tomorrow", "this_week")
NO_DUE = "none"
"""Asks for tasks without a date. Like two days joined by a slash it is no part of the description below, which stands
word for word in what the embedded model was trained on."""
LIST_LIMIT = 1000

Title = Annotated[str, MinLen(1), MaxLen(TITLE_LIMIT)]
Description = Annotated[str, MaxLen(DESCRIPTION_LIMIT)]
TaskIdentifier = Annotated[str, MinLen(1), MaxLen(TITLE_LIMIT)]
DueDate = Annotated[str, MaxLen(32)]
SearchWords = Annotated[str, MaxLen(TITLE_LIMIT)]
Limit = Annotated[int, Ge(1), Le(LIST_LIMIT)]
Offset = Annotated[int, Ge(0)]


class Nearby(TypedDict):
    """A task that a failed call may have meant."""

    id: str
    number: int
    title: str


class TaskResult(TypedDict):
    """What add, complete, delete and update answer."""

    status: Literal["success", "error"]
    task_id: NotRequired[str]
    number: NotRequired[int]
    title: NotRequired[str]
    description: NotRequired[str]
    priority: NotRequired[Priority]
    due_date: NotRequired[str | None]
    completed: NotRequired[bool]
    changed: NotRequired[bool]
    """False where everything was already as asked: nothing was done, nothing can be undone."""
    error_kind: NotRequired[str]
    error_message: NotRequired[str]
    suggestions: NotRequired[list[Nearby]]
    confirmation: NotRequired[str]
    """Where a destructive call was held back: what `confirm_call` takes once the person has said yes."""


class ListedTask(TypedDict):
    id: str
    number: int
    title: str
    description: str
    priority: Priority
    due_date: str | None
    completed: bool
    created_at: str


class TaskListResult(TypedDict):
    """`count` is the length of `tasks`; `total` counts what matches without limit and offset."""

    status: Literal["success", "error"]
    count: NotRequired[int]
    total: NotRequired[int]
    tasks: NotRequired[list[ListedTask]]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class UserResult(TypedDict):
    status: Literal["success", "error"]
    name: NotRequired[str]
    handle: NotRequired[str]
    pending: NotRequired[int]
    completed: NotRequired[int]
    overdue: NotRequired[int]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class TaskTools(Protocol):
    """The six tools. Whoever implements them acts for exactly one user."""

    @tool(
        intent="add_task",
        label="Add a task",
        effect="add",
        reads={"title": "name", "description": "note", "priority": "level", "due_date": "date"},
    )
    def add_task(
        self,
        title: Title,
        description: Description = "",
        priority: Priority = "medium",
        due_date: DueDate | None = None,
    ) -> TaskResult:
        """Create a new task for the user.

        Args:
            title: What is to be done, in the user's words.
            description: Details that do not belong in the title.
            priority: How much it matters.
            due_date: When it is due: an ISO day (2026-03-02) or day and time (2026-03-02T18:30).
        """
        ...

    @tool(
        intent="list_tasks",
        label="List tasks",
        effect="read",
        reads={
            "filter": "state_filter",
            "priority": "level_filter",
            "due": "day_filter",
            "search": "search",
            "limit": "limit",
            "offset": "offset",
        },
    )
    def list_tasks(
        self,
        filter: Filter = "all",  # noqa: A002 - the name is the interface
        priority: Priority | None = None,
        due: DueDate | None = None,
        search: SearchWords | None = None,
        limit: Limit | None = None,
        offset: Offset | None = None,
    ) -> TaskListResult:
        """List the user's tasks, all of them or those that fit every condition given.

        Args:
            filter: Which tasks by status; overdue means pending and past its due date.
            priority: Only tasks of this priority.
            due: Only tasks due then: today, tomorrow, this_week, or an ISO day.
            search: Only tasks whose title or description contains all of these words.
            limit: At most this many tasks.
            offset: Leave out this many tasks from the start.
        """
        ...

    @tool(intent="complete_task", label="Complete a task", effect="finish", target="task_identifier")
    def complete_task(self, task_identifier: TaskIdentifier) -> TaskResult:
        """Mark one task as completed.

        Args:
            task_identifier: The task's id, its number (#12), or its title or a part of it.
        """
        ...

    @tool(intent="delete_task", label="Delete a task", effect="remove", target="task_identifier", needs_yes=True)
    def delete_task(self, task_identifier: TaskIdentifier) -> TaskResult:
        """Delete one task.

        Args:
            task_identifier: The task's id, its number (#12), or its title or a part of it.
        """
        ...

    @tool(
        intent="update_task",
        label="Change a task",
        effect="change",
        target="task_identifier",
        reads={
            "new_title": "name",
            "new_description": "note",
            "new_priority": "level",
            "new_due_date": "date",
            "new_status": "status",
        },
    )
    def update_task(
        self,
        task_identifier: TaskIdentifier,
        new_title: Title | None = None,
        new_description: Description | None = None,
        new_priority: Priority | None = None,
        new_due_date: DueDate | None = None,
        new_status: Status | None = None,
    ) -> TaskResult:
        """Change one task: its title, description, priority, due date or status.

        Args:
            task_identifier: The task's id, its number (#12), or its title or a part of it.
            new_title: The new title.
            new_description: The new description; an empty text removes it.
            new_priority: The new priority.
            new_due_date: The new due date as an ISO day or day and time; "none" removes it.
            new_status: completed, or pending to reopen a completed task.
        """
        ...

    @tool(intent="identity_query", label="Who am I", doing="say who you are", effect="read")
    def get_user_info(self) -> UserResult:
        """Say who the user is and how many tasks they have."""
        ...


SAYINGS = ("remind me to call Anna tomorrow at 5 pm", "delete the passport task", "mark the call as done")
"""For who looks at the assistant for the first time."""
CATALOGUE: Catalogue = read_catalogue(TaskTools, states=("pending", "completed"))
TOOL_NAMES: tuple[str, ...] = tuple(CATALOGUE.by_name)
DESTRUCTIVE_TOOLS: frozenset[str] = frozenset(each.name for each in CATALOGUE.tools if each.needs_yes)
