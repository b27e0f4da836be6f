"""From what a model wrote to calls that are sound, or broken with the reason. The engine reads the dates."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from domains.catalogues import load_tools
from domains.loading import TASKS, load_domain
from engine.border.arguments import BadArgumentsError, check_arguments
from engine.completing.values import ComposerSettings, Composition
from engine.dates import DateMatch, parse_date
from engine.decision import Context, Language
from engine.domain import Domain, ToolFacts
from engine.values import Argument, ErrorKind, Provenance, Span, ToolCall, each_once
from llm.border.whole_text import read_json
from llm.composing import ComposedCalls, compose_call
from llm.copied import read_copied
from llm.numbered import by_number, taking_back
from llm.tool_list import TALK_TOOLS
from llm.trace import BrokenCall, ComposerNote, ModelAnswer, Path, RawCall

_NO_DATE = "none"
_SHOWN = 2000
MOST_CALLS = 20
"""In one answer. No message asks for so many; what is left would only be looked up in vain."""
_NO_COMPOSER = ComposerSettings(enabled=False)


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    calls: tuple[ToolCall, ...] = ()
    broken: tuple[BrokenCall, ...] = ()
    reply: str = ""
    raw: tuple[RawCall, ...] = field(default=())
    asking: Composition | None = None
    """A call that could be completed in several ways: the user has to say which."""
    notes: tuple[ComposerNote, ...] = ()


def read_answer(
    answer: ModelAnswer,
    path: Path,
    text: str,
    context: Context,
    language: Language,
    composer: ComposerSettings = _NO_COMPOSER,
    domain: Domain | None = None,
    *,
    copied: bool = False,
) -> ReadAnswer:
    """Every call that the model made, each either sound, completed, asked about or broken. `copied`: by a model that
    was trained to give words of the message, see `llm/copied.py`."""
    raw, reply, broken = (answer.calls, answer.text, ()) if path == "tools" else _unpack(answer)
    domain = domain or load_domain()
    if len(raw) > MOST_CALLS:
        many = f"The model asked for {len(raw):,} calls at once; {MOST_CALLS} are the most."
        return ReadAnswer(broken=(_broken(raw[0], "too_many", many),), raw=raw[:MOST_CALLS])
    check = check_copied if copied and domain.name == TASKS else check_call
    own = copied and domain.conduct is not None
    meant = tuple(by_number(call, context, domain) for call in raw) if own else raw
    checked = [(taking_back(call) if own else None) or check(call, text, context, language, domain) for call in meant]
    # A model that copies says all that it has read; the engine's own reading would only be mixed into it.
    read = [
        ComposedCalls((each,))
        if copied and isinstance(each, ToolCall) and (not own or each.tool_name in TALK_TOOLS)
        else compose_call(call, each, text, context, language, composer, domain)
        for call, each in zip(meant, checked, strict=True)
    ]
    return ReadAnswer(
        calls=each_once(call for each in read for call in each.calls),
        broken=(*broken, *(each.broken for each in read if each.broken)),
        reply=reply.strip(),
        raw=raw,
        asking=next((each.asking for each in read if each.asking), None),
        notes=tuple(each.note for each in read if each.note),
    )


def check_call(raw: RawCall, text: str, context: Context, language: Language, domain: Domain) -> ToolCall | BrokenCall:
    parameters = _read_parameters(raw)
    if isinstance(parameters, BrokenCall):
        return parameters
    try:
        checked = check_arguments(raw.name, parameters, load_tools(domain.name))
        given = {name: checked[name] for name in parameters if checked[name] is not None}
        facts = domain.catalogue.by_name[raw.name]
        read = {name: _read(name, value, facts, context, language, domain) for name, value in given.items()}
    except BadArgumentsError as error:
        return _broken(raw, str(error.kind), error.message)
    return ToolCall(raw.name, tuple(Argument(name, value, _origin(value, text)) for name, value in read.items()))


def _read_parameters(raw: RawCall) -> dict[str, Any] | BrokenCall:
    try:
        parameters = read_json(raw.arguments or "{}")
    except ValueError:
        return _broken(raw, "not_json", "The arguments are not valid JSON.")
    return (
        parameters if isinstance(parameters, dict) else _broken(raw, "not_json", "The arguments are not a JSON object.")
    )


def check_copied(
    raw: RawCall, text: str, context: Context, language: Language, domain: Domain
) -> ToolCall | BrokenCall:
    """As above, of a model that copies: its words come to values in the light of the task and the conversation, what it
    miscopied is put right, and what it leaves empty is asked for."""
    parameters = _read_parameters(raw)
    if isinstance(parameters, BrokenCall):
        return parameters
    try:
        return read_copied(raw.name, parameters, text, context, domain.policies[language], load_tools(domain.name))
    except BadArgumentsError as error:
        return _broken(raw, str(error.kind), error.message)


def _read(name: str, value: Any, facts: ToolFacts, context: Context, language: Language, domain: Domain) -> Any:
    """Dates as the tools take them; every other value as it is."""
    kind = facts.reads.get(name)
    if kind not in ("date", "day_filter"):
        return value
    cleared = kind == "date" and bool(facts.target) and value == _NO_DATE
    if cleared or (kind == "day_filter" and f"{name}_{value}" in domain.policies[language].words):
        return value
    found = _read_date(value, context, language, domain)
    if found is None:
        raise BadArgumentsError(ErrorKind.BAD_DATE, f"'{value}' is not a date.")
    return found.value[:10] if kind == "day_filter" else found.value


def _read_date(value: str, context: Context, language: Language, domain: Domain) -> DateMatch | None:
    """In the language of the message; a model may also write the date in the domain's first language."""
    policies = domain.policies
    for each in (language, next(iter(policies))):
        found = parse_date(value, context.now, policies[each].date_words)
        if found:
            return found
    return None


def _origin(value: object, text: str) -> Provenance:
    """From the LLM; with its place where the user said these very words."""
    start = text.lower().find(value.lower()) if isinstance(value, str) and value else -1
    return Provenance("llm", Span(start, start + len(str(value))) if start >= 0 else None)


def _unpack(answer: ModelAnswer) -> tuple[tuple[RawCall, ...], str, tuple[BrokenCall, ...]]:
    """The calls inside an answer in JSON. Text that is no JSON object is a broken answer, not a reply."""
    try:
        data = read_json(answer.text)
        entries = data.get("calls", [])
        calls = tuple(RawCall(str(entry["name"]), json.dumps(entry.get("arguments") or {})) for entry in entries)
        return calls, str(data.get("reply") or ""), ()
    except (ValueError, AttributeError, TypeError, KeyError):
        cut = " It was cut off." if answer.finish_reason == "length" else ""
        whole = RawCall("", answer.text)
        return (), "", (_broken(whole, "not_json", f"The answer is not the JSON that was asked for.{cut}"),)


def _broken(raw: RawCall, kind: str, message: str) -> BrokenCall:
    return BrokenCall(raw.name[:_SHOWN], raw.arguments[:_SHOWN], kind, message)
