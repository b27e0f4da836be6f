"""One small change of a policy. Each is written into the files that a person would edit, with their comments kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.decision import Intent


@dataclass(frozen=True, slots=True)
class AddPhrase:
    class_name: str
    phrase: str


@dataclass(frozen=True, slots=True)
class RemovePhrase:
    class_name: str
    phrase: str


@dataclass(frozen=True, slots=True)
class AddPattern:
    """A way of asking: one more pattern of a frame, or the first one of a new frame."""

    intent: Intent
    frame: str
    pattern: str
    weak: bool = False
    clear: bool = False
    """Both only for a new frame."""


@dataclass(frozen=True, slots=True)
class RemovePattern:
    intent: Intent
    frame: str
    pattern: str


@dataclass(frozen=True, slots=True)
class AddWay:
    """One more pattern of a way of talking: what means something by the store and the conversation."""

    way: str
    pattern: str


@dataclass(frozen=True, slots=True)
class AddGuard:
    reason: str
    pattern: str
    frames: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class AddSpelling:
    word: str
    meant: str


@dataclass(frozen=True, slots=True)
class SetThreshold:
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class SetWeight:
    rule: str
    """What is observed: `frame:add.item`, `word:stuff`."""
    intent: Intent
    value: float


@dataclass(frozen=True, slots=True)
class SetWeights:
    """Many weights at once, as learning finds them."""

    weights: tuple[tuple[str, Intent, float], ...]
    """What is observed, the intent, the new value."""


@dataclass(frozen=True, slots=True)
class WriteFile:
    """The text of a whole file, as somebody wrote it."""

    name: str
    """Within the language folder: `words.txt`, `intents/….yaml`."""
    text: str


@dataclass(frozen=True, slots=True)
class SeveralEdits:
    """Small edits that do nothing alone and together do: two slips of one message, a word and a way of asking."""

    edits: tuple[Edit, ...]


Edit = (
    AddPhrase
    | RemovePhrase
    | AddPattern
    | RemovePattern
    | AddWay
    | AddGuard
    | AddSpelling
    | SetThreshold
    | SetWeight
    | SetWeights
    | WriteFile
    | SeveralEdits
)


def tell_edit(edit: Edit) -> str:
    """The edit in a sentence without its full stop."""
    match edit:
        case AddPhrase(name, phrase):
            return f"add “{phrase}” to <{name}>"
        case RemovePhrase(name, phrase):
            return f"take “{phrase}” out of <{name}>"
        case AddPattern(intent, frame, pattern, weak, clear):
            strength = " weak" if weak else " clear" if clear else ""
            return f"a{strength} way of asking for {intent}: “{pattern}” ({frame})"
        case RemovePattern(intent, frame, pattern):
            return f"take the way of asking “{pattern}” ({frame}) from {intent}"
        case AddWay(way, pattern):
            return f"a way of talking: “{pattern}” ({way})"
        case AddGuard(reason, pattern):
            return f"a guard {reason}: “{pattern}”"
        case SeveralEdits(edits):
            return ", and ".join(tell_edit(each) for each in edits)
        case _:
            return _tell_entry(edit)


def _tell_entry(edit: AddSpelling | SetThreshold | SetWeight | SetWeights | WriteFile) -> str:
    match edit:
        case AddSpelling(word, meant):
            return f"read “{word}” as “{meant}”"
        case WriteFile(name):
            return f"write {name}"
        case SetThreshold(name, value):
            return f"move the threshold “{name}” to {value:.2f}"
        case SetWeight(rule, intent, value):
            return f"set the weight of {rule} for {intent} to {value:+.2f}"
        case SetWeights(weights):
            return f"set {len(weights):,} weights of {len({rule for rule, _, _ in weights}):,} observations"


def size_of(edit: Edit) -> float:
    """How much an edit changes: a spelling is less than a phrase, a phrase less than a way of asking; a number that
    everything is held to is the most."""
    match edit:
        case AddSpelling():
            return 0.8
        case AddPhrase(_, phrase) | RemovePhrase(_, phrase):
            return 1.0 + 0.1 * len(phrase.split())
        case AddPattern(_, _, pattern) | RemovePattern(_, _, pattern) | AddGuard(_, pattern) | AddWay(_, pattern):
            return 2.0 + 0.05 * len(pattern.split())
        case SetWeight():
            return 3.0
        case SetThreshold():
            return 4.0
        case SetWeights() | WriteFile():
            return 5.0
        case SeveralEdits(edits):
            return sum(map(size_of, edits))


_KINDS: dict[str, type[Edit]] = {
    kind.__name__: kind
    for kind in (
        AddPhrase,
        RemovePhrase,
        AddPattern,
        RemovePattern,
        AddWay,
        AddGuard,
        AddSpelling,
        SetThreshold,
        SetWeight,
        SetWeights,
        WriteFile,
        SeveralEdits,
    )
}


def write_edit(edit: Edit) -> dict[str, Any]:
    """As JSON, for the store."""
    if isinstance(edit, SeveralEdits):
        return {"kind": SeveralEdits.__name__, "edits": [write_edit(each) for each in edit.edits]}
    return {"kind": type(edit).__name__, **asdict(edit)}


def read_edit(data: Mapping[str, Any]) -> Edit:
    """ValueError where it is none."""
    kind = _KINDS.get(str(data.get("kind")))
    if kind is None:
        raise ValueError(f"there is no edit of the kind {data.get('kind')!r}")
    if kind is SeveralEdits:
        return SeveralEdits(tuple(read_edit(each) for each in data.get("edits", ())))
    given = {name: _as_tuples(value) for name, value in data.items() if name != "kind"}
    try:
        return kind(**given)
    except TypeError as error:
        raise ValueError(f"{kind.__name__}: {error}") from None


def _as_tuples(value: Any) -> Any:
    """JSON has lists where edits have tuples."""
    return tuple(_as_tuples(each) for each in value) if isinstance(value, list) else value
