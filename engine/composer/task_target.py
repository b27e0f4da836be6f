"""Which task a call without one means: by the call, the engine's reading, or the one task that the words name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domains.deciders import make_engine
from domains.tasks.mapping import TOOL_TO_INTENT
from engine.composer.lexicon import load_lexicon
from engine.composer.parts import factor
from engine.decision import Candidate, Context, Decision, Language, Reason, Reference
from engine.policy.loading import Policy
from engine.targets.references import Mention, resolve
from engine.text.folding import title_words
from engine.text.normalise import normalise
from engine.values import Provenance, Source, Span, Task

_LOOKED_AT = 12
_WORDS = Provenance("words")
_LEVELS = {
    "id": "id",
    "number": "id",
    "exact": "name",
    "partial": "partial",
    "fuzzy": "keyword",
    "pronoun": "conversation",
    "ordinal": "conversation",
    "recent": "conversation",
}


@dataclass(frozen=True, slots=True)
class Target:
    task_id: str | None
    provenance: Provenance = _WORDS
    how: str = ""
    confidence: float = 0.0
    label: str = ""
    options: tuple[tuple[Task, float], ...] = ()
    """Where it could be several, or is not sure: each with what it is worth."""
    named: bool = False
    """Whether a task was named at all."""


def label_task(task: Task) -> str:
    return f"#{task.number} {task.title}"


def find_target(given: object, heard: Decision, tool: str, text: str, context: Context, language: Language) -> Target:
    policy = make_engine().policy_for(language)
    prefer = "pending"
    if isinstance(given, str):
        target = _from_reference(resolve(Mention(given, given, None), context, policy, prefer), "llm", context)
        if target.task_id or target.options:
            return target
    reads_same = heard.intent in (TOOL_TO_INTENT[tool], "complete_task" if tool == "update_task" else tool)
    answered = read_as_answer(text, context)
    if answered is not None:
        return answered
    if reads_same and heard.intent != "unknown":
        waiting = heard.calls[0].parameters.get("task_identifier") if heard.calls else None
        for reference in heard.references[:1]:
            target = _from_reference(reference, "words", context)
            if target.task_id or target.options:
                return target
        task = context.tasks.find_by_id(str(waiting)) if waiting else None
        if task:
            return Target(task.id, Provenance("answer"), "answer", factor("answer"), label_task(task))
    return _in_words(text, heard, tool, context, policy, prefer)


def read_as_answer(text: str, context: Context) -> Target | None:
    """The assistant asked which of several tasks; the words name one of them: "the Acme one"."""
    last = context.history[-1] if context.history else None
    if last is None or last.role != "assistant" or len(last.tasks) < 2 or not last.content.rstrip().endswith("?"):
        return None
    listed = [task for task_id in last.tasks if (task := context.tasks.find_by_id(task_id))]
    named = _sharing(text, listed)
    if len(named) != 1:
        return None
    task, span = named[0]
    return Target(
        task.id, Provenance("answer", span, "one of those asked about"), "answer", factor("answer"), label_task(task)
    )


def _from_reference(reference: Reference, source: Source, context: Context) -> Target:
    options = _options(reference.candidates, context)
    if reference.task_id is None:
        return Target(None, options=options, named=True)
    best = next(each for each in reference.candidates if each.task_id == reference.task_id)
    level = _LEVELS.get(best.how, "keyword")
    if level == "keyword" and _only_they_have_it(reference, context):
        level = "partial"
    origin: Source = "conversation" if level == "conversation" else source
    task = context.tasks.find_by_id(reference.task_id)
    return Target(
        reference.task_id,
        Provenance(origin, reference.span, f"{best.how}: {reference.mention}"),
        best.how,
        factor(level),
        label_task(task) if task else "",
        options,
        named=True,
    )


def _only_they_have_it(reference: Reference, context: Context) -> bool:
    """Every word that says something is in the title, and in no other title that came into question."""
    said = _content(reference.mention)
    fitting = [each for each in reference.candidates if said <= set(_title(each.task_id, context))]
    return bool(said) and [each.task_id for each in fitting] == [reference.task_id]


def _title(task_id: str, context: Context) -> tuple[str, ...]:
    task = context.tasks.find_by_id(task_id)
    return title_words(task.title) if task else ()


def _content(text: str) -> set[str]:
    sets = load_lexicon().sets
    return {word for word in title_words(text) if word not in sets["fillers"] and word not in sets["links"]}


def _options(candidates: tuple[Candidate, ...], context: Context) -> tuple[tuple[Task, float], ...]:
    found = ((context.tasks.find_by_id(each.task_id), each) for each in candidates)
    return tuple((task, factor(_LEVELS.get(each.how, "keyword"))) for task, each in found if task)


def _in_words(text: str, heard: Decision, tool: str, context: Context, policy: Policy, prefer: str) -> Target:
    """The engine read no such request; the model did. A task that the words name alone is offered, and taken only
    where the words also speak for the tool."""
    utterance = normalise(text, policy.spellings, policy.elisions)
    for token in utterance.tokens:
        reference = resolve(Mention(token.norm, "", Span(token.start, token.end)), context, policy, prefer)
        if any(each.how in ("pronoun", "number", "id") for each in reference.candidates):
            return _cautious(_from_reference(reference, "words", context), heard, tool)
    named = _named_in(text, context)
    if len(named) == 1:
        task, span = named[0]
        target = Target(task.id, Provenance("words", span, "partial"), "partial", factor("partial"), label_task(task))
        return _cautious(target, heard, tool)
    options = tuple((task, factor("several")) for task, _ in named)
    # A name that no task has is refused; where nothing is named ("mark it as done"), it is asked for.
    pronouns = {token.norm for token in utterance.tokens} & _pronouns(policy)
    nothing_there = not context.tasks.recent(1)
    says_a_name = heard.reason is not Reason.MISSING_PARAMETER and not pronouns
    return Target(None, options=options, named=nothing_there or says_a_name)


def _pronouns(policy: Policy) -> set[str]:
    return {word for word, classes in policy.word_classes.items() if {"pronoun", "clitic", "mark_it"} & classes}


def _cautious(target: Target, heard: Decision, tool: str) -> Target:
    intent = TOOL_TO_INTENT[tool]
    likeliest = max(heard.scores, key=lambda each: each.score, default=None)
    if (likeliest is not None and likeliest.intent == intent) or target.task_id is None:
        return target
    return Target(
        target.task_id, target.provenance, target.how, factor("unexplained"), target.label, target.options, target.named
    )


def _named_in(text: str, context: Context) -> list[tuple[Task, Span | None]]:
    found = context.tasks.candidates(text, _LOOKED_AT)
    return _sharing(text, [task for task in found if task.status == "pending"])


def _sharing(text: str, tasks: Sequence[Task]) -> list[tuple[Task, Span | None]]:
    """Tasks that share the most words with the message, words that say nothing left aside."""
    said = _content(text)
    shared = [(len(said & set(title_words(task.title))), task) for task in tasks]
    most = max((count for count, _ in shared), default=0)
    return [(task, _span_of(task, text)) for count, task in shared if most and count == most]


def _span_of(task: Task, text: str) -> Span | None:
    for word in sorted(title_words(task.title), key=len, reverse=True):
        start = text.lower().find(word)
        if start >= 0:
            return Span(start, start + len(word))
    return None
