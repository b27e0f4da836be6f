"""Why a message about machines was not read as wanted, by the steps of their own reading: the word that asks for
something, what speaks against it, the machine, and what that one can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rapidfuzz import fuzz, process

from domains.machines.asking import MACHINE, Composed
from domains.machines.dissecting import find_hint_place, tell_hint
from domains.machines.in_force import load_policies
from domains.machines.judging import AGAINST
from domains.machines.language import COMMANDS
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.near_ways import find_near_ways
from domains.machines.values import Machine
from engine.completing.values import Composition, Hint, Why
from engine.decision import Decision, Intent
from engine.domain import UNKNOWN
from engine.explaining.agreement import calls_of
from engine.policy.values import Policy
from engine.text.folding import fold, title_words
from engine.why.values import Obstacle, OwnReasons, ValueGap

_ASKING = {COMMANDS: ("actions",), "read_metrics": ("metrics", "data"), "show_machine": ("details",)}
"""The kinds of words of which one asks for the intent. Lists are asked for by words that no hint is kept of."""
_REFUSED = (Why.NEGATED, Why.QUESTION, Why.CONDITIONAL, Why.LATER, Why.NOT_A_REQUEST)
_NAMED = ("device", "serial", "misspelt", "described")
_FOUND_BY = {
    "id": "its id",
    "serial": "its serial number",
    "name": "its name",
    "partial": "a part of its name",
    "keyword": "a word of its name or place",
    "description": "its description",
    "conversation": "the conversation",
    "only": "being the only one",
    "any": "nothing but being there",
}
_EXAMPLES = 4
_CLOSE = 60.0
"""Of a hundred: words that are less alike are not each other's slips."""


def find_reasons(
    text: str, composed: Composed, decision: Decision, wanted: Intent, arguments: Mapping[str, str], fleet: MemoryFleet
) -> OwnReasons:
    if composed.answered:
        return OwnReasons((Obstacle("answer", "it was taken for the answer to the question that waits"),))
    composition = composed.composition
    policy = load_policies()[composition.language]
    asks = _asks(composition, wanted)
    is_done = decision.intent == wanted and decision.action == "execute"
    obstacles = [] if is_done else [*_refused(text, composition, wanted), *_read_otherwise(text, decision, wanted)]
    if not is_done and wanted != UNKNOWN:
        obstacles += [*_nothing_asks(text, composition, wanted, policy)] if not asks else []
        obstacles += _stopped(text, composition, decision, fleet)
    free = [fold(_said(text, hint)) for hint in composition.hints if hint.kind == "unknown"]
    near = () if asks or wanted == UNKNOWN or is_done else find_near_ways(text, free, wanted, policy)
    return OwnReasons(tuple(obstacles), tuple(near), tuple(_gaps(composition, decision, arguments, fleet)))


def _asks(composition: Composition, wanted: Intent) -> bool:
    kinds = _ASKING.get(wanted, ())
    return any(hint.kind in kinds for hint in composition.hints)


def _said(text: str, hint: Hint) -> str:
    return text[hint.span.start : hint.span.end]


def _refused(text: str, composition: Composition, wanted: Intent) -> Iterator[Obstacle]:
    """What speaks against doing anything, each with its line."""
    if wanted == UNKNOWN or composition.why not in _REFUSED:
        return
    against = [hint for hint in composition.hints if hint.kind in AGAINST]
    for hint in against:
        said = _said(text, hint)
        place = find_hint_place(hint.kind, hint.meaning, said, composition.language)
        yield Obstacle("guard", f"stopped by “{said}”, which {tell_hint(hint)}", hint.kind, 0.0, hint.span, place)
    if not against and composition.why is not Why.NOT_A_REQUEST:
        yield Obstacle(
            "guard", f"stopped by a guard of the whole message: {composition.why}", f"guard:{composition.why}"
        )


def _read_otherwise(text: str, decision: Decision, wanted: Intent) -> Iterator[Obstacle]:
    """The words by which it is something else."""
    if decision.intent in (wanted, UNKNOWN):
        return
    found = next((score for score in decision.scores if score.intent == decision.intent), None)
    spoke = [each for each in (found.evidence if found else ()) if each.rule.partition(":")[0] not in _NAMED]
    by = ", ".join(f"“{text[each.span.start : each.span.end]}”" for each in spoke if each.span and each.weight > 0)
    yield Obstacle("loses", f"read as {decision.intent}{f', by {by}' if by else ''}", decision.intent)


def _nothing_asks(text: str, composition: Composition, wanted: Intent, policy: Policy) -> Iterator[Obstacle]:
    ways = [
        pattern for frame in policy.frames if frame.intent == wanted and not frame.weak for pattern in frame.patterns
    ]
    known = ", ".join(f"“{way}”" for way in ways[:_EXAMPLES])
    yield Obstacle("no_word", f"no word of the message asks for {wanted}, as {known} do", f"intent:{wanted}")
    for hint in composition.hints:
        if hint.kind == "unknown":
            yield Obstacle("no_word", f"“{_said(text, hint)}” means nothing here", "", 0.0, hint.span)


