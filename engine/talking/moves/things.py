"""What is weighed of a message: each thing noticed has a name, the same in every language but for the words themselves.

What it is worth is learned (`training/learn_talk.py`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from math import log

from engine.making import maker
from engine.policy.talk_weights import NOTHING
from engine.policy.values import Policy
from engine.slots.titles import date_spans, inside
from engine.talking.moves.noticed import Noticed, Thing

_make_thing = maker(Thing)
_LEAST_SHARE = 1e-3
_LOG_OF_LEAST = log(_LEAST_SHARE)
_WORDS_LOOKED_AT = 60
_BEGINNING = 3
_STEM = 4
"""Letters that the forms of a word share."""
_MANY = 3
_TELLING_FIRST = ("wh", "chore", "pronoun", "det", "negation", "foreign")
_TELLING = ("negation", "foreign", "chore")
_TOLD_BY = frozenset(_TELLING)
_NONE: frozenset[str] = frozenset()
_BOUNDS, _AMOUNTS = (0, 3, 7), ("no", "few", "some", "many")
_SHORT = 4
_TASK, _DATE, _BEGINS, _ENDS = "<task>", "<date>", "<begins>", "<ends>"
"""Stand for what is stored, for when, and for the ends of the message."""


def list_things(noticed: Noticed) -> tuple[Thing, ...]:
    """What is weighed, each thing once."""
    found: dict[str, Thing] = {}
    for thing in _every_thing(noticed):
        found.setdefault(thing[0], thing)
    return tuple(found.values())


def _every_thing(noticed: Noticed) -> list[Thing]:
    told, utterance = noticed.told, noticed.utterance
    effects = _effects(told.policy)
    things = [
        _make_thing((f"words:{effects.get(intent, NOTHING)}", _strength(share), None))
        for intent, share, _ in noticed.weighed.scores
    ]
    frames = noticed.weighed.reading.frames
    if frames:
        frame = frames[0].frame
        things.append(Thing(f"frame:{'weak' if frame.weak else 'strong'} {effects.get(frame.intent, '')}"))
    if noticed.weighed.reading.guard:
        things.append(Thing(f"guard:{noticed.weighed.reading.guard[0]}"))
    names = {name for name, _, _ in noticed.cues}
    for name, first, last in noticed.cues:
        span = utterance.span(first, last)
        things.append(_make_thing((f"cue:{name}", 1.0, span)))
        if first < _BEGINNING:
            things.append(_make_thing((f"begins:{name}", 1.0, span)))
    store = _of_store(noticed)
    talk = _of_talk(noticed)
    shape = _of_shape(noticed)
    things += [*store, *talk, *shape, *_of_wording(noticed)]
    crossing = [thing.name for thing in (*store[:1], *talk[1:2], *shape) if thing.name in _CROSSED]
    crossed = [f"{one} & {other}" for place, one in enumerate(crossing) for other in crossing[place + 1 :]]
    for name in sorted(names & _CUES_CROSSED):
        crossed += [f"cue:{name} & {other}" for other in crossing]
    crossed += [f"{talk[0].name} & {other}" for other in crossing]
    for name in sorted(names & _CUES_OF_TALK):
        crossed.append(f"cue:{name} & {talk[0].name}")
        if told.situation.noted:
            crossed.append(f"cue:{name} & a note before")
    things += [_make_thing((name, 1.0, None)) for name in crossed]
    return things


_CROSSED = frozenset(
    {
        "store:named",
        "store:part",
        "store:none",
        "date:day",
        "date:time",
        "date:only",
        "level:said",
        "shape:question",
        "talk:points",
        "shape:short",
        "shape:begins chore",
        "shape:begins wh",
        "shape:begins det",
    }
)
_CUES_CROSSED = frozenset(
    {"done", "off", "move", "add", "show", "note", "undo", "correct", "same", "other", "ask_date", "ask_status"}
)
_CUES_OF_TALK = frozenset({"undo", "correct", "same", "add", "show", "off"})


def _effects(policy: Policy) -> dict[str, str]:
    """By intent, what its tool does; reading that shows no list is about the person."""
    lists = policy.catalogue.lists
    return {
        tool.intent: "self" if tool.effect == "read" and tool.intent not in lists else tool.effect
        for tool in policy.catalogue.tools
    }


def _strength(share: float) -> float:
    """From 0 for hardly anything to 1 for all of it, by orders of magnitude."""
    return round(1 - log(max(share, _LEAST_SHARE)) / _LOG_OF_LEAST, 3)


def _of_store(noticed: Noticed) -> list[Thing]:
    best = noticed.mentioned[0] if noticed.mentioned else None
    if best is None:
        return [Thing("store:none")]
    things = [
        Thing("store:named" if best.named else "store:part", 1.0, best.span),
        Thing("store:fit", best.fit, best.span),
    ]
    if best.task.status == noticed.told.policy.catalogue.states[1]:
        things.append(Thing("store:settled"))
    if len([each for each in noticed.mentioned if each.named]) > 1:
        things.append(Thing("store:several"))
    spoken = noticed.told.situation.spoken_of
    if best.task.id in spoken:
        things.append(Thing("store:spoken of"))
    left = len(noticed.content) - len(best.places)
    things.append(Thing(f"store:{min(left, 4)} words more"))
    return things


def _of_talk(noticed: Noticed) -> list[Thing]:
    situation, pending = noticed.told.situation, noticed.told.context.pending
    things = [Thing(f"talk:after {situation.effect or 'nothing'}")]
    if noticed.points:
        things.append(Thing("talk:points"))
    if situation.spoken_of:
        things.append(Thing("talk:spoken of"))
    if pending:
        things.append(Thing("talk:asked"))
    things.append(Thing(f"talk:{situation.before or 'nothing'}, then {situation.effect or 'nothing'}"))
    if situation.noted:
        things.append(Thing("talk:a note before"))
    if not situation.fresh:
        things.append(Thing("talk:something said since"))
    things.append(Thing(f"talk:{min(len(situation.spoken_of), _MANY)} spoken of"))
    return things


def _of_shape(noticed: Noticed) -> list[Thing]:
    return [_make_thing((name, 1.0, None)) for name in (*_of_signs(noticed), *_of_dates(noticed), *_of_words(noticed))]


def _of_wording(noticed: Noticed) -> list[Thing]:
    """The words themselves and their neighbours; what names a stored task or a date is only that."""
    utterance, words = noticed.utterance, noticed.weighed.reading.scene.words[:_WORDS_LOOKED_AT]
    named = {place for each in noticed.mentioned if each.named for place in each.places}
    spans = date_spans(noticed.told.dates, utterance)
    found: list[Thing] = []
    before, effect = _BEGINS, noticed.told.situation.effect or "nothing"
    span = utterance.span
    for place, word in enumerate(words):
        own = span(place, place + 1)
        if place not in named:
            found.append(_make_thing((f"after {effect}:{word}", 1.0, own)))
            if len(word) > _STEM:
                found.append(_make_thing((f"stem:{word[:_STEM]}", 1.0, own)))
        told = _TASK if place in named else _DATE if spans and inside(utterance.tokens[place], spans) else word
        if told == before:
            continue
        found.append(_make_thing((f"word:{before} {told}", 1.0, span(place - 1, place + 1) if place else own)))
        if told is word:
            found.append(_make_thing((f"word:{word}", 1.0, own)))
        before = told
    found.append(_make_thing((f"word:{before} {_ENDS}", 1.0, None)))
    if words:
        found.append(_make_thing((f"first:{words[0]}", 1.0, span(0, 1))))
        found.append(_make_thing((f"last:{words[-1]}", 1.0, span(len(words) - 1, len(words)))))
    return found


def _of_signs(noticed: Noticed) -> Iterator[str]:
    text = noticed.utterance.own_text
    if "?" in text:
        yield "shape:question"
    if "," in text:
        yield "shape:comma"
    if "\n" in text or ":" in text:
        yield "shape:list"


def _of_dates(noticed: Noticed) -> Iterator[str]:
    dates = noticed.told.dates
    if any(date.has_day for date in dates):
        yield "date:day"
    if any("T" in date.value for date in dates):
        yield "date:time"
    if dates and not noticed.content:
        yield "date:only"
    if noticed.shift:
        yield "date:shift"


def _of_words(noticed: Noticed) -> Iterator[str]:
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    if noticed.level:
        yield "level:said"
    begins = next((place for place in range(len(words)) if "opener" not in classes.get(words[place], ())), 0)
    first = classes.get(words[begins], frozenset())
    yield from (f"shape:begins {name}" for name in _TELLING_FIRST if name in first)
    present = frozenset().union(*[_TOLD_BY & classes.get(word, _NONE) for word in words])
    yield from (f"shape:{name}" for name in _TELLING if name in present)
    yield f"shape:{_AMOUNTS[bisect_left(_BOUNDS, len(noticed.content))]} words"
    if len(words) <= _SHORT:
        yield "shape:short"
