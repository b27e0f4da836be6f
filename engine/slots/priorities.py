"""Priorities: "urgent", "high priority", "asap", "whenever"."""

from __future__ import annotations

from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.slots.titles import Words
from engine.text.normalise import Utterance
from engine.values import PRIORITIES, Span

_JOINERS = frozenset({"with", "as", "a", "con", "come", "it's", "its", "is", "è", "and", "e", "very", "it"})


def find_priority(utterance: Utterance, scene: Scene, policy: Policy, lead: FrameMatch | None) -> Words | None:
    """A priority said about the task. A word inside the title counts only where it names the priority
    itself or stands at an end of it: "send the important papers" keeps its important papers."""
    if policy.priority_words.isdisjoint(scene.present):
        return None
    for place in range(scene.stop):
        for name, length in scene.lexicon.classes(scene.words, place):
            level = name.removeprefix("priority_")
            known = name.startswith("priority_") and level in PRIORITIES
            if known and not utterance.is_quoted(place) and _belongs_to_task(scene, place, length, lead):
                return Words(level, _with_joiners(utterance, scene, place, place + length))
    return None


def _belongs_to_task(scene: Scene, place: int, length: int, lead: FrameMatch | None) -> bool:
    phrase = " ".join(scene.words[place : place + length])
    if "priorit" in phrase or lead is None or not lead.covers(place):
        return True
    slot = next((start, end) for _, start, end in lead.slots if start <= place < end)
    at_end = place + length in scene.ends or place + length == slot[1]
    return (at_end and place > slot[0]) or (place == slot[0] and slot[1] > place + length and length > 1)


def _with_joiners(utterance: Utterance, scene: Scene, start: int, end: int) -> Span:
    """ "with high priority" goes as a whole."""
    while start > 1 and scene.words[start - 1] in _JOINERS:
        start -= 1
    return utterance.span(start, end)


def find_level(words: tuple[str, ...], policy: Policy) -> str | None:
    """The priority that an answer or a new value names: "high", "urgent", "bassa"."""
    for place in range(len(words)):
        for name, _ in policy.lexicon.classes(words, place):
            if name.startswith(("level_", "priority_")):
                return name.partition("_")[2]
    return None
