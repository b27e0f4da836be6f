"""The day of something new that is told right before it: "he wants them on Tuesday at four. Add return chairs"."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.dates import DateMatch
from engine.decision import Context, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import dates_of
from engine.talking.clauses import split_clauses
from engine.talking.ways.told_past import tells_past
from engine.text.normalise import Utterance
from engine.values import DAY_LENGTH, Argument, Provenance, Span, ToolCall


def with_day_told(
    said: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The one thing that is added without a day, on the one that the clause before it tells and that is still to come.
    Whose own hour it is stays."""
    if len(requests) != 1 or requests[0].outcome.action != "execute":
        return requests
    outcome = requests[0].outcome
    facts, call = policy.catalogue.by_intent.get(outcome.intent), outcome.call
    named = next((slot.span for slot in outcome.slots if facts and slot.name == facts.argument("name")), None)
    if facts is None or facts.effect != "add" or call is None or named is None or not facts.argument("date"):
        return requests
    clauses = split_clauses(said, policy)
    own = next((place for place, each in enumerate(clauses) if each.tokens[-1].end >= named.end), 0)
    hours = dates_of(clauses[own], context, policy) if own else ()
    told = _day_told(clauses[own - 1], context, policy) if own else None
    if told is None or any(each.has_day for each in hours):
        return requests
    pointed = _find_pointing(said, named, policy)
    hour = hours[0].value[DAY_LENGTH:] if hours else "" if pointed and pointed.day_only else told.value[DAY_LENGTH:]
    value = told.value[:DAY_LENGTH] + hour
    date = Argument(facts.argument("date"), value, Provenance("words", told.span, "told right before"))
    others = tuple(each for each in call.arguments if each.name != date.name)
    slots = tuple(slot for slot in outcome.slots if slot.name != date.name)
    if pointed:
        name = Slot(facts.argument("name"), said.slice(pointed.name), pointed.name)
        others = tuple(replace(each, value=name.value) if each.name == name.name else each for each in others)
        slots = tuple(name if slot.name == name.name else slot for slot in slots)
    dated = outcome._replace(
        call=ToolCall(call.tool_name, (*others, date)), slots=(*slots, Slot(date.name, value, told.span))
    )
    return (requests[0]._replace(outcome=dated),)


class _Pointing(NamedTuple):
    name: Span
    """Without the words that point at the day."""
    day_only: bool


def _find_pointing(said: Utterance, named: Span, policy: Policy) -> _Pointing | None:
    """ "Add the trip for that day": what stands for the day at the end of a name is no part of it."""
    within = [place for place, token in enumerate(said.tokens) if named.start <= token.start < named.end]
    for place in within[1:]:
        for kind in _POINTING:
            if within[-1] + 1 in policy.lexicon.ends(kind, said.words, place):
                last = place - 1
                while last > within[0] and said.words[last] in policy.date_words.weak_prepositions:
                    last -= 1
                return _Pointing(Span(named.start, said.tokens[last].end), kind == _POINTING[0])
    return None


_POINTING = ("cue_same_day", "cue_same_moment")


def _day_told(clause: Utterance, context: Context, policy: Policy) -> DateMatch | None:
    """The one day that it speaks of, unless that is over, a stretch, or only when something happened."""
    dates = [each for each in dates_of(clause, context, policy) if each.has_day]
    words = clause.words
    today = context.now.date().isoformat()
    if (
        len(dates) != 1
        or tells_past(words, policy)
        or any(_PAST in policy.word_classes.get(word, ()) for word in words)
    ):
        return None
    plain = not dates[0].range_end and not dates[0].recurring and not dates[0].approximate
    return dates[0] if plain and dates[0].value[:DAY_LENGTH] > today else None


_PAST = "did"
