"""A change to the day or hour that something has already, in a message that tells another one: "make that 3, I'll
still be asleep at 2", "9:30 is too early for Denise, 11 is better". What it has already is no wish: the other one is
offered."""

from __future__ import annotations

from dataclasses import replace

from engine.dates import DateMatch, find_hours
from engine.decision import Context
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.weighing import dates_of
from engine.slots.keeping import join_dates
from engine.text.normalise import Utterance
from engine.values import Task, ToolCall

_MOST_WORDS = 24


def offer_other_value(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests; one that would change nothing as what it would change to the other value, as a question."""
    if len(requests) != 1 or len(utterance.words) > _MOST_WORDS:
        return requests
    outcome, argument = requests[0].outcome, _date_of(requests[0].outcome, policy)
    call = _called(outcome)
    task = _held_already(call, argument, context, policy) if call and argument else None
    due = _other_due(utterance, task, context, policy) if task else None
    if call is None or due is None:
        return requests
    arguments = tuple(replace(each, value=due) if each.name == argument else each for each in call.arguments)
    slots = tuple(replace(each, value=due) if each.name == argument else each for each in outcome.slots)
    call = replace(call, arguments=arguments)
    asked = offer(outcome._replace(call=call, slots=slots, pending=None), call, context, policy)
    return (requests[0]._replace(outcome=asked),)


def _date_of(outcome: Outcome, policy: Policy) -> str:
    facts = policy.catalogue.by_intent.get(outcome.intent)
    return facts.argument("date") or "" if facts and facts.effect == "change" else ""


def _called(outcome: Outcome) -> ToolCall | None:
    """What it does, or would do at a yes."""
    if outcome.action == "execute" or outcome.pending is None:
        return outcome.call
    return outcome.pending.call if outcome.pending.kind == "confirm" and not outcome.pending.then else None


def _held_already(call: ToolCall, argument: str, context: Context, policy: Policy) -> Task | None:
    """The task that nothing is changed of but its day, to the one that it has."""
    target = policy.catalogue.target_of(call)
    task = context.tasks.find_by_id(target) if target else None
    same = isinstance(task, Task) and task.due_date and call.parameters.get(argument) == task.due_date
    return task if same and len(call.arguments) == _TARGET_AND_DATE and isinstance(task, Task) else None


_TARGET_AND_DATE = 2


def _other_due(utterance: Utterance, task: Task, context: Context, policy: Policy) -> str | None:
    """The one other moment that the message tells."""
    first, last = utterance.tokens[0].start, utterance.tokens[-1].end
    hours = find_hours(utterance.text[:last], context.now, policy.date_words) if "T" in (task.due_date or "") else ()
    told = (*dates_of(utterance, context, policy, in_talk=True), *hours)
    dues = {join_dates(each, task) for each in told if each.span.start >= first and not _is_long(each)}
    others = dues - {task.due_date}
    return others.pop() if len(others) == 1 and len(dues) > 1 else None


def _is_long(date: DateMatch) -> bool:
    return date.recurring or date.range_end is not None
