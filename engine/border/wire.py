"""Values as plain JSON and back: the batch interface, saved cases and the audit trail share this form."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.catalogue.facts import Catalogue
from engine.decision import Choice, Context, Decision, Factor, Learned, Message, Pending, TaskIndex
from engine.domain import Domain
from engine.targets.memory_index import MemoryIndex
from engine.targets.recorded_index import ReplayIndex, read_lookups
from engine.values import PRIORITIES, STATUSES, Argument, Provenance, Span, Task, ToolCall


class WireError(ValueError):
    """A message that cannot be read, in words for whoever wrote it."""


def read_context(data: Mapping[str, Any], default_now: datetime, domain: Domain | None = None) -> Context:
    """The Context of one input line; everything but the text is optional. With a domain, what the line names of it
    (a language, an intent) must be there."""
    language = data.get("lang")
    known = domain.languages if domain else ()
    if language is not None and (not isinstance(language, str) or (domain and language not in known)):
        raise WireError(f"lang must be one of {', '.join(known)}, not {language!r}")
    pending = data.get("pending")
    return Context(
        tasks=_read_index(data, domain),
        now=_read_time(data.get("now"), default_now),
        history=tuple(_read_message(entry) for entry in _sequence(data, "history")),
        pending=read_pending(pending, domain) if pending else None,
        user=str(data.get("user", "")),
        language=language,
        learned=tuple(_read_learned(entry) for entry in _sequence(data, "learned")),
        offered=tuple(read_choice(entry) for entry in _sequence(data, "offered")),
    )


def _read_index(data: Mapping[str, Any], domain: Domain | None) -> TaskIndex:
    if domain and domain.conduct:
        return domain.conduct.read_index(data)
    return read_tasks(data, domain.catalogue.states if domain else STATUSES)


def read_tasks(data: Mapping[str, Any], states: tuple[str, ...] = STATUSES) -> TaskIndex:
    """A turn that was recorded also says what was asked of its tasks; then the answers are the same."""
    tasks = tuple(read_task(entry, position, states) for position, entry in enumerate(_sequence(data, "tasks"), 1))
    lookups = data.get("lookups")
    return ReplayIndex(tasks, read_lookups(lookups)) if lookups else MemoryIndex(tasks)


def read_text(data: object) -> str:
    if not isinstance(data, Mapping):
        raise WireError("a line must be a JSON object")
    text = data.get("text")
    if not isinstance(text, str):
        raise WireError("text is missing or is no string")
    return text


def read_task(entry: object, position: int, states: tuple[str, ...] = STATUSES) -> Task:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("title"), str):
        raise WireError("each task must be an object with a title")
    priority, status = entry.get("priority") or "medium", entry.get("status") or states[0]
    if priority not in PRIORITIES or status not in states:
        raise WireError(f"task {position}: unknown priority {priority!r} or status {status!r}")
    number = entry.get("number", position)
    if not isinstance(number, int):
        raise WireError(f"task {position}: number must be an integer")
    return Task(
        id=str(entry.get("id", position)),
        number=number,
        title=entry["title"],
        description=str(entry.get("description") or ""),
        priority=priority,
        status=status,
        due_date=entry.get("due_date"),
        created_at=str(entry.get("created_at") or ""),
        updated_at=str(entry.get("updated_at") or ""),
        completed_at=entry.get("completed_at"),
    )


def _read_message(entry: object) -> Message:
    if not isinstance(entry, Mapping) or entry.get("role") not in ("user", "assistant"):
        raise WireError("each message of the history must have a role, user or assistant")
    tasks = tuple(str(task) for task in _sequence(entry, "tasks"))
    calls = tuple(read_call(call) for call in _sequence(entry, "calls"))
    return Message(entry["role"], str(entry.get("content", "")), tasks, calls)


def write_message(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "content": message.content, "tasks": list(message.tasks)}
    if message.calls:
        written["calls"] = [{"tool_name": call.tool_name, "parameters": call.parameters} for call in message.calls]
    return written


def read_pending(data: object, domain: Domain | None = None) -> Pending:
    if not isinstance(data, Mapping) or data.get("kind") not in ("confirm", "choose", "fill"):
        raise WireError("pending must be an object whose kind is confirm, choose or fill")
    intent = data.get("intent")
    if not isinstance(intent, str) or (domain and intent not in domain.catalogue.intents):
        raise WireError(f"pending: unknown intent {data.get('intent')!r}")
    return Pending(
        kind=data["kind"],
        intent=intent,
        call=read_call(data.get("call")),
        parameter=data.get("parameter"),
        options=tuple(str(option) for option in _sequence(data, "options")),
        question=str(data.get("question", "")),
        then=tuple(read_call(entry) for entry in _sequence(data, "then")),
        choices=tuple(read_choice(entry) for entry in _sequence(data, "choices")),
        text=str(data.get("text", "")),
        learns=str(data.get("learns", "")),
    )


def read_choice(data: object) -> Choice:
    if not isinstance(data, Mapping) or not isinstance(data.get("label"), str):
        raise WireError("a choice must be an object with a label")
    return Choice(data["label"], str(data.get("tool_name", "")), dict(data.get("arguments") or {}))


def _read_learned(data: object) -> Learned:
    try:
        return Learned(str(data["key"]), str(data["target_id"]), int(data["times"]))  # type: ignore[index]
    except (KeyError, TypeError, ValueError):
        raise WireError("learned: each entry needs key, target_id and times") from None


def read_call(data: object) -> ToolCall:
    if not isinstance(data, Mapping) or not isinstance(data.get("tool_name"), str):
        raise WireError("a call must be an object with a tool_name")
    parameters, origins = data.get("parameters") or {}, data.get("provenance") or {}
    return ToolCall(
        data["tool_name"],
        tuple(Argument(name, value, _read_provenance(origins.get(name))) for name, value in parameters.items()),
    )


def _read_provenance(data: object) -> Provenance:
    if not isinstance(data, Mapping):
        return Provenance("conversation")
    span = data.get("span")
    return Provenance(data.get("source", "conversation"), Span(*span) if span else None, str(data.get("detail", "")))


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
        "ledger": [_write_factor(factor) for factor in decision.ledger],
        "message": decision.message,
        "pending": write_pending(decision.pending) if decision.pending else None,
    }


def write_pending(pending: Pending) -> dict[str, Any]:
    return {
        "kind": pending.kind,
        "intent": pending.intent,
        "call": write_call(pending.call),
        "parameter": pending.parameter,
        "options": list(pending.options),
        "question": pending.question,
        "then": [write_call(call) for call in pending.then],
        **({"choices": [write_choice(each) for each in pending.choices]} if pending.choices else {}),
        **({"text": pending.text} if pending.text else {}),
        **({"learns": pending.learns} if pending.learns else {}),
    }


def write_choice(choice: Choice) -> dict[str, Any]:
    return {"label": choice.label, "tool_name": choice.tool_name, "arguments": dict(choice.arguments)}


def write_call(call: ToolCall) -> dict[str, Any]:
    provenance = {argument.name: _write_provenance(argument.provenance) for argument in call.arguments}
    return {"tool_name": call.tool_name, "parameters": call.parameters, "provenance": provenance}


def _write_judged_call(decision: Decision, place: int, catalogue: Catalogue) -> dict[str, Any]:
    call = decision.calls[place]
    confidence = decision.call_confidences[place] if place < len(decision.call_confidences) else decision.confidence
    written = {"intent": catalogue.intent_of(call.tool_name), **write_call(call), "confidence": confidence}
    target = catalogue.target_of(call)
    for reference in decision.references:
        for candidate in reference.candidates:
            if candidate.task_id == target == reference.task_id:
                written["task"] = {"id": candidate.task_id, "how": candidate.how, "score": round(candidate.score, 4)}
    return written


def _write_provenance(provenance: Provenance) -> dict[str, Any]:
    written = {"source": provenance.source, "span": _write_span(provenance.span)}
    return _without_empty({**written, "detail": provenance.detail})


def _write_factor(factor: Factor) -> dict[str, Any]:
    return _without_empty({**factor._asdict(), "span": _write_span(factor.span)})


def _write_span(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value not in (None, "")}


def _sequence(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name) or []
    if not isinstance(value, list):
        raise WireError(f"{name} must be a list")
    return value


def _read_time(value: object, default: datetime) -> datetime:
    if value is None:
        return default
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        raise WireError(f"now must be an ISO time, not {value!r}") from None
