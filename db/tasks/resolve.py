"""From what a call says to one task: by UUID, number, exact title, partial title, in that order."""

from __future__ import annotations

from db.failures import ToolFailure
from db.tasks.service import TaskService
from domains.loading import numbered_nouns
from engine.targets.identifiers import parse_identifier
from engine.values import ErrorKind, Task

MOST_SUGGESTIONS = 5


def resolve_task(service: TaskService, text: str) -> Task:
    """The one task meant. Several are never guessed between; none comes with the nearest titles."""
    identifier = parse_identifier(text, numbered_nouns())
    if identifier.uuid:
        task = service.find_by_id(identifier.uuid)
        if task:
            return task
    numbered = service.find_by_number(identifier.number) if identifier.number else None
    titled = [task for task in service.with_exact_title(identifier.text) if task != numbered]
    # "2024" may be a number and a title at once: then it is for the user to say which.
    exact = [task for task in (numbered, *titled) if task]
    matches = exact or list(service.search_by_title(identifier.text, MOST_SUGGESTIONS + 1))
    if len(matches) == 1:
        return matches[0]
    shown = identifier.text if len(identifier.text) <= 80 else identifier.text[:79] + "…"
    if matches:
        message = f"Multiple tasks match '{shown}'. Please be more specific."
        raise ToolFailure(ErrorKind.SEVERAL_MATCHES, message, matches[:MOST_SUGGESTIONS])
    nearest = service.nearest(identifier.text, MOST_SUGGESTIONS)
    raise ToolFailure(ErrorKind.NOT_FOUND, f"No task found matching '{shown}'", nearest)
