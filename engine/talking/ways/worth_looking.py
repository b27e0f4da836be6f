"""Whether ways of saying are worth looking for: most messages are plain, and who looks for a way asks the store about
each stretch of words that may be a name."""

from __future__ import annotations

from functools import lru_cache, partial

from engine.policy.binding import Pattern
from engine.policy.patterns import GAP, Slots
from engine.policy.values import Way
from engine.reading.weighing import Weighed, complete_weighing
from engine.talking.names.named_targets import spoken_of
from engine.talking.values import Heard, Sign, Told, confidence_of
from engine.talking.ways.beside_it import is_beside_it
from engine.talking.ways.finding import FOLLOWS, IN_TALK, starts_of
from engine.talking.ways.own_past import looks_past
from engine.talking.ways.ways_heard import NEARLY, effect_of

_NAMED_MOST, _ROUNDED = 2.0, 1e-6
"""What the best name says, and what adding up in another order may make of it."""


def may_say_more(
    listed: list[tuple[Way, Pattern]], weighed: Weighed, told: Told, refused: dict[int, int] | None = None
) -> bool:
    """Whether one of the ways would be heard, by `says_more`, if it fitted as well as any can. Notes in `refused` those
    of which it found that they fit nowhere, with how often each was refused: who looks need not try them again."""
    refused = {} if refused is None else refused
    found: bool | None = None  # whether the words alone ask for something that is there
    for number, (way, pattern) in enumerate(listed):
        if not _may_say_more(way, weighed, told):
            continue
        if _asks_the_same(way, weighed) and _most_confident(way) <= weighed.confidence + NEARLY:
            found = _finds(weighed, told) if found is None else found
            if found:
                continue
        if _may_fit(number, way, pattern, told, refused):
            return True
    return False


def _asks_the_same(way: Way, weighed: Weighed) -> bool:
    """As the words alone ask for."""
    return way.intent == weighed.intent and not way.follows and way.act == "request" and "new" not in way.needs


def _finds(weighed: Weighed, told: Told) -> bool:
    reference = complete_weighing(weighed, told.context, told.policy)[1]
    return reference is not None and reference.task_id is not None


def _may_say_more(way: Way, weighed: Weighed, told: Told) -> bool:
    policy = told.policy
    if weighed.intent == policy.catalogue.intents[policy.catalogue.unknown]:
        return True
    lead = weighed.reading.frames[0] if weighed.reading.frames else None
    clear = lead is not None and lead.frame.clear
    effect = policy.catalogue.by_intent[weighed.intent].effect
    if way.act in ("undo", "redo"):
        return not (clear and effect == "change")
    if (way.act == "ask" and effect == "read") or (way.follows and effect_of(way, told) == effect):
        return True
    same = way.intent == weighed.intent
    if clear or (same and "new" in way.needs):
        return same and "new" in way.needs
    least = weighed.confidence + (NEARLY if same else -NEARLY)
    return (same and "target" in way.needs) or _most_confident(way) > least


def _most_confident(way: Way) -> float:
    """How sure a way can be at the most, whatever it names and follows."""
    named = _NAMED_MOST if "target" in way.needs else 0.0
    return _confidence_of(way.worth, (FOLLOWS if way.follows else IN_TALK) + named)


@lru_cache(maxsize=256)
def _confidence_of(worth: float, told: float) -> float:
    return confidence_of((Sign("", worth), Sign("", told))) + _ROUNDED


def _may_fit(number: int, way: Way, pattern: Pattern, told: Told, refused: dict[int, int]) -> bool:
    """Whether the way may fit, as far as can be said without the store: where this says no, `find_ways` finds none."""
    scene, refusals = told.reading.scene, [0]
    for start in starts_of(pattern, told):
        if pattern.match(scene, start, (), partial(_may_accept, way, told, refusals, start)):
            return True
    refused[number] = refusals[0]
    return False


def _may_accept(way: Way, told: Told, refusals: list[int], start: int, end: int, slots: Slots) -> bool:
    beside = way.act != "correct" and is_beside_it(way, start, slots, told)  # of a correction the store is asked
    fits = not beside and (not way.needs or _may_have_needs(way, told, start, end, slots))
    refusals[0] += not fits
    return fits


def _may_have_needs(way: Way, told: Told, start: int, end: int, slots: Slots) -> bool:
    heard = Heard(way, start, end, tuple([slot for slot in slots if slot[0] != GAP]), ())
    if "own_past" in way.needs and not looks_past(heard, told):
        return False
    return "target" not in way.needs or bool(heard.slot("target", "object") or spoken_of(told))
