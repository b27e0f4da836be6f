"""The batch interface: what one line of JSON brings, and what is written for it. Recorded turns have the same form."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from engine.border.json_form import from_json, to_json
from engine.border.plain import WireError
from engine.catalogue.facts import Catalogue
from engine.decision import Context, Decision, Pending, TaskIndex
from engine.domain import Domain
from engine.targets.memory_index import MemoryIndex
from engine.targets.recorded_index import ReplayIndex, read_lookups
from engine.values import STATUSES, Task


class RecordedIndex(Protocol):
    """What is in reach, and what is to be kept of it with a turn."""

    def record(self) -> dict[str, Any]: ...


def read_text(data: object) -> str:
    if not isinstance(data, Mapping):
        raise WireError("a line must be a JSON object")
    text = data.get("text")
    if not isinstance(text, str):
        raise WireError("text is missing or is no string")
    return text


def read_context(data: Mapping[str, Any], default_now: datetime, domain: Domain | None = None) -> Context:
    """The Context of one input line; everything but the text is optional. With a domain, what the line names of it
    (a language, an intent) must be there."""
    now = default_now if data.get("now") is None else data["now"]
    pending = data.get("pending") or None
    context = from_json(Context, {**data, "tasks": _read_index(data, domain), "now": now, "pending": pending})
    if domain and context.language is not None:
        _check(context.language, domain.languages, "lang")
    if domain and context.pending:
        _check_pending(context.pending, domain.catalogue)
    return context


def _check_pending(pending: Pending, catalogue: Catalogue) -> None:
    """A question about a tool that is there: an answer to any other could not be carried out."""
    _check(pending.intent, [catalogue.intent_of(name) for name in catalogue.by_name], "pending.intent")
    calls = {"call": pending.call}
    calls |= {f"then[{place}]": call for place, call in enumerate(pending.then, 1)}
    for where, call in calls.items():
        _check(call.tool_name, catalogue.by_name, f"pending.{where}.tool_name")


def _check(said: str, known: Collection[str], where: str) -> None:
    if said not in known:
        raise WireError(f"must be one of {', '.join(known)}, not {said!r}", where)


def _read_index(data: Mapping[str, Any], domain: Domain | None) -> TaskIndex:
    if domain and domain.conduct:
        return domain.conduct.read_index(data)
    return read_tasks(data, domain.catalogue.states if domain else STATUSES)


def read_tasks(data: Mapping[str, Any], states: tuple[str, ...] = STATUSES) -> TaskIndex:
    """A turn that was recorded also says what was asked of its tasks; then the answers are the same."""
    entries = data.get("tasks") or []
    if not isinstance(entries, list):
        raise WireError("must be a list", "tasks")
    tasks = tuple(read_task(entry, position, states) for position, entry in enumerate(entries, 1))
    lookups = data.get("lookups")
    return ReplayIndex(tasks, read_lookups(lookups)) if lookups else MemoryIndex(tasks)


def read_task(entry: object, position: int, states: tuple[str, ...] = STATUSES) -> Task:
    """Where it does not say them, its place is its id and its number."""
    where = f"tasks[{position}]"
    if not isinstance(entry, Mapping):
        raise WireError("must be an object with a title", where)
    said = {name: value for name, value in entry.items() if value is not None}
    status = said.get("status") or states[0]
    task = from_json(Task, {"id": position, "number": position, **said, "status": status}, where)
    _check(task.status, states, f"{where}.status")
    return task


def write_context(context: Context, index: RecordedIndex) -> dict[str, Any]:
    """The Context as a line of the batch interface without its text, with what was looked at."""
    nothing: Any = ()
    return {**index.record(), **to_json(replace(context, tasks=nothing), named=True)}


def write_decision(decision: Decision, catalogue: Catalogue) -> dict[str, Any]:
    """One output line, without the id that the caller adds."""
    return {
        "action": decision.action,
        "intent": decision.intent,
        "act": decision.act,
        "reason": str(decision.reason),
        "calls": [_write_judged_call(decision, place, catalogue) for place in range(len(decision.calls))],
        "scores": {score.intent: round(score.score, 4) for score in decision.scores},
        "confidence": decision.confidence,
        "ledger": [_without_empty(factor) for factor in to_json(decision.ledger, named=True)],
        "message": decision.message,
        "pending": to_json(decision.pending),
    }


def _write_judged_call(decision: Decision, place: int, catalogue: Catalogue) -> dict[str, Any]:
    call = decision.calls[place]
    confidence = decision.call_confidences[place] if place < len(decision.call_confidences) else decision.confidence
    written = {"intent": catalogue.intent_of(call.tool_name), **to_json(call), "confidence": confidence}
    target = catalogue.target_of(call)
    for reference in decision.references:
        for candidate in reference.candidates:
            if candidate.task_id == target == reference.task_id:
                written["task"] = {"id": candidate.task_id, "how": candidate.how, "score": round(candidate.score, 4)}
    return written


def _without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value not in (None, "")}
