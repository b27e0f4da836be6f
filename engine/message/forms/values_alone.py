""" "High priority and for the 23rd", right after something was added or changed: a level and a day and nothing else are
both for that."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.slots.levels import read_level
from engine.slots.titles import date_spans, inside
from engine.talking.basis import Basis, judge_with
from engine.talking.days.choosing_dates import pick_date
from engine.talking.moves.noticing import begin, notice
from engine.talking.situation import read_situation
from engine.talking.ways.changing import last_target
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Task

_CHANGED = frozenset({"add", "change"})
_BESIDE = frozenset({"small_word", "date_field", "level_filler", "opener", "closer", "interjection", "courtesy"})
_MOST_WORDS = 12
_SURE = 0.9


def read_values_alone(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The change to both; None for all other messages."""
    facts = policy.catalogue.by_effect.get("change")
    words = utterance.words
    if facts is None or not facts.argument("level") or len(words) > _MOST_WORDS or "?" in utterance.text:
        return None
    level = read_level(words, policy, facts) if read_situation(context, policy).effect in _CHANGED else None
    if level is None:
        return None  # most messages
    weighed = weigh_request(utterance, context, policy)
    told = begin(utterance, weighed, context, policy)
    target = last_target(told)
    task = context.tasks.find_by_id(target) if target else None
    date = pick_date(notice(utterance, weighed, told), task) if told.dates and isinstance(task, Task) else None
    spans = date_spans(told.dates, utterance)
    places = [place for place, token in enumerate(utterance.tokens) if not inside(token, spans)]
    said = [place for place in places if not _is_beside(words[place], policy)]
    if date is None or date.range_end or not isinstance(task, Task) or not _are_level(said, words, policy, facts):
        return None
    slots = (
        Slot(facts.argument("level"), level, utterance.span(said[0], said[-1] + 1)),
        Slot(facts.argument("date"), join_dates(date, task), date.span),
    )
    arguments = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots)
    basis = Basis("move:values", "correct", _SURE, (Factor("only a level and a day", _SURE),), 0, len(words))
    reference = Reference(
        utterance.own_text, utterance.span(0, len(words)), (Candidate(task.id, 0.95, "pronoun"),), task.id
    )
    outcome = judge_with(basis, facts, Draft(facts.intent, arguments, slots), reference, told)
    return (JudgedRequest(utterance, weighed, outcome),)


def _is_beside(word: str, policy: Policy) -> bool:
    return not _BESIDE.isdisjoint(policy.word_classes.get(word, ()))


def _are_level(places: list[int], words: tuple[str, ...], policy: Policy, facts: ToolFacts) -> bool:
    """Whether these words name one level, and nothing else."""
    levels = policy.level_classes[facts.name]
    known = {*levels, *(f"level_{level}" for level in levels.values())}
    return bool(places) and all(
        not known.isdisjoint(name for name, _ in policy.lexicon.classes(words, place)) for place in places
    )
