"""Which ways of saying fit a message in its situation, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.decision import Reason, Reference
from engine.policy.binding import Pattern
from engine.policy.patterns import GAP, Slots
from engine.policy.values import Way
from engine.slots.levels import is_all_level, read_level
from engine.slots.titles import date_spans, inside
from engine.talking.lists.narrowing import read_filters
from engine.talking.names.named_targets import NAMED_FROM, name_target, spoken_of
from engine.talking.names.naming import content_words, is_chore
from engine.talking.names.new_names import names_something_new
from engine.talking.values import Heard, Sign, Told
from engine.talking.ways.beside_it import is_beside_it
from engine.talking.ways.news import is_news_of_it
from engine.talking.ways.own_past import is_own_past, looks_past, names_old
from engine.talking.ways.possible import list_ways
from engine.targets.stems import stem
from engine.text.folding import title_words
from engine.values import Task

FOLLOWS = 1.5
_GUARDED = -4.0
_NAMED_BESIDE_VERB = 0.4
"""So much of a name will do where its verb is said as well."""
_MOST_TRIED, _MOST_STARTS, _MOST_WEIGHED = 40, 12, 64
_BESIDE = ("tail", "rest", "old")
"""Slots for what is said besides."""
_ASIDE = 2
_LEFT_OVER = -0.3
"""For each further word that the way does not explain."""
IN_TALK = 0.4
_GUARDS_AGAINST = {
    "request": (Reason.NEGATED, Reason.HYPOTHETICAL, Reason.QUESTION_ABOUT_TOOL),
    "undo": (Reason.NEGATED, Reason.HYPOTHETICAL, Reason.QUESTION_ABOUT_TOOL),
    "ask": (Reason.HYPOTHETICAL,),
    "correct": (Reason.NOT_ABOUT_TASKS,),
    "continue": (Reason.NOT_ABOUT_TASKS, Reason.HYPOTHETICAL),
    "narrow": (Reason.NOT_ABOUT_TASKS,),
}
_IN_SLOTS = {
    "did": ("target",),
    "own_past": ("past",),
    "chore": ("title", "object"),
    "dated": ("title", "object"),
    "new": ("title", "object"),
    "supply": ("title", "object"),
    "filter": ("filter",),
    "date": ("value", "when", "new_due_date"),
    "level": ("value", "when"),
}
"""The slots that hold what a way needs."""
_OTHER_VERB = Sign("store:another verb", -1.5)
_NamesFound = dict[tuple[tuple[int, int], float], tuple[Reference, Sign] | None]
"""What was looked up in this message: the ways of saying ask about the same words again and again."""
_NamesAsked = dict[tuple[tuple[int, int], float], bool]
"""Of which words something may be looked up."""


def find_ways(
    told: Told, listed: list[tuple[Way, Pattern]] | None = None, refused: Mapping[int, int] | None = None
) -> list[Heard]:
    """Every way that fits, the one that most speaks for first; of two alike, the one that explains more. `refused`: how
    often those of the listed are refused that are known to fit nowhere, by their places."""
    found = list(_every_way(told, list_ways(told) if listed is None else listed, refused or {}))
    return sorted(found, key=lambda heard: (-heard.strength, -_carrier(heard)))


def starts_of(pattern: Pattern, told: Told) -> list[int]:
    """Where a match may begin."""
    scene, firsts = told.reading.scene, pattern.firsts
    places = sorted(scene.starts)[:_MOST_STARTS] if pattern.anchored else range(min(scene.stop, _MOST_TRIED))
    words = scene.words
    return [place for place in places if firsts is None or place >= len(words) or words[place] in firsts]


def _every_way(told: Told, listed: list[tuple[Way, Pattern]], refused: Mapping[int, int]) -> Iterator[Heard]:
    scene = told.reading.scene
    seen: set[str] = set()
    left = [_MOST_WEIGHED]
    named: _NamesFound = {}
    asked: _NamesAsked = {}
    for number, (way, pattern) in enumerate(listed):
        if way.id in seen:
            continue
        if number in refused:
            left[0] -= refused[number]
            continue
        for place in starts_of(pattern, told):
            accepted: list[Heard] = []

            def accept(
                end: int, slots: Slots, way: Way = way, place: int = place, kept: list[Heard] = accepted
            ) -> bool:
                left[0] -= 1
                possible = left[0] >= 0 and not is_beside_it(way, place, slots, told)
                heard = _weigh(way, place, end, slots, told, named, asked) if possible else None
                if heard:
                    kept.append(heard)
                return heard is not None

            if pattern.match(scene, place, (), accept):
                seen.add(way.id)
                yield accepted[-1]
                break


_MOST_NAMED, _LONGEST_NAME = 48, 24
"""Stretches of words that are looked up in the store, and how long they may be: no request has more, and each takes
time."""


def _weigh(
    way: Way, start: int, end: int, slots: Slots, told: Told, named: _NamesFound, asked: _NamesAsked
) -> Heard | None:
    """The way with everything that speaks for it; None where something that it needs is missing."""
    heard = Heard(way, start, end, tuple([slot for slot in slots if slot[0] != GAP]), ())
    if "own_past" in way.needs and not looks_past(heard, told):
        return None
    holds, signs = _has_needs(heard, told), tuple[Sign, ...]()
    if "target" in way.needs:
        place = heard.slot("target", "object")
        least = _NAMED_BESIDE_VERB if "own_past" in way.needs else NAMED_FROM
        may_ask = _may_ask(place, least, asked) if place else True
        if not (holds and may_ask):
            return None  # before the store is asked
        if place and (place, least) not in named:
            named[place, least] = name_target(place, told, least=least)
        found = named[place, least] if place else spoken_of(told)
        if found is None or _is_open_already(way, found[0], told):
            return None
        heard = heard._replace(reference=found[0])
        signs = (found[1], _OTHER_VERB) if _says_other_verb(heard, found[0], told) else (found[1],)
    if not holds or ("own_past" in way.needs and not _is_own_past(heard, told)):
        return None
    if not names_old(heard, told) or is_news_of_it(heard, told):
        return None
    return heard._replace(signs=(*_signs_of(heard, told), *signs))


def _may_ask(place: tuple[int, int], least: float, asked: _NamesAsked) -> bool:
    """Counted also where the store is not asked after all."""
    if (place, least) not in asked:
        asked[place, least] = len(asked) < _MOST_NAMED and place[1] - place[0] <= _LONGEST_NAME
    return asked[place, least]


def _signs_of(heard: Heard, told: Told) -> list[Sign]:
    """What speaks for a way or against it, but for what it names."""
    way = heard.way
    signs = [Sign(f"act:{way.id}", way.worth, told.reading.utterance.span(heard.start, heard.end))]
    if way.follows:
        name = f"talk:follows {told.situation.effect or 'question'}"
        signs.append(Sign(name, FOLLOWS, None, told.situation.words[:60]))
    guard = told.reading.guard
    about_tool = guard and guard[0] is Reason.QUESTION_ABOUT_TOOL and not way.needs
    if guard and (about_tool or guard[0] in _GUARDS_AGAINST.get(way.act, ())):
        signs.append(Sign(f"guard:{guard[0]}", _GUARDED))
    left = sum([last - first for name, first, last in heard.slots if name in _BESIDE])
    if left > _ASIDE:
        signs.append(Sign("shape:words left over", _LEFT_OVER * (left - _ASIDE)))
    if way.act == "request" and not way.follows and (told.context.history or told.dates):
        signs.append(Sign("talk:goes on" if told.context.history else "date:said", IN_TALK))
    return signs


def _is_own_past(heard: Heard, told: Told) -> bool:
    place = heard.slot("past")
    return place is not None and is_own_past(place, heard, told)


def _has_needs(heard: Heard, told: Told) -> bool:
    """Whether the slots hold what the way needs them to; what it needs of a stored name is asked once that is known."""
    words, policy = told.reading.scene.words, told.policy
    for need in heard.way.needs:
        names = _IN_SLOTS.get(need)
        if names is None:
            continue
        place = heard.slot(*names)
        if place is None:
            return False
        if (
            (need == "did" and "did" not in policy.word_classes.get(words[place[0]], ()))
            or (need == "dated" and any("did" in policy.word_classes.get(word, ()) for word in words[slice(*place)]))
            or (need == "chore" and (place[1] - place[0] < 2 or not is_chore(words[place[0]], policy)))
            or (need == "new" and not names_something_new(place, told))
            or (need == "supply" and not _names_supply(place, told))
            or (need == "filter" and not _is_filter(place, told))
            or (need in ("date", "level") and not is_all(need, *place, told))
        ):
            return False
    return True


def _is_open_already(way: Way, reference: Reference, told: Told) -> bool:
    """ "I have not finished it" says nothing new of what is still to be done."""
    task, still_open = told.context.tasks.find_by_id(reference.task_id or ""), told.policy.catalogue.states[0]
    return isinstance(task, Task) and task.status == still_open and still_open in way.sets.values()


def _says_other_verb(heard: Heard, reference: Reference, told: Told) -> bool:
    """ "I paid the dentist" where "call the dentist" is what is stored: done is something else, perhaps."""
    policy, task = told.policy, told.context.tasks.find_by_id(reference.task_id or "")
    facts = policy.catalogue.by_intent.get(heard.way.intent)
    title = title_words(task.title) if task else ()
    if not facts or facts.effect != "finish" or not title or not is_chore(title[0], policy):
        return False
    inside_slots = {place for _, start, end in heard.slots for place in range(start, end)}
    words = [told.reading.scene.words[place] for place in range(heard.start, heard.end) if place not in inside_slots]
    classes = [(word, policy.word_classes.get(word, frozenset())) for word in words]
    said = {stem(word, policy) for word, names in classes if "did" in names and "all_purpose" not in names}
    return bool(said) and stem(title[0], policy) not in said


def _names_supply(place: tuple[int, int], told: Told) -> bool:
    """Whether something is named that a household runs out of: milk, but not patience."""
    words, policy = told.reading.scene.words, told.policy
    first = next((where for where in range(*place) if words[where] not in policy.small_words), place[0])
    if words[first].endswith(policy.past_endings) and not policy.lexicon.ends("supply", words, first):
        return False  # "non ho ancora bevuto il caffè": nothing has run out
    return any(policy.lexicon.ends("supply", words, where) for where in range(*place))


def _is_filter(place: tuple[int, int], told: Told) -> bool:
    """Whether the words say which ones, nothing to look for in the names, and little else: not "sorry, today my head is
    elsewhere"."""
    lists = told.policy.catalogue.lists
    facts = next((tool for tool in told.policy.catalogue.tools if tool.intent in lists), None)
    slots = read_filters(place, facts, told) if facts else ()
    if facts is None or not slots or any(slot.name == facts.argument("search") for slot in slots):
        return False
    spans, tokens = [slot.span for slot in slots], told.reading.utterance.tokens
    beside = tuple(
        told.reading.scene.words[where] for where in range(*place) if not inside(tokens[where], tuple(spans))
    )
    timed = any("T" in each.value for each in told.dates)  # "yoga Thursday at 7" is no list: nobody looks for an hour
    return len(content_words(beside, told.policy)) <= (0 if timed else _LITTLE_ELSE)


_LITTLE_ELSE = 1


def _carrier(heard: Heard) -> int:
    return heard.end - heard.start - sum(end - start for _, start, end in heard.slots)


def is_all(need: str, first: int, last: int, told: Told) -> bool:
    """Whether the words say a date (or a level) and nothing else but small words."""
    utterance, policy = told.reading.utterance, told.policy
    small = policy.small_words
    if need == "date":
        spans = date_spans(told.dates, utterance)
        region = utterance.span(first, last)
        hit = any(span.start < region.end and span.end > region.start for span in spans)
        rest = [place for place in range(first, last) if not inside(utterance.tokens[place], spans)]
        return hit and all(told.reading.scene.words[place] in small for place in rest)
    facts = next((tool for tool in policy.catalogue.tools if tool.effect == "change" and tool.argument("level")), None)
    words = tuple(word for word in told.reading.scene.words[first:last] if word not in small)
    return bool(facts and words and is_all_level(words, policy, facts) and read_level(words, policy, facts))
