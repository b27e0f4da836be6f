"""What a call without a target means: by the call, the engine's reading, or the one thing that the words name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.catalogue.facts import ToolFacts
from engine.completing.means import Means
from engine.completing.worth import factor
from engine.decision import Candidate, Context, Decision, Reason, Reference
from engine.policy.values import Policy
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
    "day": "conversation",
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


@dataclass(frozen=True, slots=True)
class Search:
    """A call whose target is looked for, and all that may lead to it."""

    facts: ToolFacts
    heard: Decision
    text: str
    context: Context
    means: Means

    def resolve(self, mention: Mention) -> Reference:
        return resolve(mention, self.context, self.means.policy, self.means.catalogue.states[0])

    def content(self, text: str) -> set[str]:
        return {word for word in title_words(text) if word not in self.means.small_words}


def find_target(given: object, search: Search) -> Target:
    heard, context = search.heard, search.context
    if isinstance(given, str):
        target = _from_reference(search.resolve(Mention(given, given, None)), "llm", search)
        if target.task_id or target.options:
            return target
    answered = read_as_answer(search)
    if answered is not None:
        return answered
    if _reads_same(search):
        waiting = heard.calls[0].parameters.get(search.facts.target) if heard.calls else None
        for reference in heard.references[:1]:
            target = _from_reference(reference, "words", search)
            if target.task_id or target.options:
                return target
        task = context.tasks.find_by_id(str(waiting)) if waiting else None
        if task:
            return Target(task.id, Provenance("answer"), "answer", factor("answer"), label_task(task))
    return _in_words(search)


def _reads_same(search: Search) -> bool:
    """Settling something is also a way of changing it."""
    meant = search.means.catalogue.by_intent.get(search.heard.intent)
    if meant is None:
        return False
    return meant.name == search.facts.name or (search.facts.effect == "change" and meant.effect == "finish")


def read_as_answer(search: Search) -> Target | None:
    """The assistant asked which of several; the words name one of them: "the Acme one"."""
    context = search.context
    last = context.history[-1] if context.history else None
    if last is None or last.role != "assistant" or len(last.tasks) < 2 or not last.content.rstrip().endswith("?"):
        return None
    listed = [task for task_id in last.tasks if (task := context.tasks.find_by_id(task_id))]
    named = _sharing(search, listed)
    if len(named) != 1:
        return None
    task, span = named[0]
    return Target(
        task.id, Provenance("answer", span, "one of those asked about"), "answer", factor("answer"), label_task(task)
    )


def _from_reference(reference: Reference, source: Source, search: Search) -> Target:
    options = _options(reference.candidates, search.context)
    if reference.task_id is None:
        return Target(None, options=options, named=True)
    best = next(each for each in reference.candidates if each.task_id == reference.task_id)
    level = _LEVELS.get(best.how, "keyword")
    if level == "keyword" and _only_they_have_it(reference, search):
        level = "partial"
    origin: Source = "conversation" if level == "conversation" else source
    task = search.context.tasks.find_by_id(reference.task_id)
    return Target(
        reference.task_id,
        Provenance(origin, reference.span, f"{best.how}: {reference.mention}"),
        best.how,
        factor(level),
        label_task(task) if task else "",
        options,
        named=True,
    )


def _only_they_have_it(reference: Reference, search: Search) -> bool:
    """Every word that says something is in the title, and in no other title that came into question."""
    said = search.content(reference.mention)
    fitting = [each for each in reference.candidates if said <= set(_title(each.task_id, search.context))]
    return bool(said) and [each.task_id for each in fitting] == [reference.task_id]


def _title(task_id: str, context: Context) -> tuple[str, ...]:
    task = context.tasks.find_by_id(task_id)
    return title_words(task.title) if task else ()


def _options(candidates: tuple[Candidate, ...], context: Context) -> tuple[tuple[Task, float], ...]:
    found = ((context.tasks.find_by_id(each.task_id), each) for each in candidates)
    return tuple((task, factor(_LEVELS.get(each.how, "keyword"))) for task, each in found if task)


def _in_words(search: Search) -> Target:
    """The engine read no such request; the model did. What the words name alone is offered, and taken only where the
    words also speak for the tool."""
    policy = search.means.policy
    utterance = normalise(search.text, policy.spellings, policy.elisions)
    for token in utterance.tokens:
        reference = search.resolve(Mention(token.norm, "", Span(token.start, token.end)))
        if any(each.how in ("pronoun", "number", "id") for each in reference.candidates):
            return _cautious(_from_reference(reference, "words", search), search)
    named = _named_in(search)
    if len(named) == 1:
        task, span = named[0]
        target = Target(task.id, Provenance("words", span, "partial"), "partial", factor("partial"), label_task(task))
        return _cautious(target, search)
    options = tuple((task, factor("several")) for task, _ in named)
    # A name that nothing has is refused; where nothing is named ("mark it as done"), it is asked for.
    pronouns = {token.norm for token in utterance.tokens} & _pronouns(policy)
    nothing_there = not search.context.tasks.recent(1)
    says_a_name = search.heard.reason is not Reason.MISSING_PARAMETER and not pronouns
    return Target(None, options=options, named=nothing_there or says_a_name)


def _pronouns(policy: Policy) -> set[str]:
    return {word for word, classes in policy.word_classes.items() if {"pronoun", "clitic", "mark_it"} & classes}


def _cautious(target: Target, search: Search) -> Target:
    likeliest = max(search.heard.scores, key=lambda each: each.score, default=None)
    if (likeliest is not None and likeliest.intent == search.facts.intent) or target.task_id is None:
        return target
    return replace(target, confidence=factor("unexplained"))


def _named_in(search: Search) -> list[tuple[Task, Span | None]]:
    found = search.context.tasks.candidates(search.text, _LOOKED_AT)
    return _sharing(search, [task for task in found if task.status == search.means.catalogue.states[0]])


def _sharing(search: Search, tasks: Sequence[Task]) -> list[tuple[Task, Span | None]]:
    """Those that share the most words with the message, words that say nothing left aside."""
    said = search.content(search.text)
    shared = [(len(said & set(title_words(task.title))), task) for task in tasks]
    most = max((count for count, _ in shared), default=0)
    return [(task, _span_of(task, search.text)) for count, task in shared if most and count == most]


def _span_of(task: Task, text: str) -> Span | None:
    for word in sorted(title_words(task.title), key=len, reverse=True):
        start = text.lower().find(word)
        if start >= 0:
            return Span(start, start + len(word))
    return None
