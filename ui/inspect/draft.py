"""The context as it stands in the editor, half-typed JSON included, and how it becomes a context. No streamlit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from domains.loading import TASKS, load_domain
from engine.border.plain import WireError
from engine.values import PRIORITIES, STATUSES
from ui.given.message import make_context

_BY_WORDS = "auto"
_FIELDS = ("tasks", "lookups", "history", "pending", "now", "user", "lang", "domain")
"""What every context has; a domain with a reading of its own has its things beside it."""
COLUMNS = ("id", "number", "title", "status", "priority", "due_date", "description")


def name_languages(domain: str = TASKS) -> dict[str, str]:
    """What a message can be told to be in, as people call it; by its words unless somebody says so."""
    policies = load_domain(domain).policies
    return {_BY_WORDS: "By its words", **{language: policy.name for language, policy in policies.items()}}


@dataclass(frozen=True, slots=True)
class ContextDraft:
    """What the fields hold. The texts are kept as typed: a missing comma must not cost what was written."""

    tasks: tuple[Mapping[str, Any], ...]
    now: str
    language: str
    history: str
    pending: str
    user: str = ""
    lookups: Mapping[str, Any] | None = None
    """What a recorded turn asked of its tasks, for as long as nobody edits them: the answers are then the same."""
    domain: str = TASKS
    reach: str = ""
    """For a domain with a reading of its own: what is in reach, and what else it goes by, as JSON."""


def draft_of(wire: Mapping[str, Any], domain: str = TASKS) -> ContextDraft:
    own = {name: value for name, value in wire.items() if name not in _FIELDS} if load_domain(domain).conduct else {}
    return ContextDraft(
        tasks=tuple(
            {"id": str(place), "number": place, **task} for place, task in enumerate(wire.get("tasks") or (), start=1)
        ),
        now=str(wire.get("now") or ""),
        language=wire.get("lang") or _BY_WORDS,
        history=_written(wire.get("history") or []),
        pending=_written(wire["pending"]) if wire.get("pending") else "",
        user=str(wire.get("user") or ""),
        lookups=wire.get("lookups"),
        domain=domain,
        reach=_written(own),
    )


def read_draft(draft: ContextDraft, last_good: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The context, and what is wrong with which field; a field that cannot be read counts as it last was."""
    problems: dict[str, str] = {}
    wire: dict[str, Any] = {"lang": None if draft.language == _BY_WORDS else draft.language, "user": draft.user}
    if draft.lookups:
        wire["lookups"] = draft.lookups
    readers: dict[str, Callable[[], Any]] = {
        **({} if draft.reach else {"tasks": lambda: list(draft.tasks)}),
        "now": lambda: _required(draft.now),
        "history": lambda: _read_json(draft.history) or [],
        "pending": lambda: _read_json(draft.pending),
    }
    for name, read in readers.items():
        try:
            wire[name] = read()
            make_context({name: wire[name]}, draft.domain)
        except (WireError, ValueError, TypeError, RecursionError) as error:
            problems[name] = _sentence(error)
            wire[name] = last_good.get(name)
    if draft.reach:
        reach, problem = _read_reach(draft, last_good)
        return {**reach, **wire}, {**problems, **({"reach": problem} if problem else {})}
    return wire, problems


def _read_reach(draft: ContextDraft, last_good: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    try:
        found = _object(_read_json(draft.reach))
        make_context(found, draft.domain)
    except (WireError, ValueError, TypeError, RecursionError) as error:
        return {name: value for name, value in last_good.items() if name not in _FIELDS}, _sentence(error)
    return found, ""


def _object(found: object) -> dict[str, Any]:
    if not isinstance(found, dict) or set(found) & set(_FIELDS):
        raise WireError("this must be an object with what is in reach")
    return found


def _required(text: str) -> str:
    """The clock may not be left to the moment: a case and a link must decide the same tomorrow."""
    if not text.strip():
        raise WireError("a time is needed")
    return text.strip()


def _read_json(text: str) -> Any:
    return json.loads(text) if text.strip() else None


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) if value else ""


def _sentence(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"This is not valid JSON yet: line {error.lineno}, column {error.colno}: {error.msg}."
    return f"This cannot be read yet: {error}."


def task_frame(tasks: tuple[Mapping[str, Any], ...]) -> pd.DataFrame:
    rows = [{name: task.get(name) for name in COLUMNS} for task in tasks]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"number": "Int64", **dict.fromkeys(_TEXTS, "object")})


_TEXTS = ("id", "title", "status", "priority", "due_date", "description")


def tasks_of(
    frame: pd.DataFrame, started: tuple[Mapping[str, Any], ...], states: tuple[str, ...] = STATUSES
) -> tuple[Mapping[str, Any], ...]:
    """The tasks that the table holds now: edited ones keep what has no column, new ones get an id and a number."""
    before = {str(task.get("id")): task for task in started}
    highest = max((int(task.get("number") or 0) for task in started), default=0)
    tasks: list[Mapping[str, Any]] = []
    for position, row in enumerate(frame.to_dict("records"), start=1):
        cells = {str(name): _plain(value) for name, value in row.items()}
        title = str(cells["title"] or "").strip()
        if not title:
            continue  # a new row, before anything was typed into it
        known = before.get(str(cells["id"]))
        if known is None:
            highest += 1
            known = {"id": f"new-{position}", "number": highest}
        title = str(cells["title"]) if cells["title"] == known.get("title") else title
        now = {**_checked(cells, states), "title": title, "number": cells["number"] or known.get("number")}
        was = {**_checked(known, states), "title": known.get("title"), "number": known.get("number")}
        # Only what was edited: a recorded context must come back from the table exactly as it was.
        tasks.append({**known, **{name: value for name, value in now.items() if value != was[name]}})
    return tuple(tasks)


def _checked(cells: Mapping[str, Any], states: tuple[str, ...]) -> dict[str, Any]:
    due = cells.get("due_date")
    return {
        "status": cells.get("status") if cells.get("status") in states else states[0],
        "priority": cells.get("priority") if cells.get("priority") in PRIORITIES else "medium",
        "due_date": str(due).strip() or None if due else None,
        "description": str(cells.get("description") or ""),
    }


def _plain(value: object) -> Any:
    return None if value is None or value is pd.NA or value != value else value
