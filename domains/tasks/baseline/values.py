"""The keywords of spec 1's algorithm, and the functions that it calls without giving their code, read as
simply as their names allow.

The functions see the message in lower case, as the algorithm hands it to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine.decision import Intent
from engine.targets.identifiers import parse_identifier
from engine.values import PRIORITIES, TITLE_LIMIT, Span, Task

INTENT_KEYWORDS: Mapping[Intent, tuple[str, ...]] = MappingProxyType(
    {
        "add_task": ("add", "create", "new", "make", "set up", "build", "schedule", "plan", "need to", "i should"),
        "list_tasks": (
            *("show", "list", "get", "view", "display", "what", "tasks", "todo", "pending", "upcoming"),
            *("today", "overdue", "due"),
        ),
        "update_task": ("change", "update", "modify", "rename", "set", "edit", "adjust", "replace", "switch"),
        "complete_task": ("done", "complete", "finish", "mark", "check off", "accomplished", "finished"),
        "delete_task": ("remove", "delete", "discard", "clear", "get rid", "drop", "erase"),
    }
)
EXPLICIT_KEYWORDS: Mapping[Intent, tuple[str, ...]] = MappingProxyType(
    {
        "add_task": ("add", "create", "new"),
        "list_tasks": ("show", "list", "get"),
        "update_task": ("change", "update"),
        "complete_task": ("done", "complete"),
        "delete_task": ("delete", "remove"),
    }
)

# "Add a task to buy groceries", "new task about taxes", "i need to call mom": what follows is the title.
_TITLE = re.compile(
    r"\b(?:(?:add|create|make|new|build|set up|schedule|plan)\b(?: (?:a|an|the|new|my))*(?: task)?"
    r"|i (?:need to|should)\b)"
    r"(?:\s*:| to\b| about\b| for\b| called\b)?\s*(?P<title>\S.*)",
    re.DOTALL,
)
_DESCRIPTION = re.compile(r"\bdescription\b\s*(?:to\b|:|of\b)?\s*(?P<value>\S.*)", re.DOTALL)
_IDENTIFIER = re.compile(r"(?:task #|id:)\s*(?P<id>[\w-]+)")


def span_of(keyword: str, message: str, text: str) -> Span:
    """Where a keyword of the lowered, stripped message stands in the text.

    Lowering may change the length ("İ" becomes two characters), so the span is kept within the text.
    """
    start = message.find(keyword) + len(text) - len(text.lstrip())
    return Span(min(start, len(text)), min(start + len(keyword), len(text)))


def extract_title_for_add(message: str) -> str | None:
    found = _TITLE.search(message)
    title = found["title"] if found else ""
    title = title.split(" with description ")[0].strip(" .!\"'")
    return title[:TITLE_LIMIT] or None


def extract_description(message: str) -> str | None:
    found = _DESCRIPTION.search(message)
    return found["value"].strip(" .!\"'") or None if found else None


def extract_priority(message: str) -> str | None:
    return next((each for each in reversed(PRIORITIES) if each in message), None)


def extract_number(message: str, name: str) -> int | None:
    """The number after the name. The spec's third argument, 10, would limit every list to ten tasks, while its
    own examples show lists without a limit; so it is read as what "limit" without a number means."""
    found = re.search(rf"{name}\D{{0,10}}(\d{{1,3}})", message, re.ASCII)
    if found:
        return int(found[1])
    return 10 if name in message else None


def extract_filters(message: str) -> dict[str, object]:
    filters: dict[str, object] = {}
    if "overdue" in message:
        filters["filter"] = "overdue"
    elif "pending" in message or "incomplete" in message:
        filters["filter"] = "pending"
    elif "done" in message or "completed" in message:
        filters["filter"] = "completed"
    if "high" in message:
        filters["priority"] = "high"
    elif "low" in message:
        filters["priority"] = "low"
    if "today" in message:
        filters["due"] = "today"
    elif "this week" in message:
        filters["due"] = "this_week"
    return filters


def extract_new_values(message: str) -> dict[str, object | None]:
    found: dict[str, object | None] = {}
    if "title" in message or "name" in message:
        found["title"] = extract_new_value(message)
    if "description" in message:
        found["description"] = extract_new_value(message)
    if "priority" in message:
        found["priority"] = extract_priority(message)
    return found


def extract_new_value(message: str) -> str | None:
    """What stands after the last "to"."""
    before, to, value = message.rpartition(" to ")
    return value.strip(" .!\"'")[:TITLE_LIMIT] or None if to and before else None


def extract_task_id(message: str, current: Sequence[Task]) -> str | None:
    """The task that "task #12" or "id: …" names, if it is among the current ones."""
    found = _IDENTIFIER.search(message)
    if not found:
        return None
    wanted = parse_identifier(found["id"])
    return next((each.id for each in current if wanted.text == each.id or wanted.number == each.number), None)
