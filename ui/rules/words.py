"""A rule's id in words: what it stands for in a message. The id itself belongs in a hint. No streamlit."""

from __future__ import annotations

import re
from functools import cache

from engine.policy.values import Policy
from ui.rules.talk_words import describe_thing
from ui.words import REASON_WORDS, find_intent_labels, name_intent, say_intent

NO_WAY = "no known way of asking"
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_PARTS = {
    "^": "the beginning", "$": "the end", "_": "the user's own words", "@date": "a date", "0": "a number",
}  # fmt: skip
_SHORT_PARTS = {"^": "start", "$": "end", "_": "own words"}
_KINDS_OF_WORDS = {
    "chore": "a verb of doing",
    "connector": "a joining word",
    "det": "an article",
    "foreign": "a word of other matters",
    "into": "a word of direction",
    "number": "a number",
    "other": "another word",
    "pronoun": "a pronoun",
    "wh": "a question word",
}
"""Kinds that the engine sets itself, beside the classes of a policy."""
_AROUND = {"date": "its dates", "store": "in the store", "talk": "in the conversation"}
"""What stands around the words."""
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
    found = describe_thing(rule)
    if found:
        return _with_labels(found) if rule.startswith("talk:") else found
    kind, _, name = rule.partition(":")
    if kind == "frame":
        return f"a way of asking to {_asked(name, policy)}"
    if kind == "lead":
        return f"is read best as a way to {_asked(name, policy)}"
    if kind in ("word", "object"):
        return _describe_word(name) + (" in what it is about" if kind == "object" else "")
    if kind in ("pair", "tags"):
        first, _, second = name.partition(" ")
        return f"{_part(second, policy)} after {_part(first, policy)}"
    if kind == "guard":
        return f"a reason to do nothing: {_REASONS.get(name, name.replace('_', ' '))}"
    if kind == "shape":
        return _describe_shape(name, policy)
    if kind in _AROUND:
        return f"{_AROUND[kind]}: {_with_labels(name)}"
    return rule


def short_rule(rule: str, policy: Policy | None = None) -> str:
    """The same in the few letters that a chart has room for."""
    found = describe_thing(rule)
    if found:
        return _with_labels(found) if rule.startswith("talk:") else found
    kind, _, name = rule.partition(":")
    if kind == "frame":
        return f"asks to {_asked(name, policy)}"
    if kind == "lead":
        return f"best as {_asked(name, policy)}"
    if kind in ("pair", "tags"):
        return ", ".join(_SHORT_PARTS.get(part) or _part(part, policy) for part in name.split(" ", 1))
    if kind in ("word", "object"):
        return _describe_word(name).removeprefix("the word ")
    if kind in _AROUND:
        return _with_labels(name)
    return describe_rule(rule, policy)


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
        return _describe_class(part[1:-1], policy)
    return _PARTS.get(part, f"“{part}”")


def _describe_class(name: str, policy: Policy | None) -> str:
    """By one of its words, which says more than its name: “a word like “the””."""
    phrases = policy.words.get(name, ()) if policy else ()
    if name in _KINDS_OF_WORDS:
        return _KINDS_OF_WORDS[name]
    return f"a word like “{phrases[0]}”" if phrases else f"a word of the kind “{name.replace('_', ' ')}”"


def _describe_shape(name: str, policy: Policy | None) -> str:
    length, about = _LENGTH.fullmatch(name), _OBJECT.fullmatch(name)
    if length:
        least, most = length.groups()
        return f"{least} to {most} words" if most else f"{least} words or more"
    if name.startswith("first "):
        return f"begins with {_part(name.removeprefix('first '), policy)}"
    if name.endswith(" without object"):
        return f"“{name_intent(name.removesuffix(' without object'))}”, and not what"
    if about:
        way, place, rest = about.groups()
        what = f"what to {_asked(way, policy) if '.' in way else say_intent(way)}"
        if not place:
            return f"{what}: it {_ENDINGS.get(rest, rest)}"
        kind = _KINDS_OF_WORDS.get(rest) or _part(rest, policy)
        return f"{what}: it {place} with {kind}"
    return _SHAPES.get(name, name.replace("_", " "))


def _with_labels(text: str) -> str:
    """Intents in it by what pages call them."""
    return _intents().sub(lambda found: f"“{name_intent(found[0])}”", text).replace("no frame", NO_WAY)


@cache
def _intents() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(find_intent_labels(), key=len, reverse=True))))
