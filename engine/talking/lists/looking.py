"""Lists in any words, and questions that they answer."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.filters import leaves_out
from engine.talking.basis import Basis, judge_with
from engine.talking.lists.narrowing import filters_before, list_tool, read_filters
from engine.talking.lists.remainder import OVERDUE, list_rest
from engine.talking.moves.noticed import Noticed, holds
from engine.talking.names.pointing import find_targets
from engine.talking.values import Told
from engine.talking.ways.asking import tell, wonders
from engine.values import Argument, Provenance, Task

_EVERYTHING = "all"
_PLURAL = ("ask_count", "ask_next", "ask_urgent", "rest")
_LIKELY = 0.5
_FILTERING = ("done", "less", "ask_urgent")
"""Cues whose words may be what the list is narrowed by."""
_FIELDS = (
    ("ask_note", "note"),
    ("note", "note"),
    ("ask_level", "level"),
    ("ask_date", "date"),
    ("ask_status", "status"),
)


def look(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    facts = list_tool(noticed.told)
    if facts is None:
        return None
    told = noticed.told
    counts = noticed.has_cue("ask_count") and not _asks_how_much(told)
    beside = leaves_out(told.reading.scene, told.policy)
    about_one = None if counts or beside else _ask_about_one(noticed, basis)
    if about_one:
        return about_one
    place = (0, beside or told.reading.scene.stop)
    asks = "count" if noticed.has_cue("ask_count") else ""
    words, classes = told.reading.scene.words, told.policy.word_classes
    explained = frozenset(
        place
        for name, first, last in noticed.cues
        for place in range(first, last)
        if name not in _FILTERING and not (name == "add" and "chore" in classes.get(words[place], ()))
    )  # "what do I have to buy?" looks for what is to be bought
    slots = read_filters(place, facts, told, explained)
    given = {slot.name: Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots}
    given.update(_of_what_kind(noticed, facts))
    level = facts.argument("level_filter")
    if noticed.level and level and level not in given:
        given[level] = Argument(level, noticed.level, Provenance("words", noticed.whole))
    call = told.situation.list_call
    if call and told.situation.effect == "read" and _goes_on(noticed):
        for name, value in filters_before(facts, told).items():
            if name not in given:
                given[name] = Argument(name, value, Provenance("conversation", None, "as before"))
        if noticed.has_cue("rest") and not slots:
            return _look_at_rest(noticed, basis, facts, asks)
    counted = told.policy.lexicon.says("ordinal_1", words)
    of_a_day = facts.argument("day_filter") in given and not counted  # "what's next on Friday" is all of that day
    if noticed.has_cue("ask_next") and not (asks or of_a_day or facts.argument("limit") in given):
        asks = "next"
        given[facts.argument("limit")] = Argument(facts.argument("limit"), 1, Provenance("default"))
        given.setdefault(
            facts.argument("state_filter"),
            Argument(facts.argument("state_filter"), told.policy.catalogue.states[0], Provenance("default")),
        )
        given.pop(facts.argument("search"), None)
    state = facts.argument("state_filter")
    if state and state not in given and not noticed.has_cue("all"):
        given[state] = Argument(state, told.policy.catalogue.states[0], Provenance("default"))
    outcome = judge_with(basis, facts, Draft(facts.intent, tuple(given.values()), slots), None, told)
    return (outcome._replace(asks=asks, act="narrow" if call and _goes_on(noticed) else "request"),)


def _look_at_rest(noticed: Noticed, basis: Basis, facts: ToolFacts, asks: str) -> tuple[Outcome, ...]:
    told = noticed.told
    drafts = [Draft(facts.intent, arguments) for arguments in list_rest(facts, told)]
    outcomes = [judge_with(basis, facts, drafted, None, told) for drafted in drafts]
    return tuple(each._replace(asks=asks, act="narrow") for each in outcomes)


def _of_what_kind(noticed: Noticed, facts: ToolFacts) -> dict[str, Argument]:
    """Whether what is done or what is late is asked for: by everything together, not by single words."""
    state = facts.argument("state_filter")
    if not state:
        return {}
    settled = noticed.told.policy.catalogue.states[1]
    for facet, value in (("done", settled), ("late", OVERDUE)):
        if holds(facet, noticed) >= _LIKELY:
            return {state: Argument(state, value, Provenance("words", noticed.whole))}
    return {}


def _goes_on(noticed: Noticed) -> bool:
    return noticed.has_cue("rest", "narrow") or holds("keeps", noticed) >= _LIKELY


def tell_state(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    """Whether it is done, of what is named or was just spoken of."""
    return _tell_about_one(noticed, basis._replace(name="move:read"), "status")


def _ask_about_one(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    told = noticed.told
    field = next((kind for cue, kind in _FIELDS if noticed.has_cue(cue)), "")
    named = any(each.named for each in noticed.mentioned)
    if field == "level" and noticed.level and not (named and _asks_how_much(told)):
        return None  # "what is there with high priority", but "the tax, how important is it?"
    if not named and not noticed.points and any(date.has_day for date in told.dates):
        return None  # "what falls due next week?"
    if field == "status" and wonders(told) and not named and not noticed.points:
        return None  # "what's still open?"
    if wonders(told) and _may_be_several(noticed):
        return None  # "which quotes do I still have to write"
    if not field and holds("tells", noticed) >= _LIKELY and (named or not noticed.has_cue(*_PLURAL)):
        field = _EVERYTHING  # also "how much was the school trip", which its note says
    return _tell_about_one(noticed, basis, field) if field else None


def _asks_how_much(told: Told) -> bool:
    return told.policy.lexicon.says("how_level", told.reading.scene.words)


def _may_be_several(noticed: Noticed) -> bool:
    """Whether the words fit more than one thing alike, and none of them was just spoken of."""
    fits = sorted((each.fit for each in noticed.mentioned), reverse=True)
    alike = len(fits) > 1 and fits[0] - fits[1] < _ALIKE
    return alike and not noticed.points and not noticed.told.situation.spoken_of


_ALIKE = 0.1


def _tell_about_one(noticed: Noticed, basis: Basis, field: str) -> tuple[Outcome, ...] | None:
    told, facts = noticed.told, list_tool(noticed.told)
    if facts is None:
        return None
    if not noticed.mentioned and not noticed.points and not noticed.told.situation.spoken_of:
        return None
    references = find_targets(noticed, "read")
    if len(references) != 1 or references[0].task_id is None:
        return None
    task = told.context.tasks.find_by_id(references[0].task_id)
    if not isinstance(task, Task):
        return None
    search = Argument(facts.argument("search"), task.title, Provenance("store", references[0].span, "the title"))
    outcome = judge_with(basis._replace(act="ask"), facts, Draft(facts.intent, (search,)), None, told)
    return (outcome._replace(references=references, answer=tell(task, field, told), asks=field),)
