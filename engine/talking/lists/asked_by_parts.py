"""A list that is asked for in any words, where each word has its part: "what's there for the week with no day on it",
"can you read me what I've got this morning".

Whoever asks what there is says little: that they ask, that something is there or to be done, and by what it is to be
narrowed: a day, a level, that it has no date. Where nothing else is said there is nothing else to mean, however it is
put; where one word says something else ("what is there for dinner on Friday") it is not asked of us.
"""

from __future__ import annotations

from engine.catalogue.facts import UNKNOWN, ToolFacts
from engine.decision import Factor, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.filters import find_filters, leaves_out
from engine.slots.titles import date_spans, inside
from engine.talking.basis import Basis, judge_with
from engine.talking.lists.narrowing import list_tool
from engine.talking.values import Told
from engine.values import Argument, Provenance

_ASKS, _ASKS_US, _HAS, _SMALL = "list_asks", "list_asks_us", "list_has", "list_small"
"""Words that begin such a question, those that plainly ask us, those that say that there is something, and those that
say nothing besides."""
_OF_LISTS = (
    _ASKS, _ASKS_US, _HAS, _SMALL, "items", "list", "own_list", "due_none", "level_noun", "everything", "up_to",
    "earlier_than", "later_than", "falls_due", "cue_rest",
)  # fmt: skip
_POLITE = ("courtesy", "opener", "closer", "interjection", "greeting")
_SURE = 0.9
_LONGEST = 60


def ask_by_parts(told: Told, instead_of: tuple[Outcome, ...]) -> tuple[Outcome, ...] | None:
    """The list that is asked for; None where it is shown already, or where some word has no part in it."""
    facts, policy = list_tool(told), told.policy
    words = told.reading.scene.words
    if facts is None or told.reading.guard or not 1 < len(words) <= _LONGEST:
        return None
    if policy.lexicon.names(words).isdisjoint((_ASKS, _ASKS_US)) or not all(
        _gives_way(each, told) for each in instead_of
    ):
        return None
    start = next((place for place in range(len(words)) if _begins(place, told)), None)
    slots = find_filters(told.reading.utterance, told.reading.scene, policy, facts, None, told.dates)
    opening = told.reading.utterance.tokens[start or 0].start
    slots = tuple(each for each in slots if each.name != facts.argument("search") and each.span.start >= opening)
    undated = _undated(start or 0, facts, told)
    slots = (undated, *(each for each in slots if each.name != undated.name)) if undated else slots
    slots = (*slots, *_level(start or 0, slots, facts, told))
    if start is None or not _narrows(slots, facts, told) or not _says_nothing_else(start, slots, told):
        return None
    given = {slot.name: Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots}
    if all(_has_all(each, given) for each in instead_of):
        return None
    state = facts.argument("state_filter")
    if state:
        given.setdefault(state, Argument(state, policy.catalogue.states[0], Provenance("default")))
    span = told.reading.utterance.span(start, len(words))
    basis = Basis("list:by its parts", "request", _SURE, (Factor("each word says what to list", _SURE, span),), 0, 0)
    return (judge_with(basis, facts, Draft(facts.intent, tuple(given.values()), slots), None, told),)


def _gives_way(outcome: Outcome, told: Told) -> bool:
    """Nothing, a list that is only offered, or one that may be another."""
    nothing = outcome.action == "reply" and outcome.intent == UNKNOWN
    return nothing or outcome.intent in told.policy.catalogue.lists


def _has_all(outcome: Outcome, given: dict[str, Argument]) -> bool:
    """Whether it is a list that is narrowed by all of that already."""
    if outcome.action != "execute" or outcome.call is None:
        return False
    shown = outcome.call.parameters
    return all(shown.get(name) == argument.value for name, argument in given.items())


def _begins(place: int, told: Told) -> bool:
    """At the start of the message or of a sentence, behind what only opens it; anywhere, where we are plainly asked."""
    words, lexicon, scene = told.reading.scene.words, told.policy.lexicon, told.reading.scene
    if any(end < len(words) for end in lexicon.ends(_ASKS_US, words, place)):
        return True
    if not lexicon.ends(_ASKS, words, place):
        return False
    starts = (each for each in (*scene.starts, *_after_commas(told), 0) if each <= place)
    return all(_is_one_of(_POLITE, each, told) for each in range(max(starts), place))


def _after_commas(told: Told) -> list[int]:
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    return [at for at in range(1, len(tokens)) if "," in text[tokens[at - 1].end : tokens[at].start]]


def _narrows(slots: tuple[Slot, ...], facts: ToolFacts, told: Told) -> bool:
    """By a day or a level; what is done is not known by its day."""
    given = {slot.name: slot.value for slot in slots}
    done = given.get(facts.argument("state_filter")) == told.policy.catalogue.states[1]
    return not done and any(facts.argument(kind) in given for kind in ("day_filter", "level_filter"))


def _undated(start: int, facts: ToolFacts, told: Told) -> Slot | None:
    """ "what have I not given a day yet", "which ones have no deadline on them"."""
    words, policy, argument = told.reading.scene.words, told.policy, facts.argument("day_filter")
    if not argument:
        return None
    for place in range(start, len(words)):
        if not policy.lexicon.ends(_NOT, words, place):
            continue
        for noun in range(place + 1, min(place + _REACH + 1, len(words))):
            ends = policy.lexicon.ends(_DATE, words, noun)
            if ends and not inside(told.reading.utterance.tokens[noun], date_spans(told.dates, told.reading.utterance)):
                span = told.reading.utterance.span(place, max(ends))
                return Slot(argument, _UNDATED.removeprefix(f"{argument}_"), span)
    return None


_NOT, _DATE, _UNDATED = "list_not", "date_field", "due_none"


def _level(start: int, slots: tuple[Slot, ...], facts: ToolFacts, told: Told) -> tuple[Slot, ...]:
    """ "what's marked high": where each word has its part, it is one."""
    words, policy, argument = told.reading.scene.words, told.policy, facts.argument("level_filter")
    if not argument or any(slot.name == argument for slot in slots):
        return ()
    values = {f"level_{value}": value for value in policy.catalogue.choices.get((facts.name, argument), ())}
    for place in range(start, len(words)):
        if place and "det" in policy.word_classes.get(words[place - 1], ()):
            continue  # "what's the high for today" asks about the weather
        for name, length in policy.lexicon.among(tuple(values), words, place):
            return (Slot(argument, values[name], told.reading.utterance.span(place, place + length)),)
    return ()


def _says_nothing_else(start: int, slots: tuple[Slot, ...], told: Told) -> bool:
    scene, policy = told.reading.scene, told.policy
    spans = (*date_spans(told.dates, told.reading.utterance), *(slot.span for slot in slots))
    if leaves_out(scene, policy):
        return False
    stop = len(scene.words)
    while (
        stop > start
        and _is_one_of(_POLITE, stop - 1, told)
        and not inside(told.reading.utterance.tokens[stop - 1], spans)
    ):
        stop -= 1
    has = any(policy.lexicon.ends(_HAS, scene.words, place) for place in range(start, stop))
    tokens = told.reading.utterance.tokens
    return has and all(inside(tokens[at], spans) or _is_one_of(_OF_LISTS, at, told) for at in range(start, stop))


def _is_one_of(names: tuple[str, ...], place: int, told: Told) -> bool:
    """Whether the word is in a phrase of one of these classes."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    return any(
        begin <= place < end
        for begin in range(max(0, place - _REACH), place + 1)
        for name in names
        for end in lexicon.ends(name, words, begin)
    )


_REACH = 5
