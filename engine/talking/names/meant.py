"""How surely each task in reach is the one that a message means: by its words, and by what was spoken of before.

Each thing told of a task has a name, the same in every language; what it is worth is learned
(`training/learn_targets.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

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

    rivals: dict[str, int]
    ordinals: tuple[str, ...]
    left: int
    named: int
    days: frozenset[str]
    words: tuple[str, ...]
    cues: tuple[str, ...]
    others: bool
    """Whether another one than before is meant: "the other one"."""


def weigh_tasks(noticed: Noticed, left: int, effect: str) -> tuple[MeantTask, ...] | None:
    """Every task in reach, the likeliest first; None where nothing was learned. `left`: words without a part in it."""
    talk = noticed.told.policy.talk
    if FACET not in talk.facets:
        return None
    weighed = []
    for task, mention, things in tell_tasks(noticed, left, effect):
        share = talk.facet_of(FACET, things)
        weighed.append(MeantTask(task, share or 0.0, mention))
    return tuple(sorted(weighed, key=lambda each: -each.share))


def tell_tasks(
    noticed: Noticed, left: int, effect: str
) -> Iterator[tuple[Task, MentionedTask | None, tuple[str, ...]]]:
    """Each task in reach, by which words it is mentioned, and all that speaks for it or against it."""
    mentioned = {each.task.id: each for each in noticed.mentioned}
    situation, find = noticed.told.situation, noticed.told.context.tasks.find_by_id
    reach = (*mentioned, *situation.spoken_of[-_REACH:], *situation.recent[:_REACH], *situation.listed[:_REACH])
    around = _look_around(noticed, left)
    for task_id in dict.fromkeys(reach):
        mention = mentioned.get(task_id)
        task = mention.task if mention else find(task_id)
        if task is not None:
            told = tuple(dict.fromkeys(_tell(task, mention, noticed, around)))
            yield task, mention, (*told, *[f"{effect} {name}" for name in told if name.startswith(("said", "talk"))])


def _look_around(noticed: Noticed, left: int) -> _Around:
    places = [frozenset(each.places) for each in noticed.mentioned]
    rivals = {
        each.task.id: sum([not own.isdisjoint(other) for other in places]) - 1
        for each, own in zip(noticed.mentioned, places, strict=True)
    }
    spans = date_spans(noticed.told.dates, noticed.utterance)
    words = noticed.weighed.reading.scene.words
    named = frozenset().union(*places)
    tokens, lexicon = noticed.utterance.tokens, noticed.told.policy.lexicon
    plain = tuple([word for place, word in enumerate(words) if place not in named and not inside(tokens[place], spans)])
    placed = not lexicon.names(words).isdisjoint(_PLACES)  # seldom
    ordinals = tuple(
        name
        for place in range(len(words) if placed else 0)
        if not inside(tokens[place], spans)
        for name, _ in lexicon.among(_PLACES, words, place)
    )
    cues = tuple(name for name in dict.fromkeys(name for name, _, _ in noticed.cues) if name in _CUES)
    days = frozenset(each.value[:10] for each in noticed.told.dates if each.has_day)
    named_well = sum(each.named for each in noticed.mentioned)
    return _Around(rivals, ordinals, left, named_well, days, plain, cues, noticed.has_cue(_OTHERS))


def _tell(task: Task, mention: MentionedTask | None, noticed: Noticed, around: _Around) -> Iterator[str]:
    situation, states = noticed.told.situation, noticed.told.policy.catalogue.states
    said = "unsaid" if mention is None else "named" if mention.named else "part"
    spoken = "spoken" if task.id in situation.spoken_of else "recent" if task.id in situation.recent else "far"
    key = f"{said} {spoken}"
    yield f"said {said}"
    yield f"talk {spoken}"
    yield f"both {key}"
    yield f"{key} after {situation.effect or 'nothing'}"
    yield f"{key} left {_COUNTS[min(around.left, 4)]}"
    yield f"{key} named {_COUNTS[min(around.named, 2)]}"
    yield f"{key} points {noticed.points}"
    yield f"{key} settled {task.status == states[1]}"
    yield from (f"{key} cue {cue}" for cue in around.cues)
    if mention:
        yield f"fit {int(mention.fit * 5)} rivals {_COUNTS[min(around.rivals[task.id], 3)]}"
        yield f"{said} rivals {_COUNTS[min(around.rivals[task.id], 3)]}"
        best = noticed.mentioned[0]
        same = "the same" if set(best.places) & set(mention.places) else "other"
        yield f"behind {int((best.fit - mention.fit) * 5)} by {same} words"
        yield from (f"rivals {_COUNTS[min(around.rivals[task.id], 3)]} cue {cue}" for cue in around.cues)
    if spoken == "spoken":
        yield from _tell_spoken(task, key, noticed, around)
        if mention is None:
            yield from (f"{key} word {word}" for word in around.words)
    if task.id in situation.recent:
        yield f"{said} recent {min(situation.recent.index(task.id), 4)}"
    yield from _tell_place(task, noticed, around)
    if around.others:
        where = "latest" if situation.recent[:1] == (task.id,) else "listed" if task.id in situation.listed else spoken
        yield f"other {said} {where}"
        yield f"other {said} {where} of {_COUNTS[min(len(situation.listed), 4)]}"
    if task.due_date and str(task.due_date)[:10] in around.days:
        yield f"{key} that day"
    if task.description:
        noted = {word for word in split_words(task.description) if len(word) >= _LETTERS}
        if noted.intersection(around.words):
            yield f"{said} noted"


def _tell_spoken(task: Task, key: str, noticed: Noticed, around: _Around) -> Iterator[str]:
    spoken = noticed.told.situation.spoken_of
    size = _COUNTS[min(len(spoken), 4)]
    place = "last" if spoken[-1] == task.id else "first" if spoken[0] == task.id else "amid"
    yield f"{key} of {size} after {noticed.told.situation.effect}"
    yield f"{key} place {place}"
    yield from (f"of {size} cue {cue}" for cue in around.cues)


def _tell_place(task: Task, noticed: Noticed, around: _Around) -> Iterator[str]:
    spoken = noticed.told.situation.spoken_of
    listed = noticed.told.situation.listed or spoken
    if not around.ordinals or len(listed) < 2:
        return
    since = len(spoken) == 1 and spoken[0] not in listed  # added after the list, and so the last one
    placed = [
        (spoken if since else listed)[-1] if name == "ordinal_last" else listed[ORDINALS.index(name)]
        for name in around.ordinals
        if name == "ordinal_last" or ORDINALS.index(name) < len(listed)
    ]
    yield "in its place" if task.id in placed else "in another place"
