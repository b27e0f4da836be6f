"""A machine message taken apart: the words that mean something, what they speak for, and where that is written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from domains.machines.asking import MACHINE, Composed
from domains.machines.composing.lexicon import read_class, read_way, read_words
from domains.machines.in_force import load_policies, once_a_policy
from domains.machines.judging import AGAINST
from domains.machines.language import COMMANDS
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.rules import load_rules
from domains.machines.tools import CATALOGUE
from engine.completing.values import Composition, Hint
from engine.decision import Decision, Language, Reference
from engine.domain import UNKNOWN
from engine.explaining.values import EvidencePiece, RequestAnatomy
from engine.outcome.values import Outcome
from engine.policy.classes import HINT
from engine.policy.origin import Place, Trail
from engine.policy.values import Policy
from engine.policy.weights import Vector
from engine.text.folding import title_words
from engine.values import ToolCall

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
    said = text[hint.span.start : hint.span.end]
    place = find_hint_place(hint.kind, hint.meaning, said, composition.language)
    return EvidencePiece(
        f"{hint.kind}:{hint.meaning}", hint.span, _vector(hint, composition), (), tell_hint(hint), str(place or "")
    )


def tell_hint(hint: Hint) -> str:
    """What a stretch of the message was taken for, in words: “says not to”."""
    return _SEEN.get(hint.kind, hint.kind).format(meaning=hint.meaning.replace("_", " "))


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
        references=_references(decision, call),
        slots=tuple(each for each in decision.slots if call is None or each.name in call.parameters),
        seen=decision,
    )


def _references(decision: Decision, call: ToolCall | None) -> tuple[Reference, ...]:
    device = call.parameters.get(MACHINE) if call else None
    return tuple(each for each in decision.references if each.task_id == device) or decision.references[:1]


def telling_words(text: str, composition: Composition, fleet: MemoryFleet) -> tuple[str, ...]:
    """What could be said besides: the names that tell the candidates apart, a no, an all, other actions."""
    policy = load_policies()[composition.language]
    near = [machine for each in composition.candidates if (machine := fleet.find_by_id(each.machine_id))]
    names = [word for machine in (near or fleet.machines())[:_MOST_NAMES] for word in title_words(machine.name)]
    asked = {each.meaning for each in composition.hints if each.kind == "actions"}
    actions = [frame for frame in policy.frames if frame.intent == COMMANDS and frame.id in load_rules()["actions"]]
    verbs = [frame.patterns[0] for frame in actions if frame.id not in asked][:_MOST_VERBS]
    against = [min(policy.words[HINT + kind], key=_rank) for kind in ("negations", "all", "conditions", "later")]
    said = set(title_words(text))
    return tuple(word for word in dict.fromkeys(chain(names, against, verbs)) if word not in said)


def _rank(word: str) -> tuple[bool, int]:
    """Short words before long ones, but "non" before "né"."""
    return len(word) < _SHORTEST, len(word)


def find_hint_place(kind: str, meaning: str, said: str, language: Language) -> Place | None:
    """The line that the word has its meaning from; None for the fleet's own words."""
    folded = " ".join(title_words(said))
    policies = load_policies()
    for each in dict.fromkeys((language, *policies)):
        trail, origin = _trails(each).get((kind, meaning, folded)), policies[each].origin
        if trail and origin:
            return origin.locate(trail)
    return None


@once_a_policy
def _trails(language: Language) -> dict[tuple[str, str, str], Trail]:
    """(kind, meaning, phrase) -> where it stands in the policy."""
    entries = _entries(load_policies()[language])
    return {(kind, meaning, " ".join(title_words(said))): trail for kind, meaning, said, trail in entries}


def _entries(policy: Policy) -> Iterator[tuple[str, str, str, Trail]]:
    for frame in policy.frames:
        written = policy.source["frames"][frame.id]["patterns"]
        for pattern in frame.patterns:
            trail: Trail = ("frames", frame.id, "patterns", written.index(pattern))
            yield from ((*each, trail) for each in read_way(frame, pattern))
    for name, phrases in policy.source["words"].items():
        found = read_class(name)
        if found:
            yield from ((*found, phrase, ("words", name, place)) for place, phrase in enumerate(phrases))
