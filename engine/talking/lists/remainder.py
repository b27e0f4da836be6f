""" "And the rest?": the next page of a list that was longer; of one that was shown whole, what it left out."""

from __future__ import annotations

from engine.catalogue.facts import Reads, ToolFacts
from engine.talking.values import Told
from engine.values import Argument, Provenance

_PAGE = 10
"""What a chat shows of a list at once."""
OVERDUE = "overdue"
_NARROWING: tuple[Reads, ...] = ("search", "day_filter", "level_filter")
Arguments = tuple[Argument, ...]


def list_rest(facts: ToolFacts, told: Told) -> tuple[Arguments, ...]:
    """The arguments of the lists that show it: one, or one for each level that was left out."""
    call = told.situation.list_call
    before = dict(call.parameters) if call else {}
    offset, limit = facts.argument("offset"), facts.argument("limit")
    full = len(told.situation.listed) >= int(str(before.get(limit) or _PAGE))
    if full or not _is_narrowed(before, facts, told):
        kept = [
            _as_before(name, value)
            for name, value in before.items()
            if name != offset and (name, value != 1) != (limit, True)
        ]
        shown = int(str(before.get(offset) or 0)) + len(told.situation.listed)
        return ((*(each for each in kept if each.value is not None), Argument(offset, shown, _CONVERSATION)),)
    states, state, level = told.policy.catalogue.states, facts.argument("state_filter"), facts.argument("level_filter")
    is_open = Argument(state, states[0], _CONVERSATION)
    levels = told.policy.catalogue.choices.get((facts.name, level), ()) if level else ()
    if level and before.get(level) in levels:
        others = [value for value in reversed(levels) if value != before[level]]
        return tuple((is_open, Argument(level, value, _CONVERSATION)) for value in others)
    return ((is_open,),)


def _is_narrowed(before: dict[str, object], facts: ToolFacts, told: Told) -> bool:
    settled = before.get(facts.argument("state_filter")) in (told.policy.catalogue.states[1], OVERDUE)
    return settled or any(before.get(facts.argument(kind)) for kind in _NARROWING)


def _as_before(name: str, value: object) -> Argument:
    return Argument(name, value, Provenance("conversation", None, "as before"))


_CONVERSATION = Provenance("conversation")