def _stopped(text: str, composition: Composition, decision: Decision, fleet: MemoryFleet) -> Iterator[Obstacle]:
    """What was found of the machine and of what it can do."""
    why, found = composition.why, [each.label for each in composition.candidates]
    if not len(fleet):
        yield Obstacle("no_target", "there is no machine in reach: `machines` of the context is empty")
    elif why is Why.NO_MACHINE:
        named = next((_said(text, hint) for hint in composition.hints if hint.kind in _NAMED), "")
        yield Obstacle("no_target", f"no machine is called “{named}”{_tell_nearest(named, fleet)}")
    elif why in (Why.NO_COMMAND, Why.NO_METRIC):
        yield Obstacle("no_target", f"{_tell_able(text, composition, fleet)}")
    elif why is Why.NOT_SURE_ENOUGH and decision.thresholds:
        limit = decision.thresholds.act
        weakest = min(composition.ledger, key=lambda each: each.amount, default=None)
        by = f" by “{weakest.name}”" if weakest else ""
        told = f"it is {composition.confidence:.2f} sure{by}, below the threshold “act” of {limit:.2f}"
        yield Obstacle("below_threshold", told, "threshold:act", round(limit - composition.confidence, 3))
    elif why in (Why.SEVERAL_MACHINES, Why.BATCH, Why.CONTRADICTION):
        others = len(found) - _EXAMPLES
        more = f" and {others} more" if others > 0 else ""
        yield Obstacle("question", f"several machines fit: {', '.join(found[:_EXAMPLES])}{more}")
    elif why in (Why.SEVERAL_COMMANDS, Why.SEVERAL_METRICS):
        ways = ", ".join(each.label for each in composition.suggestions[:_EXAMPLES])
        yield Obstacle("question", f"several ways fit: {ways}")
    elif why is Why.NO_VALUE_SAID:
        yield Obstacle("question", "the command takes a value, and none was said")
    elif why is Why.VALUE_OUT_OF_RANGE:
        yield Obstacle("question", composition.message)


def _tell_nearest(named: str, fleet: MemoryFleet) -> str:
    names = [machine.name for machine in fleet.machines()]
    close = process.extract(named, names, scorer=fuzz.WRatio, processor=fold, score_cutoff=_CLOSE, limit=_EXAMPLES)
    shown = [str(name) for name, _, _ in close] or names[:_EXAMPLES]
    return f"; {'the nearest are' if close else 'there are'} {', '.join(f'“{name}”' for name in shown)}"


def _tell_able(text: str, composition: Composition, fleet: MemoryFleet) -> str:
    """What the machine that was named can be told, or measures."""
    named = {word for hint in composition.hints if hint.kind in _NAMED for word in title_words(_said(text, hint))}
    machines = [each for each in fleet.machines() if named and named & {*title_words(f"{each.name} {each.place}")}]
    is_command = composition.why is Why.NO_COMMAND
    can = [f"“{machine.name}” {_able(machine, commands=is_command)}" for machine in machines[:_EXAMPLES]]
    return "; ".join((f"no machine {'can do' if is_command else 'measures'} that", *can))


def _able(machine: Machine, *, commands: bool) -> str:
    names = [each.name for each in (machine.commands if commands else machine.metrics)]
    return f"{'takes' if commands else 'measures'} {', '.join(names) or 'nothing'}"


def _gaps(
    composition: Composition, decision: Decision, arguments: Mapping[str, str], fleet: MemoryFleet
) -> Iterator[ValueGap]:
    """The machine, by its id or name, and other values that the call should have had."""
    call = next(iter(calls_of(decision)), None)
    for name, value in arguments.items():
        found = call.parameters.get(name) if call else None
        if name in (MACHINE, "device_name"):
            yield from _machine_gap(composition, str(call.parameters.get(MACHINE, "")) if call else "", value, fleet)
        elif str(found) != value:
            told = f"its {name} is {found!r}, not {value!r}" if found is not None else f"no word says its {name}"
            yield ValueGap(name, value, str(found or ""), told)


def _machine_gap(composition: Composition, taken: str, wanted: str, fleet: MemoryFleet) -> Iterator[ValueGap]:
    machine = next((each for each in fleet.machines() if wanted in (each.id, each.name)), None)
    if machine is None:
        yield ValueGap(MACHINE, wanted, taken, f"there is no machine “{wanted}”{_tell_nearest(wanted, fleet)}")
        return
    if machine.id == taken:
        return
    other = fleet.find_by_id(taken) if taken else None
    own = next((each for each in composition.candidates if each.machine_id == machine.id), None)
    by = _FOUND_BY[own.level] if own else ""
    if own is None:
        told = f"no word of the message led to “{machine.name}”"
    elif own.lost:
        told = f"“{machine.name}” was found by {by}, and lost: {own.lost}"
    else:
        told = f"“{machine.name}” was found by {by}, among {len(composition.candidates)}"
    yield ValueGap(MACHINE, machine.name, other.name if other else "", told)
