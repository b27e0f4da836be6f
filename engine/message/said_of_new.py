"""What a message says of something that it has just added: "add buy stamps and make it high priority".

"It" is what is new, not what was spoken of earlier, and the new thing begins with that value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.catalogue.facts import Reads, ToolFacts
from engine.decision import Context, Message
from engine.message.judged_request import JudgedRequest, hear_request
from engine.outcome.replies import doing
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.talking.clauses import only_values
from engine.targets.not_yet_stored import WithNewThings
from engine.text.normalise import Utterance
from engine.values import Argument, Task, ToolCall

_GIVEN: tuple[Reads, ...] = ("name", "note", "level", "date")
_POINTS = frozenset({"pronoun", "just_it", "clitic", "cue_them"})
_NEW = "new-"


def say_of_new(
    utterance: Utterance, judged: list[JudgedRequest], context: Context, policy: Policy
) -> list[JudgedRequest] | None:
    """The requests before this part, with what it says of what they add; None where it says nothing of the kind."""
    added = {f"{_NEW}{place}": each for place, each in enumerate(judged) if _adds(each, policy)}
    if not added or judged[-1] not in added.values() or not _points(utterance, policy):
        return None
    meant = [name for name, each in added.items() if each is judged[-1]] if not _plural(utterance, policy) else [*added]
    tasks = tuple(_as_task(name, added[name], policy) for name in added)
    calls = tuple(added[name].outcome.call for name in meant)
    said = Message("assistant", "", tuple(meant), tuple(call for call in calls if call))
    talking = replace(
        context, tasks=WithNewThings(context.tasks, tasks), history=(*context.history, said), pending=None
    )
    outcomes = hear_request(utterance, talking, policy).outcomes
    given = [_given(each, policy) for each in outcomes]
    if not given or any(target not in added for target, _ in given):
        return None
    for target, values in given:
        merged = _with_values(added[target], values, context, policy)
        if merged is None:
            return None
        added[target] = merged
    return [added.get(f"{_NEW}{place}", each) for place, each in enumerate(judged)]


def _adds(request: JudgedRequest, policy: Policy) -> bool:
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    return bool(facts and facts.effect == "add" and request.outcome.action == "execute" and request.outcome.call)


def _points(utterance: Utterance, policy: Policy) -> bool:
    words = utterance.words
    if only_values(words, policy):
        return True  # "…, by tomorrow"
    return any(name in _POINTS for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place)) or (
        any("clitic" in policy.word_classes.get(word, ()) for word in words)
    )


def _plural(utterance: Utterance, policy: Policy) -> bool:
    words = utterance.words
    return any(
        name in ("cue_them", "cue_same")
        for place in range(len(words))
        for name, _ in policy.lexicon.classes(words, place)
    )


def _as_task(name: str, request: JudgedRequest, policy: Policy) -> Task:
    call, facts = request.outcome.call, policy.catalogue.by_intent[request.outcome.intent]
    given = call.parameters if call else {}
    values = {kind: given.get(facts.argument(kind)) for kind in _GIVEN}
    due = values["date"]
    return Task(name, 0, str(values["name"] or ""), str(values["note"] or ""), due_date=str(due) if due else None)


def _given(outcome: Outcome, policy: Policy) -> tuple[str, Mapping[Reads, Argument]]:
    """Which thing is changed, and its new values by their kind; no target where it is no plain change."""
    call, facts = outcome.call, policy.catalogue.by_intent.get(outcome.intent)
    if call is None or facts is None or facts.effect != "change" or outcome.action != "execute" or outcome.undoes:
        return "", {}
    by_name = {facts.argument(kind): kind for kind in _GIVEN if facts.argument(kind)}
    values = {by_name[each.name]: each for each in call.arguments if each.name in by_name}
    others = [each for each in call.arguments if each.name not in by_name and each.name != facts.target]
    return ("", {}) if others or not values else (policy.catalogue.target_of(call) or "", values)


def _with_values(
    request: JudgedRequest, values: Mapping[Reads, Argument], context: Context, policy: Policy
) -> JudgedRequest | None:
    call, facts = request.outcome.call, policy.catalogue.by_intent[request.outcome.intent]
    if call is None or any(not facts.argument(kind) for kind in values):
        return None
    merged = ToolCall(call.tool_name, _merged(call, facts, values))
    outcome = request.outcome._replace(call=merged, message=doing(policy, facts.intent, merged, context))
    return request._replace(outcome=outcome)


def _merged(call: ToolCall, facts: ToolFacts, values: Mapping[Reads, Argument]) -> tuple[Argument, ...]:
    new = {facts.argument(kind): replace(each, name=facts.argument(kind)) for kind, each in values.items()}
    kept = tuple(new.pop(each.name, each) for each in call.arguments)
    return tuple(each for each in (*kept, *new.values()) if each.value not in _TAKEN_AWAY)


_TAKEN_AWAY = (None, "", "none")
""" "add prune the roses, no date for that"."""
