"""A call's arguments: what the model gave, what the engine heard, and whether the two agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.catalogue.facts import Catalogue, Reads, ToolFacts
from engine.completing.means import Means
from engine.dates import parse_date
from engine.decision import Context, Decision
from engine.policy.sentences import CHANGE
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Span, ToolCall

_DATES = ("date", "day_filter")
_TEXTS = ("name", "note", "search", "words")


def as_given(name: str, value: object, text: str) -> Argument:
    """From the LLM; with its place where the user said these very words."""
    start = text.lower().find(value.lower()) if isinstance(value, str) and value else -1
    span = Span(start, start + len(str(value))) if start >= 0 else None
    return Argument(name, value, Provenance("llm", span))


def read_dates(given: Mapping[str, Any], facts: ToolFacts, context: Context, means: Means) -> dict[str, Any]:
    """Dates as the tools take them: "tomorrow" is a day. What is no date at all counts as left out."""
    read: dict[str, Any] = {}
    for name, value in given.items():
        kind = facts.reads.get(name)
        if kind not in _DATES or (kind == "day_filter" and str(value) in means.day_names):
            read[name] = value
            continue
        readings = (parse_date(str(value), context.now, words) for words in means.date_words)
        found = next((each for each in readings if each), None)
        if found:
            read[name] = found.value[:10] if kind == "day_filter" else found.value
    return read


def find_missing(facts: ToolFacts, names: set[str], catalogue: Catalogue) -> str:
    """What a call cannot do without beside its target: a name, something to change, or what its signature needs."""
    name = facts.argument("name")
    if facts.effect == "add" and name and name not in names:
        return name
    if facts.effect == "change" and not names - {facts.target}:
        return CHANGE
    needed = (name for name in catalogue.required[facts.name] if name != facts.target)
    return next((name for name in needed if name not in names), "")


def heard_calls(heard: Decision, facts: ToolFacts, catalogue: Catalogue) -> list[ToolCall]:
    """What the engine read as calls of this tool, complete or waiting for an answer."""
    calls = list(heard.calls) or ([heard.pending.call] if heard.pending else [])
    meant = catalogue.by_intent.get(heard.intent)
    status = facts.argument("status")
    if facts.effect == "change" and status and meant is not None and meant.effect == "finish":
        done = Argument(status, catalogue.states[1], Provenance("words", detail="said to be done"))
        calls = [ToolCall(facts.name, (*call.arguments, done)) for call in calls]
    return [call for call in calls if call.tool_name == facts.name]


def pick_matching(found: Sequence[ToolCall], given: Mapping[str, Any]) -> ToolCall | None:
    """The request of the message that this call is about."""
    if len(found) < 2:
        return found[0] if found else None
    for call in found:
        if any(str(given.get(name, "")).lower() == str(value).lower() for name, value in call.parameters.items()):
            return call
    return None


def find_contradiction(
    given: Mapping[str, Any], said: ToolCall | None, heard: Decision, facts: ToolFacts
) -> tuple[object, object] | None:
    """A value that the engine is sure of, and another one that the call has in its place."""
    if said is None or heard.action not in ("execute", "confirm"):
        return None
    for name, value in said.parameters.items():
        other = given.get(name)
        if other is not None and name != facts.target and not _agree(facts.reads.get(name), value, other):
            return value, other
    return None


def _agree(kind: Reads | None, one: object, other: object) -> bool:
    if kind in _TEXTS:
        return bool(set(title_words(str(one))) & set(title_words(str(other))))
    if kind in _DATES:
        return str(one)[:10] == str(other)[:10]
    return one == other
