"""What an edit is tried on: anything that a decider can be run on, with the words that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from domains.loading import load_domain
from engine.border.wire import read_context
from engine.decision import Context, Decider, Decision
from engine.explaining.agreement import calls_of
from engine.text.language import detect_language
from evals.case import Case
from evals.cases import find_cases, load_cases
from evals.runner import CaseResult, run_case
from evals.situation import begin

ProbeSource = Literal["cases", "saved", "conversations", "history", "silent", "same"]
"""Where it comes from: labelled cases, those that people saved, conversations, turns of the past, and messages of files
that must stay silent, or must stay as they are."""
SLOW: frozenset[ProbeSource] = frozenset({"conversations"})
"""Sources whose probes take long."""
_ANY_TIME = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock
_SHORT = 60


class ProbeResult(NamedTuple):
    gist: tuple[Any, ...]
    """What counts as the decision: equal gists are the same decision."""
    right: tuple[bool, ...]
    """Whether it is right; of a conversation, each turn. Empty: nobody said what would be right."""
    told: str
    """What it came to, in a few words."""
    acts: bool = False
    """Whether something would be changed without a question."""


@dataclass(frozen=True, slots=True)
class Probe:
    id: str
    source: ProbeSource
    text: str
    """The first message of a case."""
    domain: str
    language: str
    strings: tuple[str, ...]
    """Everything in it that may be read: messages, names of things, what was said before."""
    run: Callable[[Decider], ProbeResult]
    wants_nothing: bool = False
    """Whether nothing is to be done: to act on it is worse than any other mistake."""
    critical: bool = False
    """It must not break: whoever saves such a change says why."""
    link: Mapping[str, str] | None = None
    """How a page finds it again."""


def gist_of_decision(decision: Decision) -> tuple[Any, ...]:
    """Another confidence or wording alone is not another decision."""
    calls = tuple((call.tool_name, tuple(sorted(call.parameters.items(), key=str))) for call in calls_of(decision))
    return decision.action, decision.intent, str(decision.reason), decision.act, decision.undoes, str(calls)


def tell_decision(decision: Decision) -> str:
    if not calls_of(decision):
        return f"{decision.action}: {decision.intent} ({decision.reason})"
    told = []
    for call in calls_of(decision):
        values = ", ".join(f"{name}={_cut(value)}" for name, value in call.parameters.items())
        told.append(f"{call.tool_name}({values})")
    return f"{decision.action}: {'; '.join(told)}"


def _cut(value: object) -> str:
    shown = str(value)
    return shown if len(shown) <= _SHORT else shown[: _SHORT - 1] + "…"


def probe_case(case: Case, source: ProbeSource = "cases") -> Probe:
    def run(decider: Decider) -> ProbeResult:
        return _case_result(run_case(decider, case), case)

    says = tuple(turn.text for turn in case.turns)
    strings = (*says, *_strings_of(begin(case).context), *(text for task in case.tasks for text in _task_texts(task)))
    nothing = all(turn.intent == ("unknown",) for turn in case.turns)
    return Probe(
        case.id,
        source,
        says[0],
        case.domain,
        case.language,
        strings,
        run,
        nothing,
        "critical" in case.tags,
        {"case": case.id, "source": case.source},
    )


def _case_result(result: CaseResult, case: Case) -> ProbeResult:
    gist = tuple(gist_of_decision(turn.decision) for turn in result.turns)
    last = result.turns[-1].decision if result.turns else None
    told = tell_decision(last) if last else result.error
    acts = any(turn.decision.action == "execute" and turn.decision.calls for turn in result.turns)
    return ProbeResult((*gist, result.passed, bool(result.error)), (result.passed,), told, acts)


def _task_texts(task: Any) -> Iterator[str]:
    yield task.title
    yield task.description or ""
    yield from (str(value) for value in getattr(task, "fields", {}).values()) if hasattr(task, "fields") else ()


def _strings_of(context: Context) -> Iterator[str]:
    for message in context.history:
        yield message.content
    pending = context.pending
    if pending:
        yield from (pending.question, pending.text, pending.learns)
        for call in (pending.call, *pending.then):
            yield from (str(value) for value in call.parameters.values())
        yield from (choice.label for choice in pending.choices)
    yield from (choice.label for choice in context.offered)
    yield from (each.key for each in context.learned)


def probe_cases(domain: str, cases: Iterable[Case] | None = None) -> tuple[Probe, ...]:
    chosen = load_cases(find_cases(domain), domain) if cases is None else cases
    return tuple(probe_case(case) for case in chosen if case.domain == domain)


def strings_in(data: object) -> Iterator[str]:
    """Every text of a recorded context."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from strings_in(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from strings_in(value)


def probe_message(
    probe_id: str,
    text: str,
    source: ProbeSource,
    domain: str,
    context: Mapping[str, Any] | None = None,
    *,
    now: datetime = _ANY_TIME,
    language: str | None = None,
    link: Mapping[str, str] | None = None,
) -> Probe:
    """One message in a recorded context, or in none."""
    data = dict(context or {})
    if language:
        data["lang"] = language
    found = load_domain(domain)
    made: list[Context] = []

    def read() -> Context:
        if not made:  # most messages are never run: their contexts stay unread
            made.append(read_context(data, now, found))
        return made[0]

    def run(decider: Decider) -> ProbeResult:
        decision = decider.decide(text, read())
        silent = decision.action == "reply"
        acts = decision.action == "execute" and bool(decision.calls)
        right = (silent,) if source == "silent" else ()
        return ProbeResult(gist_of_decision(decision), right, tell_decision(decision), acts)

    spoken = language or data.get("lang") or _language_of(text, data, domain)
    strings = (text, *strings_in({name: value for name, value in data.items() if name != "lookups"}))
    return Probe(probe_id, source, text, domain, spoken, strings, run, source == "silent", source == "silent", link)


def _language_of(text: str, data: Mapping[str, Any], domain: str) -> str:
    history = [
        {"role": each.get("role", "user"), "content": each.get("content", "")} for each in data.get("history") or ()
    ]
    context = read_context({"history": history}, _ANY_TIME, None)
    return detect_language(text, context, load_domain(domain).small_words)


def probe_file(
    texts: Iterable[str], name: str, source: ProbeSource, domain: str, language: str | None = None
) -> tuple[Probe, ...]:
    """Messages of a file that must stay silent (`silent`), or must stay as they are (`same`)."""
    return tuple(
        probe_message(f"{name}:{number}", text, source, domain, language=language, link={"file": name})
        for number, text in enumerate(texts, start=1)
    )
