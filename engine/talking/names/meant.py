"""How surely each task in reach is the one that a message means: by its words, and by what was spoken of before.

Each thing told of a task has a name, the same in every language; what it is worth is learned
(`training/learn_targets.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from engine.making import maker
from engine.policy.classes import ORDINALS
from engine.slots.titles import date_spans, inside
from engine.talking.moves.noticed import Noticed
from engine.talking.names.mentions import MentionedTask
from engine.text.folding import split_words
from engine.values import Task

FACET = "target"
_REACH = 8
"""How many of those named lately, or shown last, may be meant without a word of their own."""
_COUNTS = ("no", "one", "two", "three", "many")
_CUES = (
    "them",
    "two",
    "three",
    "all",
    "other",
    "same",
    "correct",
    "reopen",
    "done",
    "off",
    "undo",
    "add",
    "more",
    "note",
)
_LETTERS = 4
_OTHERS = "other_one"
_PLACES = (*ORDINALS, "ordinal_last")


class MeantTask(NamedTuple):
    task: Task
    share: float
    mention: MentionedTask | None = None


class _Around(NamedTuple):
    """What is the same for every task: looked up once."""

    rivals: dict[tuple[int, ...], int]
    """Of the words that a task is mentioned by, how many others have one of them."""
    ordinals: tuple[str, ...]
    left: int
    named: int
    days: frozenset[str]
    words: tuple[str, ...]
    """Those that name nothing, each once."""
    cues: tuple[str, ...]
    others: bool
    """Whether another one than before is meant: "the other one"."""


class _Traits(NamedTuple):
    """All that is told of one task. Of many that a word is said of, most have the same, and weigh the same."""

    said: str
    spoken: str
    settled: bool
    fit: int
    rivals: int
    behind: int
    same: bool
    """Whether the best one is mentioned by one of the same words."""
    place: str
    """Among those spoken of last."""
    recent: int
    placed: str
    where: str
    """Where it stands, if another one than before is meant."""
    that_day: bool
    noted: bool


_make_traits = maker(_Traits)


def weigh_tasks(noticed: Noticed, left: int, effect: str) -> tuple[MeantTask, ...] | None:
    """Every task in reach, the likeliest first; None where nothing was learned. `left`: words without a part in it."""
    talk = noticed.told.policy.talk
    if FACET not in talk.facets:
        return None
    shares: dict[_Traits, float] = {}
    around, weighed = _look_around(noticed, left), []
    for task, mention, traits in _each_in_reach(noticed, around):
        share = shares.get(traits)
        if share is None:
            share = shares[traits] = talk.facet_of(FACET, _tell(traits, noticed, around, effect)) or 0.0
        weighed.append(MeantTask(task, share, mention))
    return tuple(sorted(weighed, key=lambda each: -each.share))


def tell_tasks(
    noticed: Noticed, left: int, effect: str
) -> Iterator[tuple[Task, MentionedTask | None, tuple[str, ...]]]:
    """Each task in reach, by which words it is mentioned, and all that speaks for it or against it."""
    around = _look_around(noticed, left)
    for task, mention, traits in _each_in_reach(noticed, around):
        yield task, mention, _tell(traits, noticed, around, effect)


def _each_in_reach(noticed: Noticed, around: _Around) -> Iterator[tuple[Task, MentionedTask | None, _Traits]]:
    mentioned = {each.task.id: each for each in noticed.mentioned}
    situation, find = noticed.told.situation, noticed.told.context.tasks.find_by_id
    reach = (*mentioned, *situation.spoken_of[-_REACH:], *situation.recent[:_REACH], *situation.listed[:_REACH])
    for task_id in dict.fromkeys(reach):
        mention = mentioned.get(task_id)
        task = mention.task if mention else find(task_id)
        if task is not None:
            yield task, mention, _look_at(task, mention, noticed, around)


def _look_around(noticed: Noticed, left: int) -> _Around:
    counted = Counter([each.places for each in noticed.mentioned])
    rivals = {
        own: sum([count for other, count in counted.items() if not frozenset(own).isdisjoint(other)]) - 1
        for own in counted
    }
    spans = date_spans(noticed.told.dates, noticed.utterance)
    words = noticed.weighed.reading.scene.words
    named = frozenset().union(*counted)
    tokens, lexicon = noticed.utterance.tokens, noticed.told.policy.lexicon
    plain = dict.fromkeys(
        [
            word
            for place, word in enumerate(words)
            if place not in named and not (spans and inside(tokens[place], spans))
        ]
    )
    placed = not lexicon.names(words).isdisjoint(_PLACES)  # seldom
    ordinals = tuple(
        [
            name
            for place in range(len(words) if placed else 0)
            if not inside(tokens[place], spans)
            for name, _ in lexicon.among(_PLACES, words, place)
        ]
    )
    names = dict.fromkeys([name for name, _, _ in noticed.cues])
    cues = tuple([name for name in names if name in _CUES])
    days = frozenset([each.value[:10] for each in noticed.told.dates if each.has_day])
    named_well = sum([each.named for each in noticed.mentioned])
    return _Around(rivals, ordinals, left, named_well, days, tuple(plain), cues, _OTHERS in names)


def _look_at(task: Task, mention: MentionedTask | None, noticed: Noticed, around: _Around) -> _Traits:
    situation = noticed.told.situation
    recent = situation.recent.index(task.id) if task.id in situation.recent else -1
    spoken = "spoken" if task.id in situation.spoken_of else "far" if recent < 0 else "recent"
    best, fits = noticed.mentioned[0] if mention else None, (0, 0, 0, False)
    if mention and best:
        fits = (
            int(mention.fit * 5),
            min(around.rivals[mention.places], 3),
            int((best.fit - mention.fit) * 5),
            best.places == mention.places or not frozenset(best.places).isdisjoint(mention.places),
        )
    return _make_traits(
        (
            "unsaid" if mention is None else "named" if mention.named else "part",
            spoken,
            task.status == noticed.told.policy.catalogue.states[1],
            *fits,
            _place_among(task, situation.spoken_of) if spoken == "spoken" else "",
            min(recent, 4),
            _find_place(task, noticed, around) if around.ordinals else "",
            _find_where(task, spoken, noticed) if around.others else "",
            bool(task.due_date) and str(task.due_date)[:10] in around.days,
            bool(task.description) and _is_noted(task, around),
        )
    )


def _tell(traits: _Traits, noticed: Noticed, around: _Around, effect: str) -> tuple[str, ...]:
    situation, said, spoken = noticed.told.situation, traits.said, traits.spoken
    key, cues = f"{said} {spoken}", around.cues
    told = [
        f"said {said}",
        f"talk {spoken}",
        f"both {key}",
        f"{key} after {situation.effect or 'nothing'}",
        f"{key} left {_COUNTS[min(around.left, 4)]}",
        f"{key} named {_COUNTS[min(around.named, 2)]}",
        f"{key} points {noticed.points}",
        f"{key} settled {traits.settled}",
        *[f"{key} cue {cue}" for cue in cues],
    ]
    if said != "unsaid":
        rivals = _COUNTS[traits.rivals]
        told.append(f"fit {traits.fit} rivals {rivals}")
        told.append(f"{said} rivals {rivals}")
        told.append(f"behind {traits.behind} by {'the same' if traits.same else 'other'} words")
        told += [f"rivals {rivals} cue {cue}" for cue in cues]
    if spoken == "spoken":
        size = _COUNTS[min(len(situation.spoken_of), 4)]
        told.append(f"{key} of {size} after {situation.effect}")
        told.append(f"{key} place {traits.place}")
        told += [f"of {size} cue {cue}" for cue in cues]
        if said == "unsaid":
            told += [f"{key} word {word}" for word in around.words]
    if traits.recent >= 0:
        told.append(f"{said} recent {traits.recent}")
    if traits.placed:
        told.append(traits.placed)
    if around.others:
        told.append(f"other {said} {traits.where}")
        told.append(f"other {said} {traits.where} of {_COUNTS[min(len(situation.listed), 4)]}")
    if traits.that_day:
        told.append(f"{key} that day")
    if traits.noted:
        told.append(f"{said} noted")
    return (*told, f"{effect} said {said}", f"{effect} talk {spoken}")


def _place_among(task: Task, spoken: tuple[str, ...]) -> str:
    return "last" if spoken[-1] == task.id else "first" if spoken[0] == task.id else "amid"


def _find_where(task: Task, spoken: str, noticed: Noticed) -> str:
    situation = noticed.told.situation
    return "latest" if situation.recent[:1] == (task.id,) else "listed" if task.id in situation.listed else spoken


def _is_noted(task: Task, around: _Around) -> bool:
    noted = {word for word in split_words(task.description) if len(word) >= _LETTERS}
    return not noted.isdisjoint(around.words)


def _find_place(task: Task, noticed: Noticed, around: _Around) -> str:
    spoken = noticed.told.situation.spoken_of
    listed = noticed.told.situation.listed or spoken
    if len(listed) < 2:
        return ""
    since = len(spoken) == 1 and spoken[0] not in listed  # added after the list, and so the last one
    placed = [
        (spoken if since else listed)[-1] if name == "ordinal_last" else listed[ORDINALS.index(name)]
        for name in around.ordinals
        if name == "ordinal_last" or ORDINALS.index(name) < len(listed)
    ]
    return "in its place" if task.id in placed else "in another place"
