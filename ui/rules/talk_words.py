"""What was noticed in store and conversation, in words: the steps of a move's ledger as a reader sees them."""

from __future__ import annotations

from collections.abc import Callable

_DONE = {
    "add": "something added",
    "read": "a list or an answer",
    "change": "a change",
    "finish": "something done",
    "remove": "a deletion",
}
_ALONE = {"add": "adding", "read": "showing", "change": "changing", "finish": "completing", "remove": "deleting"}
_PLAIN = {
    "store:named": "a task is called that",
    "store:part": "part of a title is said",
    "store:none": "no task is named",
    "store:fit": "how much of the title is said",
    "store:settled": "that task is done already",
    "store:several": "several tasks are named",
    "store:spoken of": "that task was just spoken of",
    "talk:after nothing": "nothing was done before",
    "talk:points": "“it”, “that one”",
    "talk:spoken of": "something was spoken of",
    "talk:asked": "a question waits",
    "talk:something said since": "something was said since",
    "date:day": "a day is said",
    "date:time": "a time is said",
    "date:only": "only a date is said",
    "date:shift": "later or earlier by so much",
    "level:said": "a priority is said",
    "shape:question": "a question mark",
    "shape:comma": "a comma",
    "shape:list": "lines or a colon",
    "shape:short": "a short message",
    "shape:negation": "a denial",
    "shape:chore": "a verb of doing",
    "talk:a note before": "a note was given before",
    "words:nothing": "the words alone: nothing",
    "words:self": "the words alone: who you are",
    "other things": "everything else noticed",
}
_PLAINLY = {"weak": "hints at", "strong": "asks for"}
_MANY = {"0": "no task", "1": "one task", "2": "two tasks", "3": "three tasks or more"}
_BEGINNINGS = {
    "chore": "a verb of doing", "det": "an article", "foreign": "a word of other matters",
    "negation": "a denial", "wh": "a question word",
}  # fmt: skip
_MARKS = {"<task>": "a task's name", "<date>": "a date"}


def describe_thing(name: str) -> str | None:
    """None where the name is of no such thing."""
    if " & " in name:
        parts = [describe_thing(part) or part for part in name.split(" & ")]
        return " and ".join(parts)
    if name in _PLAIN:
        return _PLAIN[name]
    kind, _, rest = name.partition(":")
    if kind.startswith("after "):
        done = kind.removeprefix("after ")
        return f"{_name(rest)}, after {_DONE.get(done, done)}"
    describe = _KINDS.get(kind)
    return describe(rest) if describe else None


def _describe_talk(rest: str) -> str | None:
    if ", then " in rest:
        first, _, second = rest.partition(", then ")
        return f"follows {_DONE.get(first, first)}, then {_DONE.get(second, second)}"
    if rest.endswith(" spoken of"):
        count = rest.removesuffix(" spoken of")
        return f"{_MANY.get(count, count)} spoken of"
    if rest.startswith("after "):
        return f"follows {_DONE.get(rest.removeprefix('after '), rest)}"
    return rest if rest.startswith("follows ") else None


def _describe_way(rest: str) -> str | None:
    """How plainly a way of asking asks for what: `weak remove`. None: a way by its own name."""
    strength, _, effect = rest.partition(" ")
    return f"{_PLAINLY[strength]} {_ALONE[effect]}" if strength in _PLAINLY and effect in _ALONE else None


def _describe_store(rest: str) -> str | None:
    return f"{rest.removesuffix(' more')} besides the name" if rest.endswith(" words more") else None


def _describe_shape(rest: str) -> str | None:
    kind = rest.removeprefix("begins ")
    return f"begins with {_BEGINNINGS.get(kind, f'a {kind}')}" if rest.startswith("begins ") else None


def _describe_wording(pair: str) -> str:
    """Two neighbours: "<begins> and" is how the message begins."""
    first, _, second = pair.partition(" ")
    if first == "<begins>":
        return f"begins with {_name(second)}"
    if second == "<ends>":
        return f"ends with {_name(first)}"
    return f"{_name(first)}, then {_name(second)}" if {first, second} & set(_MARKS) else f"“{first} {second}”"


def _name(word: str) -> str:
    return _MARKS.get(word, f"“{word}”")


_KINDS: dict[str, Callable[[str], str | None]] = {
    "talk": _describe_talk,
    "store": _describe_store,
    "shape": _describe_shape,
    "words": lambda rest: f"the words alone: {_ALONE.get(rest, rest)}",
    "frame": lambda rest: _describe_way(rest),
    "cue": lambda rest: f"a word for “{rest.replace('_', ' ')}”",
    "begins": lambda rest: f"begins with a word for “{rest.replace('_', ' ')}”",
    "act": lambda rest: f"a way of talking: {rest.replace('.', ', ').replace('_', ' ')}",
    "stem": lambda rest: f"a word with “{rest}…”",
    "first": lambda rest: f"begins with {_name(rest)}",
    "last": lambda rest: f"ends with {_name(rest)}",
    "word": lambda rest: _describe_wording(rest) if " " in rest else None,
}
