"""A rule's id in words: what it stands for in a message. The id itself belongs in a hint. No streamlit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from engine.policy.values import Policy
from ui.rules.talk_words import describe_thing
from ui.words import REASON_WORDS, find_intent_labels, name_intent, say_intent

NO_WAY = "no known way of asking"
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_BEGINNING, _END = "^", "$"
_PARTS = {
    _BEGINNING: "the beginning", _END: "the end", "_": "the user's own words", "@date": "a date", "0": "a number",
}  # fmt: skip
_SHORT_PARTS = {_BEGINNING: "start", _END: "end", "_": "own words"}
KINDS_OF_WORDS = {
    "chore": "a verb of doing",
    "connector": "a joining word",
    "det": "an article",
    "foreign": "a word of other matters",
    "interjection": "an exclamation",
    "into": "a word of direction",
    "number": "a number",
    "other": "another word",
    "pronoun": "a pronoun",
    "wh": "a question word",
}
"""Kinds that the engine sets itself, and classes of a policy whose first word says little, or should not be said."""
_MET = {"named as ": "a task is named for", "pointed at as ": "a task is pointed at for"}
_ENDINGS = {
    "foreign": "is about other matters",
    "item": "names a list or a task",
    "occasion": "names an occasion",
    "goes somewhere": "goes somewhere",
    "stays": "stays where it is",
}
_SHAPES = {"no_frame": NO_WAY, "question mark": "a question mark", "chore": "a verb of doing"}
_LENGTH = re.compile(r"length (\d+)(?:-(\d+)|\+)")
_OBJECT = re.compile(r"(\S+) object (?:(begins|ends) )?(.+)")


def describe_rule(rule: str, policy: Policy | None = None) -> str:
    """A rule's id as something that was seen in the message."""
    return _tell(rule, policy, _LONG)


def short_rule(rule: str, policy: Policy | None = None) -> str:
    """The same in the few letters that a chart has room for."""
    return _tell(rule, policy, _SHORT)


def _tell(rule: str, policy: Policy | None, words: Mapping[str, Tell]) -> str:
    found = describe_thing(rule)
    if found:
        return _with_labels(found) if rule.startswith("talk:") else found
    kind, _, name = rule.partition(":")
    return words[kind](name, policy) if kind in words else rule


def _asked(frame_id: str, policy: Policy | None) -> str:
    """What a way of asking is for: "complete a task"."""
    frames = policy.frames if policy else ()
    intent = next((frame.intent for frame in frames if frame.id == frame_id), "")
    if not intent:  # of another policy, or of a domain with a reading of its own: `turn_on`
        verb = frame_id.partition(".")[0]
        intent = next((each for each in find_intent_labels() if each.partition("_")[0] == verb), "")
    return say_intent(intent) if intent else frame_id.replace("_", " ").replace(".", ", ")


def _describe_word(name: str) -> str:
    return _PARTS.get(name, f"the word “{name}”")


def _part(part: str, policy: Policy | None) -> str:
    """One of two neighbours: a word, a class of words, or where the message begins and ends."""
    if part.startswith("<") and part.endswith(">") and len(part) > 2:
        return describe_class(part[1:-1], policy)
    return _PARTS.get(part, f"“{part}”")


def describe_class(name: str, policy: Policy | None) -> str:
    """By one of its words, which says more than its name: “a word like “the””."""
    phrases = policy.words.get(name, ()) if policy else ()
    if name in KINDS_OF_WORDS:
        return KINDS_OF_WORDS[name]
    return f"a word like “{phrases[0]}”" if phrases else f"a word of the kind “{name.replace('_', ' ')}”"


def _describe_shape(name: str, policy: Policy | None) -> str:
    length, about = _LENGTH.fullmatch(name), _OBJECT.fullmatch(name)
    if length:
        least, most = length.groups()
        return f"{least} to {most} words" if most else f"{least} words or more"
    if name.startswith("first "):
        return f"begins with {_part(name.removeprefix('first '), policy)}"
    if name.endswith(" without object"):
        return f"asks to {say_intent(name.removesuffix(' without object'))}, and says no more"
    if about:
        way, place, rest = about.groups()
        what = f"what to {_asked(way, policy) if '.' in way else say_intent(way)}"
        if not place:
            return f"{what}: it {_ENDINGS.get(rest, rest)}"
        kind = KINDS_OF_WORDS.get(rest) or _part(rest, policy)
        return f"{what}: it {place} with {kind}"
    return _SHAPES.get(name, name.replace("_", " "))


def _describe_pair(name: str, policy: Policy | None) -> str:
    first, _, second = name.partition(" ")
    if first == _BEGINNING:
        return f"begins with {_part(second, policy)}"
    if second == _END:
        return f"ends with {_part(first, policy)}"
    return f"{_part(second, policy)} after {_part(first, policy)}"


def _describe_store(name: str) -> str:
    """Where a way of asking meets a task: "named as complete_task" is a task named in “mark … as done”."""
    for begins, words in _MET.items():
        if name.startswith(begins):
            return f"{words} “{name_intent(name.removeprefix(begins))}”"
    return _with_labels(name)


def _with_labels(text: str) -> str:
    """Intents in it by what pages call them."""
    return _intents().sub(lambda found: f"“{name_intent(found[0])}”", text).replace("no frame", NO_WAY)


@cache
def _intents() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(find_intent_labels(), key=len, reverse=True))))


Tell = Callable[[str, Policy | None], str]
_LONG: Mapping[str, Tell] = {
    "frame": lambda name, policy: f"a way of asking to {_asked(name, policy)}",
    "lead": lambda name, policy: f"is read best as a way to {_asked(name, policy)}",
    "word": lambda name, _: _describe_word(name),
    "object": lambda name, _: f"{_describe_word(name)} in what it is about",
    "pair": _describe_pair,
    "tags": _describe_pair,
    "guard": lambda name, _: f"a reason to do nothing: {_REASONS.get(name, name.replace('_', ' '))}",
    "shape": _describe_shape,
    "date": lambda name, _: f"its dates: {_with_labels(name)}",
    "store": lambda name, _: f"in the store: {_describe_store(name)}",
    "talk": lambda name, _: f"in the conversation: {_with_labels(name)}",
}


def _short_pair(name: str, policy: Policy | None) -> str:
    return ", ".join(_SHORT_PARTS.get(part) or _part(part, policy) for part in name.split(" ", 1))


_SHORT: Mapping[str, Tell] = {
    **_LONG,
    "frame": lambda name, policy: f"asks to {_asked(name, policy)}",
    "lead": lambda name, policy: f"best as {_asked(name, policy)}",
    "word": lambda name, _: _describe_word(name).removeprefix("the word "),
    "object": lambda name, _: _describe_word(name).removeprefix("the word "),
    "pair": _short_pair,
    "tags": _short_pair,
    "date": lambda name, _: _with_labels(name),
    "store": lambda name, _: _describe_store(name),
    "talk": lambda name, _: _with_labels(name),
}
