""" "Remind me to back up my laptop tomorrow", and "Back up laptop" is there: the day for it is offered, instead of the
same thing once more. Whoever says "add" gets it added."""

from __future__ import annotations

from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.clauses_together import effect_of
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.policy.values import Policy
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.targets.stems import stem
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Task

_ADDS = "adds_only"
_SURE = 0.88
_LOOKED_AT = 8


def offer_what_is_there(
    requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests; one for a new thing with a day, that is there under the same name, as a question about that."""
    offered = _as_change(requests[0], context, policy) if len(requests) == 1 else None
    return (offered,) if offered else requests


def _as_change(request: JudgedRequest, context: Context, policy: Policy) -> JudgedRequest | None:
    outcome, facts = request.outcome, policy.catalogue.by_effect.get("change")
    adds = policy.catalogue.by_intent.get(outcome.intent)
    if facts is None or adds is None or effect_of(request, policy) != "add" or outcome.call is None:
        return None
    given, due, argument = outcome.call.parameters, adds.argument("date"), facts.argument("date")
    name, date = str(given.get(adds.argument("name")) or ""), str(given.get(due) or "") if due else ""
    if not date or not argument or policy.lexicon.says(_ADDS, request.utterance.words):
        return None
    said = any(slot.name == adds.argument("name") and slot.value == name for slot in outcome.slots)
    task = _called_so(name, context, policy) if said and outcome.act == "request" else None
    if task is None or task.due_date == date:
        return None
    span = next((each.span for each in outcome.slots if each.name == due), None)
    slot = Slot(argument, date, span or request.utterance.span(0, len(request.utterance.tokens)))
    drafted = Draft(facts.intent, (Argument(argument, date, Provenance("words", slot.span)),), (slot,))
    basis = Basis("move:there already", "request", _SURE, (Factor("it is there already", _SURE),), 0, 0)
    reference = Reference(name, None, (Candidate(task.id, 1.0, "exact"),), task.id)
    told = begin(request.utterance, request.weighed, context, policy)
    changed = judge_with(basis, facts, drafted, reference, told)
    return request._replace(outcome=offer(changed, changed.call, context, policy)) if changed.call else None


def _called_so(name: str, context: Context, policy: Policy) -> Task | None:
    """The one open thing with the same words, small ones aside."""
    said, still_open = _core(name, policy), policy.catalogue.states[0]
    tasks = context.tasks.candidates(name, _LOOKED_AT) if len(said) > 1 else ()
    found = [each for each in tasks if isinstance(each, Task) and _core(each.title, policy) == said]
    return found[0] if len(found) == 1 and found[0].status == still_open else None


def _core(name: str, policy: Policy) -> tuple[str, ...]:
    return tuple(stem(word, policy) for word in title_words(name) if word not in policy.small_words)
