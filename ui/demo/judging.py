"""Whether a lane did what is right about a message of a scenario. Pure: a decision in, a mark out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from domains.catalogues import find_facts
from engine.decision import Decision, Reason
from engine.text.folding import fold
from engine.values import ToolCall
from ui.demo.script import Right, StageCall
from ui.words import name_intent

LaneMark = Literal["right", "wrong", "asked", "silent", "off", "waiting"]
"""asked: it asked where it could have acted, or where nothing was to do; silent: no answer came."""
MARK_WORDS: dict[LaneMark, str] = {
    "right": "✓ Right",
    "wrong": "✗ Wrong",
    "asked": "? Asked",
    "silent": "– No answer",
    "off": "Off",
    "waiting": "…",
}
Titles = Mapping[str, str]
"""What ids stand for."""
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_IS_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Judge:
    """Knows what ids stand for and which day it is."""

    titles: Titles
    today: date

    def mark(self, right: Right, decision: Decision) -> LaneMark:
        if decision.reason is Reason.UNAVAILABLE:
            return "silent"
        if decision.reason is Reason.BROKEN_CALL:
            return "wrong"
        if decision.action in ("confirm", "clarify"):
            return self._mark_question(right, decision)
        if right.kind == "undo":
            return "right" if decision.undoes or decision.act == "undo" else "wrong"
        acts = decision.action == "execute" and (bool(decision.calls) or decision.act in ("undo", "redo"))
        if right.kind == "nothing":
            return "wrong" if acts else "right"
        return "right" if acts and right.kind == "call" and self._same_calls(right.calls, decision.calls) else "wrong"

    def _mark_question(self, right: Right, decision: Decision) -> LaneMark:
        """A question in place of an action is no mistake; one about something else than is meant is."""
        about = decision.calls or ((decision.pending.call,) if decision.pending else ())
        if right.kind == "ask":
            return "right" if not right.calls or self._same_calls(right.calls, about) else "wrong"
        tools = {call.tool for call in right.calls}
        return "wrong" if tools and any(call.tool_name not in tools for call in about) else "asked"

    def _same_calls(self, wanted: Sequence[StageCall], given: Sequence[ToolCall]) -> bool:
        """In any order: who says two things cares that both are done."""
        left = list(given)
        for call in wanted:
            found = next((each for each in left if self._is_call(call, each)), None)
            if found is None:
                return False
            left.remove(found)
        return not left

    def _is_call(self, wanted: StageCall, given: ToolCall) -> bool:
        return wanted.tool == given.tool_name and all(
            self._is_value(value, given.parameters.get(name)) for name, value in wanted.arguments.items()
        )

    def _is_value(self, wanted: object, given: object) -> bool:
        if wanted is None or given is None or isinstance(wanted, bool) or isinstance(given, bool):
            return wanted is given
        named = self.titles.get(str(given), str(given))
        if _IS_DAY.match(named):
            return named.startswith(self._day(wanted))
        return _plain(wanted) in (_plain(named), _plain(given))

    def _day(self, wanted: object) -> str:
        """`today`, `tomorrow`, a weekday, a number of days from today, or a date as it is written."""
        word = str(wanted).lower()
        if isinstance(wanted, int):
            return (self.today + timedelta(days=wanted)).isoformat()
        if word in ("today", "tomorrow"):
            return self._day(int(word == "tomorrow"))
        if word in _DAYS:
            return self._day((_DAYS.index(word) - self.today.weekday() - 1) % 7 + 1)
        return word


def _plain(value: object) -> str:
    """Capitals, accents, an article and a full stop make no difference."""
    return fold(str(value)).strip(" .!\"'").removeprefix("the ").strip()


def describe_right(right: Right) -> str:
    """What would have been right, in people's words."""
    if right.kind == "nothing":
        return "nothing to do"
    if right.kind == "undo":
        return "take the last change back"
    named = " and ".join(_describe_call(call) for call in right.calls)
    if right.kind == "ask":
        return f"ask first: {named}" if named else "ask which is meant"
    return named


def _describe_call(call: StageCall) -> str:
    facts = find_facts(call.tool)
    values = ", ".join(str(value) for value in call.arguments.values() if value is not None)
    label = name_intent(facts.intent) if facts else call.tool
    return f"{label} ({values})" if values else label
