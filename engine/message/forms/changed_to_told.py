""" "They rang, it's ten past nine now, change it please": who asks at the end for nothing but a change wants what was
told right before it."""

from __future__ import annotations

from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.judged import acts, judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.reading.weighing import dates_of, weigh_request
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.talking.basis import Basis, judge_with
from engine.talking.clauses import split_clauses
from engine.talking.days.choosing_dates import pick_date
from engine.talking.moves.noticing import begin, notice
from engine.talking.ways.changing import last_target
from engine.talking.ways.told_past import tells_past
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Task

_ASKS = "asks_change"
_BESIDE = frozenset({"opener", "closer", "interjection", "courtesy", "thanks", "splitter", "joiner", "clause_joiner"})
_LONGEST_TEXT = 200
_SURE = 0.86


def read_changed_to_told(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The change to what is told before; None for all other messages."""
    words = utterance.words
    facts = policy.catalogue.by_effect.get("change")
    if _ASKS not in policy.lexicon.names(words) or facts is None or len(utterance.text) > _LONGEST_TEXT:
        return None  # most messages
    clauses = split_clauses(utterance, policy)
    last = clauses[-1]
    if len(clauses) < 2 or not _only_asks(last.words, policy):
        return None
    told = part(utterance, 0, len(words) - len(last.tokens), policy)
    read = judge_in_order((told,), context, policy)
    if len(read) == 1 and acts(read[0].outcome) and read[0].outcome.intent == facts.intent:
        return read  # "they moved it to Thursday, can you update that": said twice, done once
    if any(_tells_when_it_was(each, context, policy) for each in clauses[:-1]):
        return None
    return _to_told_date(told, context, policy)


def _only_asks(words: tuple[str, ...], policy: Policy) -> bool:
    """ "please change it", and no word of what to."""
    for place in range(len(words)):
        end = max(policy.lexicon.ends(_ASKS, words, place), default=0)
        if end:
            return all(_is_beside(word, policy) for word in (*words[:place], *words[end:]))
    return False


def _is_beside(word: str, policy: Policy) -> bool:
    return word in policy.small_words or not _BESIDE.isdisjoint(policy.word_classes.get(word, ()))


def _tells_when_it_was(clause: Utterance, context: Context, policy: Policy) -> bool:
    """ "the tap broke on Monday": no day for anything."""
    return tells_past(clause.words, policy) and bool(dates_of(clause, context, policy))


def _to_told_date(told: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The one date that is told, for what is named beside it, else for what was spoken of last."""
    weighed = weigh_request(told, context, policy)
    # "it's ten past nine now" would tell the time, if nothing were asked for.
    begun = begin(told, weighed, context, policy)._replace(dates=weighed.dates)
    noticed = notice(told, weighed, begun)
    named = {each.task.id for each in noticed.mentioned if each.named}
    target = next(iter(named)) if len(named) == 1 else last_target(begun) if not noticed.mentioned else None
    task = context.tasks.find_by_id(target) if target else None
    facts = policy.catalogue.by_effect["change"]
    date = pick_date(noticed, task) if isinstance(task, Task) and facts.argument("date") else None
    if date is None or date.range_end or not isinstance(task, Task):
        return None
    slots = (Slot(facts.argument("date"), join_dates(date, task), date.span),)
    arguments = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots)
    basis = Basis("move:told", "correct", _SURE, (Factor("told right before", _SURE),), 0, len(told.tokens))
    found = (Candidate(task.id, 0.95, "partial" if named else "pronoun"),)
    reference = Reference(told.own_text, told.span(0, len(told.tokens)), found, task.id)
    return (
        JudgedRequest(told, weighed, judge_with(basis, facts, Draft(facts.intent, arguments, slots), reference, begun)),
    )
