"""A message that is misread: its words and situation, what it should come to, and how to tell that it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from domains.loading import TASKS, load_domain
from engine.border.wire import read_context
from engine.catalogue.facts import UNKNOWN, Reads, ToolFacts
from engine.decider import RuleDecider
from engine.decision import Context, Decider, Intent
from evals.case import Case, Turn
from evals.conversations.form import ExpectedOutcome, WrittenConversation
from evals.conversations.running import run_conversations
from evals.effect.probes import gist_of_decision
from evals.runner import run_case
from evals.situation import Situation, begin, go_on


@dataclass(frozen=True)
class Misread:
    id: str
    text: str
    """The message that goes wrong; of a case with several turns, the first that does."""
    context: Context = field(repr=False)
    domain: str
    language: str
    wanted: tuple[Intent, ...]
    """The intents that would be right, the likeliest first."""
    passes: Callable[[Decider], bool] = field(repr=False)
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Arguments that the call should have, each with the values that would be right."""
    targets: tuple[str, ...] = ()
    """Titles of the things that it should be about."""
    reason: str = ""
    """For what asks for nothing: why."""


def misread_case(case: Case, decider: Decider) -> Misread | None:
    """None: it passes."""
    situation: Situation = begin(case)
    result = run_case(decider, case)
    if result.passed:
        return None
    for done in result.turns:
        if not done.passed:
            break
        situation = go_on(situation, done.text, done.decision)
    number = min(sum(done.passed for done in result.turns), len(case.turns) - 1)
    turn = case.turns[number]
    titles = {task.id: task.title for task in situation.tasks}
    keys = (*turn.task, *(key for call in turn.calls for key in call.task))
    return Misread(
        case.id,
        turn.text,
        situation.context,
        case.domain,
        case.language,
        tuple(turn.intent),
        lambda other: run_case(other, case).passed,
        {name: _forms(value) for name, value in (turn.parameters or _first_call(turn)).items()},
        tuple(titles.get(case.keys.get(key, ""), key.removeprefix("new:")) for key in keys),
        str(turn.reason[0]) if turn.reason else "",
    )


def _first_call(turn: Turn) -> Mapping[str, object]:
    return turn.calls[0].parameters if turn.calls else {}


def _forms(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list | tuple) else (str(value),)


def misread_message(
    text: str,
    context: Context,
    wanted: Intent,
    values: Mapping[str, str],
    *,
    domain: str = TASKS,
    language: str,
) -> Misread:
    """A bare message: right is a call of the wanted intent with these values; without values, any that needs no more
    than a yes."""
    catalogue, conduct = load_domain(domain).catalogue, load_domain(domain).conduct
    # A command is meant by its name, and called by its id.
    names = conduct.name_values(context) if conduct else {}
    if wanted not in catalogue.intents:
        raise ValueError(f"there is no intent {wanted!r}; there are: {', '.join(catalogue.intents)}")
    facts = catalogue.by_intent.get(wanted)

    def passes(decider: Decider) -> bool:
        decision = decider.decide(text, context)
        if wanted == UNKNOWN:
            return decision.action == "reply"
        if decision.action not in ("execute", "confirm") or decision.intent != wanted or len(decision.calls) != 1:
            return False
        given = decision.calls[0].parameters
        told = [names[str(value)] for value in given.values() if str(value) in names]
        return all(
            _same(given.get(name), value) or any(_same(each, value) for each in told) for name, value in values.items()
        )

    target = values.get(facts.target, "") if facts and facts.target else ""
    found = context.tasks.find_by_id(target) if target else None
    named = (found.title if found else target,) if target else ()
    forms = {name: (value,) for name, value in values.items() if not facts or name != facts.target}
    return Misread("message", text, context, domain, language, (wanted,), passes, forms, named)


def _same(given: object, wanted: str) -> bool:
    if isinstance(given, list | tuple):
        given = ", ".join(map(str, given))
    return given is not None and " ".join(str(given).split()).casefold() == " ".join(wanted.split()).casefold()


def misread_conversation(conversation: WrittenConversation, decider: RuleDecider) -> Misread | None:
    """The first turn of a conversation, played by itself; None: it goes right."""
    first = conversation.model_copy(update={"turns": conversation.turns[:1]})

    def is_right(other: Decider) -> bool:
        (result,) = run_conversations((first,), engine=other)
        return result.right

    if is_right(decider):
        return None
    situation = _situation_of(first)
    wrong = gist_of_decision(decider.decide(first.turns[0].say, situation))

    def passes(other: Decider) -> bool:
        # To play it takes a store; who decides the message as before does not mend it.
        return gist_of_decision(other.decide(first.turns[0].say, situation)) != wrong and is_right(other)

    outcome = first.turns[0].expect
    catalogue = load_domain(TASKS).catalogue
    wanted = tuple(dict.fromkeys(_wanted(outcome, catalogue.tools)))
    return Misread(
        f"conversation:{conversation.id}",
        first.turns[0].say,
        situation,
        TASKS,
        conversation.lang,
        wanted or (UNKNOWN,),
        passes,
        dict(_values_of(outcome, catalogue.tools)),
        tuple(forms[0] for forms in (*(each.task for each in outcome.set), *outcome.delete, *outcome.ask_delete)),
    )


def _situation_of(conversation: WrittenConversation) -> Context:
    """Nothing was said before, and the tasks are those of the start."""
    start = conversation.start("engine")
    tasks = [
        {"id": f"t{number}", "number": number, **task.model_dump()} for number, task in enumerate(start.tasks, start=1)
    ]
    context = read_context({"tasks": tasks, "lang": conversation.lang}, start.moment.replace(tzinfo=None))
    return replace(context, user="alex")


def _wanted(outcome: ExpectedOutcome, tools: tuple[ToolFacts, ...]) -> Iterator[Intent]:
    def with_effect(effect: str) -> Iterator[Intent]:
        return (facts.intent for facts in tools if facts.effect == effect and (effect != "read" or facts.reads))

    if outcome.add:
        yield from with_effect("add")
    for changed in outcome.set:
        yield from with_effect("finish" if changed.status not in (None, "pending") else "change")
    if outcome.delete or outcome.ask_delete:
        yield from with_effect("remove")
    if outcome.show is not None or outcome.tell:
        yield from with_effect("read")


def _values_of(outcome: ExpectedOutcome, tools: tuple[ToolFacts, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    adding = next(facts for facts in tools if facts.effect == "add")
    changing = next(facts for facts in tools if facts.effect == "change")
    for added in outcome.add[:1]:
        yield adding.argument("name"), tuple(added.title)
        yield from _details(added, adding)
    for changed in outcome.set[:1]:
        if changed.title:
            yield changing.argument("name"), tuple(changed.title)
        yield from _details(changed, changing)


def _details(said: Any, facts: ToolFacts) -> Iterator[tuple[str, tuple[str, ...]]]:
    kinds: tuple[tuple[Reads, str | None], ...] = (
        ("date", said.due_date),
        ("level", said.priority),
        ("note", said.description),
    )
    for kind, value in kinds:
        argument = facts.argument(kind)
        if argument and value:
            yield argument, (str(value),)
