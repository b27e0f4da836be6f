"""A task call's arguments: what the model gave, what the engine heard, and whether the two agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domains.tasks.tools import DUE_WORDS
from engine.dates import parse_date
from engine.decision import Context, Decision, Language
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Span, ToolCall

IDENTIFIER = "task_identifier"
_DATES = ("due_date", "new_due_date", "due")
_TEXTS = ("title", "new_title", "search", "description", "new_description")


def as_given(name: str, value: object, text: str) -> Argument:
    """From the LLM; with its place where the user said these very words."""
    start = text.lower().find(value.lower()) if isinstance(value, str) and value else -1
    span = Span(start, start + len(str(value))) if start >= 0 else None
    return Argument(name, value, Provenance("llm", span))


def read_dates(given: Mapping[str, Any], context: Context, language: Language) -> dict[str, Any]:
    """Dates as the tools take them: "tomorrow" is a day. What is no date at all counts as left out."""
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _DATES or (name == "due" and value in DUE_WORDS):
            read[name] = value
            continue
        found = parse_date(str(value), context.now, language) or parse_date(str(value), context.now, "en")
        if found:
            read[name] = found.value[:10] if name == "due" else found.value
    return read


def find_missing(tool: str, names: set[str]) -> str:
    """What a call cannot do without, apart from its task: a title, or something to change."""
    if tool == "add_task" and "title" not in names:
        return "title"
    if tool == "update_task" and not names - {IDENTIFIER}:
        return "change"
    return ""


def heard_calls(heard: Decision, tool: str) -> list[ToolCall]:
    """What the engine read as calls of this tool, complete or waiting for an answer."""
    calls = list(heard.calls) or ([heard.pending.call] if heard.pending else [])
    if tool == "update_task" and heard.intent == "complete_task":
        done = Argument("new_status", "completed", Provenance("words", detail="said to be done"))
        calls = [ToolCall(tool, (*call.arguments, done)) for call in calls]
    return [call for call in calls if call.tool_name == tool]


def pick_matching(found: Sequence[ToolCall], given: Mapping[str, Any]) -> ToolCall | None:
    """The request of the message that this call is about."""
    if len(found) < 2:
        return found[0] if found else None
    for call in found:
        if any(str(given.get(name, "")).lower() == str(value).lower() for name, value in call.parameters.items()):
            return call
    return None


def find_contradiction(
    given: Mapping[str, Any], said: ToolCall | None, heard: Decision
) -> tuple[object, object] | None:
    """A value that the engine is sure of, and another one that the call has in its place."""
    if said is None or heard.action not in ("execute", "confirm"):
        return None
    for name, value in said.parameters.items():
        other = given.get(name)
        if other is not None and name != IDENTIFIER and not _agree(name, value, other):
            return value, other
    return None


def _agree(name: str, one: object, other: object) -> bool:
    if name in _TEXTS:
        return bool(set(title_words(str(one))) & set(title_words(str(other))))
    if name in _DATES:
        return str(one)[:10] == str(other)[:10]
    return one == other
