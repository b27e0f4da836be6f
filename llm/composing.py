"""The composer between a model's call and its use: what the model left out is completed, asked back, or refused.

A call that is sound by itself is never taken away from the model: the composer may only add what the words say.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from domains.composing import compose
from domains.loading import load_domain
from engine.completing.sanitise import is_nothing
from engine.completing.values import ComposerSettings, Composition, Request
from engine.decision import Context, Language
from engine.domain import Domain
from engine.values import Argument, Provenance, ToolCall
from llm.border.whole_text import read_json
from llm.trace import BrokenCall, ComposerNote, RawCall

_KEPT = "The call is sound as it came."


@dataclass(frozen=True, slots=True)
class ComposedCalls:
    """What became of one raw call."""

    calls: tuple[ToolCall, ...] = ()
    broken: BrokenCall | None = None
    asking: Composition | None = None
    """The question that is left, where there is more than one way."""
    note: ComposerNote | None = None
    given: dict[str, Any] = field(default_factory=dict)


def compose_call(
    raw: RawCall,
    checked: ToolCall | BrokenCall,
    text: str,
    context: Context,
    language: Language,
    settings: ComposerSettings,
    domain: Domain | None = None,
) -> ComposedCalls:
    as_it_came = ComposedCalls(
        calls=(checked,) if isinstance(checked, ToolCall) else (),
        broken=checked if isinstance(checked, BrokenCall) else None,
    )
    arguments = _read_arguments(raw)
    if not settings.enabled or arguments is None or raw.name not in (domain or load_domain()).catalogue.by_name:
        return as_it_came
    if domain and domain.conduct:
        request = domain.conduct.request(text, raw.name, arguments, replace(context, language=language), settings)
    else:
        request = Request(
            text, raw.name, arguments, history=context.history, tasks=context, language=language, settings=settings
        )
    composed = compose(request)
    sound = isinstance(checked, ToolCall) and not any(is_nothing(value) for value in arguments.values())
    if sound and domain and domain.conduct and composed.status != "completed":
        # Every argument may be left out there, so only a call that says all by itself is sound; its names are resolved.
        alone = compose(replace(request, text="", history=()))
        sound = alone.status == "completed"
        as_it_came = replace(as_it_came, calls=tuple(_merge(each.call, checked) for each in alone.calls))
    if composed.status == "completed":
        calls = tuple(_merge(each.call, checked) for each in composed.calls)
        return ComposedCalls(calls, note=_note(raw, arguments, composed, calls))
    if sound:
        return replace(as_it_came, note=_note(raw, arguments, composed, as_it_came.calls, kept=True))
    note = _note(raw, arguments, composed, ())
    if composed.status == "needs_clarification":
        return ComposedCalls(asking=composed, note=note)
    kind = checked.kind if isinstance(checked, BrokenCall) else str(composed.why)
    reasons = [checked.message] if isinstance(checked, BrokenCall) else []
    broken = BrokenCall(raw.name, raw.arguments, kind, " ".join([*reasons, composed.message]))
    return ComposedCalls(broken=broken, note=note)


def _read_arguments(raw: RawCall) -> dict[str, Any] | None:
    try:
        arguments = read_json(raw.arguments or "{}")
    except ValueError:
        return None
    return arguments if isinstance(arguments, dict) else None


def _merge(composed: ToolCall, checked: ToolCall | BrokenCall) -> ToolCall:
    """The model's own values as they were checked; everything else is marked as the composer's."""
    own = {each.name: each for each in checked.arguments} if isinstance(checked, ToolCall) else {}
    merged = []
    for argument in composed.arguments:
        origin = argument.provenance
        if origin.source == "llm":
            merged.append(own.get(argument.name, argument))
        else:
            detail = ": ".join(part for part in (origin.source, origin.detail) if part)
            merged.append(Argument(argument.name, argument.value, Provenance("composer", origin.span, detail)))
    return ToolCall(composed.tool_name, tuple(merged))


def _note(
    raw: RawCall,
    arguments: dict[str, Any],
    composed: Composition,
    calls: tuple[ToolCall, ...],
    *,
    kept: bool = False,
) -> ComposerNote | None:
    """None where the composer had nothing to do: the card stays quiet."""
    after = calls[0].parameters if calls else {}
    changed = len(calls) > 1 or set(after) != {name for name, value in arguments.items() if not is_nothing(value)}
    if composed.status == "completed" and not changed:
        return None
    message = f"{_KEPT} {composed.message}" if kept else composed.message
    return ComposerNote(raw.name, arguments, after, composed.status, str(composed.why), message, composed.confidence)
