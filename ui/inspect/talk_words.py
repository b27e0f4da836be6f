"""What was noticed in store and conversation, in words: the steps of a move's ledger as a reader sees them."""

from __future__ import annotations

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
    "words:nothing": "the words alone: nothing",
    "words:self": "the words alone: who you are",
    "other things": "everything else noticed",
}
_MANY = {"0": "no task", "1": "one task", "2": "two tasks", "3": "three tasks or more"}
_MARKS = {"<task>": "a task's name", "<date>": "a date"}


def describe_thing(name: str) -> str | None:
    """None where the name is of no such thing."""
    if " & " in name:
        parts = [describe_thing(part) or part for part in name.split(" & ")]
        return " and ".join(parts)
    if name in _PLAIN:
        return _PLAIN[name]
    kind, _, rest = name.partition(":")
    if kind == "talk" and rest.startswith("after "):
        return f"follows {_DONE.get(rest.removeprefix('after '), rest)}"
    if kind == "talk" and rest.startswith("follows "):
        return rest
    if kind == "talk" and ", then " in rest:
        first, _, second = rest.partition(", then ")
        return f"follows {_DONE.get(first, first)}, then {_DONE.get(second, second)}"
    if kind == "talk" and rest.endswith(" spoken of"):
        count = rest.removesuffix(" spoken of")
        return f"{_MANY.get(count, count)} spoken of"
    if kind.startswith("after "):
        done = kind.removeprefix("after ")
        return f"{_name(rest)}, after {_DONE.get(done, done)}"
    if kind == "stem":
        return f"a word with “{rest}…”"
    if kind in ("first", "last"):
        return f"{'begins' if kind == 'first' else 'ends'} with {_name(rest)}"
    if kind == "store" and rest.endswith(" words more"):
        return f"{rest.removesuffix(' more')} besides the name"
    if kind == "words":
        return f"the words alone: {_ALONE.get(rest, rest)}"
    if kind in ("cue", "begins"):
        said = rest.replace("_", " ")
        return f"begins with a word for “{said}”" if kind == "begins" else f"a word for “{said}”"
    if kind == "act":
        return f"the way of talking {rest}"
    if kind == "shape" and rest.startswith("begins "):
        return f"begins with a {rest.removeprefix('begins ')}"
    return _describe_wording(rest) if kind == "word" and " " in rest else None


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
