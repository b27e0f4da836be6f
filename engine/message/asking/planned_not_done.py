""" "Il forno lo pulisco lunedì", "I'm doing the oven on Monday": who says of something stored on which day to come it
is done, plans it. Without a word that tells it as done, the day is offered, and nothing is ticked off."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch
from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.clauses_together import effect_of
from engine.message.judged import acts
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.policy.values import Policy
from engine.reading.weighing import dates_of
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.talking.basis import Basis, judge_with
from engine.talking.clauses import tells_deed
from engine.talking.moves.noticing import begin
from engine.values import DAY_LENGTH, Argument, Provenance, Task

_KNOWN, _LIKELY = 0.9, 0.6


def offer_planned_day(
    requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests; each that would tick off what is only planned, as the day for it, to be asked."""
    return tuple(_planned(each, context, policy) or each for each in requests)


def _planned(request: JudgedRequest, context: Context, policy: Policy) -> JudgedRequest | None:
    facts, outcome = policy.catalogue.by_effect.get("change"), request.outcome
    if facts is None or effect_of(request, policy) != "finish" or not (acts(outcome) or outcome.pending):
        return None
    framed = any(each.frame.intent == outcome.intent for each in request.weighed.reading.frames)
    date = None if framed else _to_come(request, context, policy)
    if date is None or any(tells_deed(word, policy) for word in _without_reason(date, request, policy)):
        return None
    ids = {each.task_id for each in outcome.references if each.task_id}
    task = context.tasks.find_by_id(ids.pop()) if len(ids) == 1 else None
    return _day_for(task, date, request, facts, context, policy) if isinstance(task, Task) else None


def _without_reason(date: DateMatch, request: JudgedRequest, policy: Policy) -> tuple[str, ...]:
    """Its words up to where, after the day, it is told why: "on Monday, since we are closed"."""
    utterance, classes = request.utterance, policy.word_classes
    for place, token in enumerate(utterance.tokens):
        if token.start >= date.span.end and not _REASONS.isdisjoint(classes.get(token.norm, ())):
            return utterance.words[:place]
    return utterance.words


_REASONS = frozenset({"reason_word", "relative_word"})


def _to_come(request: JudgedRequest, context: Context, policy: Policy) -> DateMatch | None:
    today = context.now.date().isoformat()
    dates = dates_of(request.utterance, context, policy, in_talk=True)
    days = [each for each in dates if each.has_day and not each.recurring and not each.range_end]
    return days[0] if len(days) == 1 and days[0].value[:DAY_LENGTH] > today else None


def _day_for(
    task: Task, date: DateMatch, request: JudgedRequest, facts: ToolFacts, context: Context, policy: Policy
) -> JudgedRequest | None:
    argument, due = facts.argument("date"), join_dates(date, task)
    if not argument or due == task.due_date:
        return None
    utterance = request.utterance
    slot = Slot(argument, due, date.span)
    drafted = Draft(facts.intent, (Argument(argument, due, Provenance("words", slot.span)),), (slot,))
    span = utterance.span(0, len(utterance.tokens))
    reference = Reference(utterance.own_text, span, (Candidate(task.id, _KNOWN, "partial"),), task.id)
    basis = Basis("move:planned", "request", _KNOWN, (Factor("planned, not told as done", _KNOWN),), 0, 1)
    made = judge_with(basis, facts, drafted, reference, begin(utterance, request.weighed, context, policy))
    if made.call is None:
        return None
    return request._replace(outcome=offer(made, made.call, context, policy)._replace(confidence=_LIKELY))
