"""Edits that may mend a message about machines that was misread: a way of asking, a word for a part, a metric or a kind
of machine, a guard, a word that says not to. Whether one does is found by running it.

A rule is made of words that mean nothing yet, never of what a machine is called by. Which action is meant is not
guessed: it is said by the command that the call should have had, or by a way of asking that the message nearly has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domains.machines.asking import COMMAND, MACHINE
from domains.machines.composing.lexicon import read_words
from domains.machines.judging import AGAINST
from domains.machines.language import COMMANDS, READING_KINDS, split_name
from domains.machines.memory_fleet import MemoryFleet, find_command
from domains.machines.rules import load_rules
from engine.completing.values import Composition, Hint
from engine.domain import UNKNOWN
from engine.editing.edits import AddGuard, AddPattern, AddPhrase, Edit, RemovePhrase, SetThreshold
from engine.policy.classes import HINT
from engine.policy.values import Policy
from engine.text.folding import fold, title_words
from engine.why.values import WhyNot

_LONGEST = 3
"""Words of a new phrase."""
_NAMES = ("device", "serial", "described")
_FREE = frozenset({"unknown", "particle", "others", "reads", "now"})
"""What stands beside a word without a meaning may belong to it: "fire up"."""
_FAR, _NOT_TO, _TAKES_BACK, _WHOLE = 0.3, 0.6, 1.5, 0.4
_SURE = 0.005


class OwnEdit(NamedTuple):
    edit: Edit
    doubt: float
    """How little it looks like something that a person would write."""


@dataclass(frozen=True, slots=True)
class MisreadMachines:
    text: str
    composition: Composition
    why: WhyNot
    values: Mapping[str, str]
    fleet: MemoryFleet
    policy: Policy

    @property
    def phrases(self) -> tuple[str, ...]:
        """Stretches with a word that means nothing, the shortest first."""
        tokens = read_words(self.text).tokens
        kinds = [_kind_at(token.start, self.composition.hints) for token in tokens]
        found: list[str] = []
        for size in range(1, _LONGEST + 1):
            for first in range(len(tokens) - size + 1):
                part = kinds[first : first + size]
                words = [fold(token.norm) for token in tokens[first : first + size]]
                if "unknown" in part and set(part) <= _FREE and self._says_something(words, part):
                    found.append(" ".join(words))
        return tuple(dict.fromkeys(found))

    def _says_something(self, words: Sequence[str], kinds: Sequence[str]) -> bool:
        """Nothing that a machine is called by."""
        if {*self.policy.words.get(f"{HINT}articles", ())} & {words[0], words[-1]}:
            return False  # "douse the": where an article stands, something else begins
        own = {word for each in self.fleet.machines() for word in title_words(f"{each.name} {each.place}")}
        telling = [
            word
            for word, kind in zip(words, kinds, strict=True)
            if kind == "unknown" and word not in self.policy.small_words
        ]
        return bool(telling) and own.isdisjoint(words) and not any(word.isdigit() for word in words)

    @property
    def commands(self) -> tuple[str, ...]:
        """What the call should have told the machine, where somebody said so."""
        wanted = self.values.get(COMMAND) or self.values.get("command_name", "")
        machines = self.fleet.machines()
        found = [command.name for each in machines if wanted and (command := find_command(each, wanted))]
        return tuple(dict.fromkeys(found))[:1]


def _kind_at(place: int, hints: Sequence[Hint]) -> str:
    return next((hint.kind for hint in hints if hint.span.start <= place < hint.span.end), "unknown")


def find_edits(misread: MisreadMachines) -> tuple[OwnEdit, ...]:
    """Each once, the likeliest of its kind first."""
    wanted = misread.why.wanted
    found = _edit_for_nothing(misread) if wanted == UNKNOWN else _edit_for_request(misread)
    best: dict[Edit, float] = {}
    for edit, doubt in found:
        best[edit] = min(doubt, best.get(edit, doubt))
    return tuple(OwnEdit(edit, doubt) for edit, doubt in best.items())


def _edit_for_request(misread: MisreadMachines) -> Iterator[OwnEdit]:
    wanted = misread.why.wanted
    yield from _near_ways(misread)
    for number, phrase in enumerate(misread.phrases):
        doubt = 0.1 * number
        if wanted == COMMANDS:
            yield from (OwnEdit(edit, doubt) for edit in _for_command(misread, phrase))
        else:
            kind = READING_KINDS[wanted]
            yield OwnEdit(AddPattern(wanted, kind, phrase), doubt)
        yield from (OwnEdit(edit, doubt) for edit in _for_metric(misread, phrase))
        yield from (OwnEdit(edit, doubt) for edit in _for_machine(misread, phrase))
    yield from _against(misread)
    for obstacle in misread.why.obstacles:
        if obstacle.kind == "below_threshold":
            sure = misread.composition.confidence
            yield OwnEdit(SetThreshold("act", max(0.5, round(sure - _SURE, 2))), 0.0)


def _near_ways(misread: MisreadMachines) -> Iterator[OwnEdit]:
    """The same way with the word that was said, alone or in its place."""
    for number, miss in enumerate(misread.why.misses):
        own = miss.pattern.split()
        if miss.kind == "swap" and miss.part in own:
            said = " ".join(miss.words if word == miss.part else word for word in own)
            yield OwnEdit(AddPattern(misread.why.wanted, miss.frame, said), _FAR * number)


def _for_command(misread: MisreadMachines, phrase: str) -> Iterator[Edit]:
    """A verb for the action that the command begins with, a word for the part that it is about."""
    rules = load_rules()
    for name in misread.commands:
        for frame in misread.policy.frames:
            action, part = split_name(frame)
            begins = (
                rules["actions"].get(action, ()) if frame.intent == COMMANDS and not frame.weak and not part else ()
            )
            if begins and name.startswith(begins[0]):
                yield AddPattern(COMMANDS, frame.id, phrase)
        for part, names in rules["objects"].items():
            if not set(name.split("_")).isdisjoint(names) and f"object_{part}" in misread.policy.words:
                yield AddPhrase(f"object_{part}", phrase)


def _for_metric(misread: MisreadMachines, phrase: str) -> Iterator[Edit]:
    said = misread.values.get("metrics", "").casefold()
    for name in misread.policy.words:
        metric = name.removeprefix("metric_")
        if metric != name and metric in said:
            yield AddPhrase(name, phrase)


def _for_machine(misread: MisreadMachines, phrase: str) -> Iterator[Edit]:
    """Another word for the kind of machine, or the place, that the one that was meant is called by."""
    named = misread.values.get(MACHINE) or misread.values.get("device_name", "")
    machine = next((each for each in misread.fleet.machines() if named and named in (each.id, each.name)), None)
    own = {*title_words(f"{machine.name} {machine.place}")} if machine else set()
    for name, known in misread.policy.words.items():
        if name.startswith(("kind_", "place_")) and any(own.issuperset(title_words(each)) for each in known):
            yield AddPhrase(name, phrase)


def _against(misread: MisreadMachines) -> Iterator[OwnEdit]:
    """A word that was taken for a no, a condition, another time: where it misleads."""
    for hint in misread.composition.hints:
        name, said = HINT + hint.kind, fold(misread.text[hint.span.start : hint.span.end])
        if hint.kind in AGAINST and said in misread.policy.words.get(name, ()):
            yield OwnEdit(RemovePhrase(name, said), _TAKES_BACK)


def _edit_for_nothing(misread: MisreadMachines) -> Iterator[OwnEdit]:
    """A word that says not to, or not now; a guard of how the message begins, or of all of it."""
    for phrase in misread.phrases:
        for kind in ("negations", "conditions", "later", "reported"):
            if HINT + kind in misread.policy.words:
                yield OwnEdit(AddPhrase(HINT + kind, phrase), _NOT_TO)
    tokens = read_words(misread.text).tokens
    names = [hint.span.start for hint in misread.composition.hints if hint.kind in _NAMES]
    words = [fold(token.norm) for token in tokens if not names or token.start < min(names)]
    for size in range(2, len(words)):
        yield OwnEdit(AddGuard("not_about_tasks", f"^ {' '.join(words[:size])} {{rest}}"), _TAKES_BACK - 0.2 * size)
    if not names and len(words) > 1:
        yield OwnEdit(AddGuard("not_about_tasks", f"^ {' '.join(words)} $"), _WHOLE)
