"""A machine message taken apart: the words that mean something, what they speak for, and where that is written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import yaml

from domains.machines.asking import MACHINE, Composed
from domains.machines.composing.lexicon import load_hints, read_words
from domains.machines.judging import AGAINST
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.tools import CATALOGUE
from engine.completing.values import Composition, Hint
from engine.decision import Decision, Language, Reference
from engine.domain import UNKNOWN
from engine.explaining.values import EvidencePiece, RequestAnatomy
from engine.outcome.values import Outcome
from engine.policy.origin import Place
from engine.policy.weights import Vector
from engine.text.folding import title_words
from engine.values import ToolCall

_FOLDER = Path(__file__).parent
HELD_TO = ("act",)
"""The one threshold that the composer has."""
_SEEN = {
    "device": "names a machine, its place or its kind",
    "serial": "is an id or a serial number",
    "misspelt": "is nearly “{meaning}”",
    "described": "stands in the description of a machine",
    "actions": "asks for the action “{meaning}”",
    "particle": "belongs to the action “{meaning}”",
    "objects": "is the part “{meaning}”",
    "metrics": "is the metric “{meaning}”",
    "details": "asks about the machine itself",
    "data": "asks for readings",
    "number": "is the number {meaning}",
    "negations": "says not to",
    "asks": "asks about it, rather than for it",
    "conditions": "makes it depend on something",
    "later": "wants it at another time",
    "clock": "is a time of day",
    "pronouns": "points at what was talked about",
    "others": "means another one than before",
    "all": "means all of them",
    "ordinals": "counts in the last list",
    "states": "says how it is, not what to do",
    "reported": "tells what somebody else says",
    "unknown": "means nothing here",
}
_MOST_NAMES = 6
_MOST_VERBS = 8
_SHORTEST = 3


def make_requests(text: str, composed: Composed, decision: Decision) -> tuple[RequestAnatomy, ...]:
    """One for each call; they share the words, which are read together. Empty where there are no words."""
    utterance = read_words(text)
    if not utterance.tokens:
        return ()
    utterance = utterance._replace(text=text)  # as it was written: the composer reads "turn_on" as two words
    pieces = (
        ()
        if composed.answered
        else tuple(_piece(each, composed.composition, text) for each in composed.composition.hints)
    )
    calls: tuple[ToolCall | None, ...] = decision.calls or (None,)
    return tuple(
        RequestAnatomy(
            utterance,
            _outcome(decision, call),
            CATALOGUE.intents,
            pieces,
            label=f"{place}. {call.tool_name}" if call and len(calls) > 1 else "",
        )
        for place, call in enumerate(calls, start=1)
    )


def _piece(hint: Hint, composition: Composition, text: str) -> EvidencePiece:
    seen = _SEEN.get(hint.kind, hint.kind).format(meaning=hint.meaning.replace("_", " "))
    said = text[hint.span.start : hint.span.end]
    place = find_hint_place(hint.kind, hint.meaning, said, composition.language)
    return EvidencePiece(
        f"{hint.kind}:{hint.meaning}", hint.span, _vector(hint, composition), (), seen, str(place or "")
    )


def _vector(hint: Hint, composition: Composition) -> Vector:
    """Hints are counted, not weighed: one for what was read, or one for doing nothing."""
    if hint.kind == "unknown":
        return (0.0,) * len(CATALOGUE.intents)
    tool = next((each.call.tool_name for each in composition.calls), "") or composition.read_as
    speaks_for = UNKNOWN if hint.kind in AGAINST else CATALOGUE.intent_of(tool)
    return tuple(1.0 if intent == speaks_for else 0.0 for intent in CATALOGUE.intents)


def _outcome(decision: Decision, call: ToolCall | None) -> Outcome:
    return Outcome(
        action=decision.action,
        intent=CATALOGUE.intent_of(call.tool_name) if call and decision.action == "execute" else decision.intent,
        reason=decision.reason,
        message=decision.message,
        call=call,
        pending=decision.pending,
        confidence=decision.confidence or 0.0,
        ledger=decision.ledger,
        scores=decision.scores,
        references=_references(decision, call),
        slots=tuple(each for each in decision.slots if call is None or each.name in call.parameters),
        steps=decision.steps,
    )


def _references(decision: Decision, call: ToolCall | None) -> tuple[Reference, ...]:
    device = call.parameters.get(MACHINE) if call else None
    return tuple(each for each in decision.references if each.task_id == device) or decision.references[:1]


def telling_words(text: str, composition: Composition, fleet: MemoryFleet) -> tuple[str, ...]:
    """What could be said besides: the names that tell the candidates apart, a no, an all, other actions."""
    hints = load_hints(composition.language)
    near = [machine for each in composition.candidates if (machine := fleet.find_by_id(each.machine_id))]
    names = [word for machine in (near or fleet.machines())[:_MOST_NAMES] for word in title_words(machine.name)]
    asked = {each.meaning for each in composition.hints if each.kind == "actions"}
    verbs = [phrases[0] for meaning, phrases in hints["actions"].items() if meaning not in asked][:_MOST_VERBS]
    against = [min(hints[kind], key=_rank) for kind in ("negations", "all", "conditions", "later")]
    said = set(title_words(text))
    return tuple(word for word in dict.fromkeys(chain(names, against, verbs)) if word not in said)


def _rank(word: str) -> tuple[bool, int]:
    """Short words before long ones, but "non" before "né"."""
    return len(word) < _SHORTEST, len(word)


def find_hint_place(kind: str, meaning: str, said: str, language: Language) -> Place | None:
    """The line of the hint file that the word has its meaning from; None for the fleet's own words."""
    folded = " ".join(title_words(said))
    tables = {each: _hint_lines(each) for each in dict.fromkeys((language, *_languages()))}
    exact = ((name, lines.get((kind, meaning, folded))) for name, lines in tables.items())
    found = next(((name, line) for name, line in exact if line), None)
    return Place(f"{found[0]}/hints.yaml", found[1]) if found else None


@cache
def _languages() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/hints.yaml")))


@cache
def _hint_lines(language: Language) -> dict[tuple[str, str, str], int]:
    """(kind, meaning, phrase) -> line, from 1."""
    root = yaml.compose((_FOLDER / language / "hints.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return dict(_entries(root)) if isinstance(root, yaml.MappingNode) else {}


def _entries(root: yaml.MappingNode) -> Iterator[tuple[tuple[str, str, str], int]]:
    for key, value in root.value:
        if isinstance(value, yaml.SequenceNode):
            yield from (((key.value, key.value, _folded(each)), each.start_mark.line + 1) for each in value.value)
        elif isinstance(value, yaml.MappingNode):
            for meaning, phrases in value.value:
                listed = phrases.value if isinstance(phrases, yaml.SequenceNode) else ()
                yield from (((key.value, meaning.value, _folded(each)), each.start_mark.line + 1) for each in listed)


def _folded(node: yaml.Node) -> str:
    return " ".join(title_words(str(node.value)))
