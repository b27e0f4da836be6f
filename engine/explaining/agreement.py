"""Where two decisions about the same message agree, and where they do not, argument by argument."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.decision import Decision, Reason
from engine.values import ToolCall

Kind = Literal["agree", "differ", "first_silent", "second_silent", "both_silent"]
Standing = Literal["agree", "differ", "first_silent", "second_silent", "both_silent", "broken"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One argument (or the tool itself) that the two see differently; None where it is not there."""

    call: int
    """Which call of the message, from 0."""
    name: str
    first: object
    second: object


@dataclass(frozen=True, slots=True)
class Agreement:
    kind: Kind
    differences: tuple[Difference, ...] = ()


def compare(first: Decision, second: Decision) -> Agreement:
    """What the two would call. A decision that asks back has a call too: the one it asks about."""
    ours, theirs = calls_of(first), calls_of(second)
    if not ours and not theirs:
        return Agreement("both_silent")
    if not ours:
        return Agreement("first_silent")
    if not theirs:
        return Agreement("second_silent")
    differences = [
        difference
        for place in range(max(len(ours), len(theirs)))
        for difference in _compare_calls(place, _at(ours, place), _at(theirs, place))
    ]
    if first.action != second.action:
        differences.append(Difference(0, "action", first.action, second.action))
    return Agreement("differ" if differences else "agree", tuple(differences))


def standing_of(first: Decision, second: Decision) -> Standing:
    """The same in one word, for lists. A broken call is neither silence nor a difference."""
    return "broken" if Reason.BROKEN_CALL in (first.reason, second.reason) else compare(first, second).kind


def calls_of(decision: Decision) -> tuple[ToolCall, ...]:
    if decision.calls:
        return decision.calls
    return (decision.pending.call,) if decision.pending else ()


def _at(calls: tuple[ToolCall, ...], place: int) -> ToolCall | None:
    return calls[place] if place < len(calls) else None


def _compare_calls(place: int, ours: ToolCall | None, theirs: ToolCall | None) -> list[Difference]:
    names = tuple(call.tool_name if call else None for call in (ours, theirs))
    if not ours or not theirs or names[0] != names[1]:
        return [Difference(place, "tool", *names)]
    one, other = ours.parameters, theirs.parameters
    return [
        Difference(place, name, one.get(name), other.get(name))
        for name in dict.fromkeys((*one, *other))
        if not _equal(one.get(name), other.get(name))
    ]


def _equal(one: object, other: object) -> bool:
    """Titles may differ in case and spacing only: people would call that the same."""
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
    return one == other
