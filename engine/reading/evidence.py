"""What is observed in a request. Each observation has a name (the key of its learned weight) and a place.

frame:...    a way of asking that fits       lead:...   the frame that reads it best
word:, pair:, tags:   words of the carrier   object:    words of a weak frame's object
shape:       question, length, what the object begins with
guard:       a reason to do nothing          task:      a stored task is named
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from engine.decision import Reason
from engine.making import maker
from engine.policy.patterns import GAP, Scene
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch

_MOST = (3, 8, 15, 25)
_LENGTHS = ("1-3", "4-8", "9-15", "16-25", "26+")
"""How many words a request has, up to each of the bounds and above them all."""
_NO_OBJECT = frozenset({"when", "rest", "day", GAP})
_WORD_LIMIT = 80
"""Words beyond this add no evidence: a letter that mentions tasks somewhere is still a letter."""
_OBJECT_LIMIT = 12
DATE = "@date"
"""What words that say when are observed as."""


Raw = tuple[str, int, int]


class Observation(NamedTuple):
    name: str
    first: int
    last: int


_make_observation = maker(Observation)


def observe(
    scene: Scene,
    policy: Policy,
    frames: tuple[FrameMatch, ...],
    guard: tuple[Reason, int, int] | None,
    asks: bool,
    dated: frozenset[int] = frozenset(),
) -> tuple[Observation, ...]:
    """Everything seen in one request, each thing once. `dated` are the places of words that say when."""
    lead = frames[0] if frames else None
    seen: dict[str, Observation] = {}
    table = policy.weights.evidence
    for raw in _observations(scene, policy, frames, lead, guard, asks, dated):
        name = raw[0]
        # Without a table everything is kept: that is how the weights are learned.
        if name not in seen and (name in table or not table):
            seen[name] = _make_observation(raw)
    return tuple(seen.values())


def _observations(
    scene: Scene,
    policy: Policy,
    frames: tuple[FrameMatch, ...],
    lead: FrameMatch | None,
    guard: tuple[Reason, int, int] | None,
    asks: bool,
    dated: frozenset[int],
) -> list[Raw]:
    seen: list[Raw] = [(f"guard:{guard[0]}", guard[1], guard[2])] if guard else []
    for match in frames:
        if match.frame.weak and lead and lead.frame.clear:
            continue
        seen.append((f"frame:{match.frame.id}", match.start, _carrier_end(match)))
    if lead:
        seen.append((f"lead:{lead.frame.id}", lead.start, _carrier_end(lead)))
        seen += _object_observations(scene, policy, lead, dated)
    else:
        seen.append(("shape:no_frame", 0, scene.stop))
    seen += _carrier_observations(scene, policy, lead, dated)
    seen += _shape_observations(scene, policy, lead, asks)
    return seen


def _carrier_end(match: FrameMatch) -> int:
    """Where the frame's own words first give way to a slot."""
    starts = [start for name, start, _ in match.slots if name != GAP]
    first_slot = min(starts) if starts else match.end
    return first_slot if first_slot > match.start else match.end


def _carrier_observations(scene: Scene, policy: Policy, lead: FrameMatch | None, dated: frozenset[int]) -> list[Raw]:
    seen: list[Raw] = []
    tags, previous, previous_tag, before = policy.tags, "^", "^", 0
    explained = lead.explained(scene) if lead else ()
    for place, word in enumerate(scene.words[:_WORD_LIMIT]):
        if place in explained:
            if previous == "_":
                continue
            word = tag = "_"
        elif place in dated:
            # When it is says little of what is asked: every day and time is one word.
            if previous == DATE:
                continue
            word = tag = DATE
        else:
            word = "0" if word[0].isdigit() else word
            tag = tags.get(word, word)
            seen.append((f"word:{word}", place, place + 1))
        seen.append((f"pair:{previous} {word}", before, place + 1))
        if tag != word or previous_tag != previous:
            seen.append((f"tags:{previous_tag} {tag}", before, place + 1))
        previous, previous_tag, before = word, tag, place
    seen.append((f"pair:{previous} $", before, scene.stop))
    return seen


def tag_of(word: str, policy: Policy) -> str:
    return policy.tags.get(word, word)


def _object_observations(scene: Scene, policy: Policy, lead: FrameMatch, dated: frozenset[int]) -> Iterator[Raw]:
    """What the frame's first slot holds: its kind always, its words only where the frame is weak."""
    slot = next(((start, end) for name, start, end in lead.slots if end > start and name not in _NO_OBJECT), None)
    if slot is None:
        yield (f"shape:{lead.frame.intent} without object", lead.start, lead.end)
        return
    start, end = slot
    prefix = f"shape:{lead.frame.id if lead.frame.weak else lead.frame.intent} object"
    kind = _kind(scene.words[start], policy)
    # What a task is about is the user's business: a clear frame only cares whether the object is a question.
    if lead.frame.weak or (kind in ("wh", "pronoun") and start not in scene.quoted):
        yield (f"{prefix} begins {kind}", start, start + 1)
    if not lead.frame.weak:
        return
    goes, stop = None, min(end, start + _OBJECT_LIMIT)
    for place in range(start, stop):
        if place in dated:
            yield (f"object:{DATE}", place, place + 1)
            continue
        word = scene.words[place]
        yield (f"object:{'0' if word[0].isdigit() else word}", place, place + 1)
        classes = policy.word_classes.get(word, ())
        if "foreign" in classes:
            yield (f"{prefix} foreign", place, place + 1)
        if "item" in classes:
            yield (f"{prefix} item", place, place + 1)
        if "occasion" in classes:
            yield (f"{prefix} occasion", place, place + 1)
        if goes is None and "into" in classes and start < place < stop - 1:
            goes = place
    # "add X to Y" puts X somewhere; where Y is no task list, that is seldom about tasks.
    yield (f"{prefix} {'stays' if goes is None else 'goes somewhere'}", goes or start, (goes or start) + 1)
    yield (f"{prefix} ends {DATE if end - 1 in dated else scene.words[end - 1]}", end - 1, end)


def _kind(word: str, policy: Policy) -> str:
    classes = policy.word_classes.get(word, frozenset())
    for name in ("wh", "pronoun", "det", "chore", "foreign", "into", "connector"):
        if name in classes:
            return name
    return "number" if word[0].isdigit() else "other"


def _shape_observations(scene: Scene, policy: Policy, lead: FrameMatch | None, asks: bool) -> Iterator[Raw]:
    length = _LENGTHS[bisect_left(_MOST, scene.stop)]
    yield (f"shape:length {length}", 0, scene.stop)
    if lead and lead.frame.clear:
        return
    if asks and (lead is None or lead.frame.weak):
        yield ("shape:question mark", max(0, scene.stop - 1), scene.stop)
    first = max((place for place in scene.starts if place < min(scene.stop, 8)), default=0)
    if scene.stop:
        yield (f"shape:first {tag_of(scene.words[first], policy)}", first, first + 1)
