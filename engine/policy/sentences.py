"""Which replies a policy must have, each with the placeholders it must and may name.

They follow from the catalogue: `doing_<intent>` for every tool, `which_<intent>` for those that act on something, and
so on. A key that the code says and that is missing here would be called unused on loading, so the two stay together.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping

from engine.catalogue.facts import Catalogue, ToolFacts, base_name
from engine.catalogue.own_reading import Needs

CHANGE = "change"
"""What is asked for where a call changes nothing."""


def _needs(must: str = "", may: str = "", words: int = 0) -> Needs:
    return Needs(frozenset(must.split()), frozenset(f"{must} {may}".split()), words)


_ALWAYS: Mapping[str, Needs] = {
    "empty": _needs(),
    "too_long": _needs(may="limit"),
    "too_many_words": _needs(may="limit"),
    "repeats": _needs(),
    "not_about_tasks": _needs(),
    "cancelled": _needs(),
    "unsure": _needs("preview", "verb"),
    "unsure_all": _needs("preview"),
    "two_readings": _needs("verb other"),
    "offer_lanes_differ": _needs("preview"),
    "offer_doubted": _needs("preview"),
    "offer_unasked_change": _needs("preview"),
    "which_reading": _needs("preview other"),
    "changed_since": _needs("message"),
    "failed": _needs("problem"),
    "or": _needs(),
    "and": _needs(),
}
_COMPLETING: Mapping[str, Needs] = {
    "compose_switched_off": _needs(),
    "compose_nothing_missing": _needs(),
    "compose_not_sure_enough": _needs("label"),
    "compose_contradiction": _needs("said given"),
    "compose_contradiction_tool": _needs("said given"),
    "compose_batch": _needs(),
    "compose_negated": _needs(),
    "compose_question": _needs(),
    "compose_conditional": _needs(),
    "compose_later": _needs(),
    "compose_not_a_request": _needs(),
    "compose_unknown_tool": _needs("said"),
    "compose_empty": _needs(),
}
"""While a call is completed, whatever the domain."""
_COMPLETING_THINGS: Mapping[str, Needs] = {
    "compose_nothing_said": _needs("question"),
    "compose_missing": _needs("argument"),
    "compose_several": _needs(),
    "compose_none": _needs(),
}
_WITH_PLAN: Mapping[str, Needs] = dict.fromkeys(("lanes_differ", "unasked_change", "doubted"), _needs("message"))
"""Asked where a call cannot be told in the words of a question."""
_OWN: Mapping[str, Needs] = {
    **{name: _ALWAYS[name] for name in ("too_long", "too_many_words", "cancelled", "changed_since", "failed")},
    **_WITH_PLAN,
}
"""What is said of a domain with a reading of its own beside what it says itself."""
_ON_TARGET: Mapping[str, Needs] = {
    "no_target": _needs("mention"),
    "no_target_near": _needs("choices", "mention"),
    "no_target_nearest": _needs("choices", "mention"),
    "ambiguous": _needs("choices", "mention"),
    "uncertain": _needs(may="title mention preview"),
}
_OF_DATES: Mapping[str, Needs] = {
    "day_today": _needs(),
    "day_tomorrow": _needs(),
    "day_at": _needs("day time"),
    "weekday_names": _needs(words=7),
    "month_names": _needs(words=12),
    "weekday_words": _needs(words=7),
    "month_words": _needs(words=12),
    "day_near": _needs("near day"),
}
_OF_EFFECT: Mapping[str, Mapping[str, Needs]] = {
    "change": {"missing_change": _needs("title"), "done_already": _needs("title", "number")},
    "finish": {"done_already": _needs("title", "number")},
}


_OF_TALK: Mapping[str, Needs] = {
    "doing_undo": _needs(),
    "doing_redo": _needs(),
    "undone_added": _needs("title"),
    "undone_deleted": _needs("title"),
    "undone_completed": _needs("title"),
    "undone_reopened": _needs("title"),
    "undone_changed": _needs("title"),
    "undone_several": _needs("count"),
    "redone": _needs("title"),
    "nothing_to_undo": _needs(),
    "nothing_to_redo": _needs(),
    "told_date": _needs("title value"),
    "told_days": _needs("title count value"),
    "told_no_date": _needs("title"),
    "told_level": _needs("title value"),
    "told_note": _needs("title value"),
    "told_no_note": _needs("title"),
    "told_done": _needs("title"),
    "told_open": _needs("title"),
    "told_due": _needs("value"),
    "told_its_note": _needs("value"),
    "told_undated": _needs(),
    "told_count": _needs("total"),
    "welcome": _needs(),
    "told_next": _needs("title value"),
}
"""What is said in a conversation, where a language has ways of talking beside its ways of asking."""


def needed_replies(catalogue: Catalogue, guard_reasons: Iterable[str], *, talks: bool = False) -> dict[str, Needs]:
    """Every reply that must be there in a domain, by its name."""
    if catalogue.own:
        return {**_OWN, **_COMPLETING, **catalogue.own.replies}
    needs = {
        **_ALWAYS,
        **(_OF_TALK if talks else {}),
        **_COMPLETING,
        **_COMPLETING_THINGS,
        **{reason: _needs() for reason in guard_reasons},
    }
    for tool in catalogue.tools:
        needs.update(_of_tool(tool, catalogue))
    return needs


def also_said(catalogue: Catalogue) -> dict[str, Needs]:
    """Replies that may be there: other words for what fits, for a tool, for what an argument is or would become."""
    asked = {name for tool in catalogue.tools for name in (tool.target, *tool.reads, CHANGE) if name}
    said = {f"compose_verb_{tool.intent}": _needs() for tool in catalogue.tools}
    said |= _WITH_PLAN
    said |= dict.fromkeys(("compose_several_tasks", "compose_no_task"), _needs())
    would = {f"would_{name}": _needs("value") for tool in catalogue.tools for name in tool.reads}
    return said | would | {f"compose_ask_{name}": _needs() for name in asked}


def _of_tool(tool: ToolFacts, catalogue: Catalogue) -> Iterator[tuple[str, Needs]]:
    titled = _needs("title") if tool.target or tool.argument("name") else _needs(may="title")
    yield f"verb_{tool.intent}", _needs()
    yield f"preview_{tool.intent}", titled
    yield f"doing_{tool.intent}", titled
    fields = _result_fields(catalogue, tool)
    yield f"done_{tool.intent}", Needs(titled.must, frozenset({*fields, "title", "number", "details"}))
    if tool.target:
        yield f"which_{tool.intent}", _needs()
        yield f"batch_{tool.intent}", _needs()
        yield from _ON_TARGET.items()
    if tool.needs_yes:
        yield f"confirm_{tool.intent}", _needs("title", "number")
    if tool.intent in catalogue.lists:
        yield "done_list_part", _needs("count total")
        yield "done_list_empty", _needs()
    yield from _OF_EFFECT.get(tool.effect, {}).items()
    for argument, kind in tool.reads.items():
        yield from _of_argument(catalogue, tool, argument, kind)


def _of_argument(catalogue: Catalogue, tool: ToolFacts, argument: str, kind: str) -> Iterator[tuple[str, Needs]]:
    new, values = tool.effect == "add", catalogue.choices.get((tool.name, argument), ())
    about, detail = base_name(argument), f"detail_{argument}"
    if kind in ("name", "note", "words") and (tool.name, argument) in catalogue.limits:
        yield f"{about}_too_long", _needs("limit")
    if kind == "name":
        yield (f"missing_{argument}", _needs()) if new else (detail, _needs("value"))
    elif (kind == "note" and not new) or kind == "words":
        yield detail, _needs(may="value")
    elif kind == "level":
        yield detail, _needs("value")
        yield from ((f"value_{value}", _needs()) for value in values)
    elif kind == "date":
        yield detail, _needs("value")
        yield from _OF_DATES.items()
        yield ("repeat", _needs("date words")) if new else (f"detail_no_{about}", _needs())
    elif kind == "status":
        yield from ((f"detail_{about}_{value}", _needs()) for value in values)


def _result_fields(catalogue: Catalogue, tool: ToolFacts) -> frozenset[str]:
    """What a result of the tool tells, by its declared type. Read without `get_type_hints`: that takes its time."""
    function = getattr(catalogue.signatures, tool.name, None)
    declared = getattr(function, "__annotations__", {}).get("return", "")
    if isinstance(declared, str):
        declared = getattr(sys.modules.get(function.__module__ if function else ""), declared, None)
    return frozenset(getattr(declared, "__annotations__", ()))


_BRACES = re.compile(r"\{([^{}]*)\}|([{}])")


def placeholders(sentence: str) -> frozenset[str]:
    """The names in braces. ValueError where the braces do not fit together, or hold more than a plain name."""
    found: set[str] = set()
    for name, stray in _BRACES.findall(sentence.replace("{{", "").replace("}}", "")):
        if stray:
            raise ValueError(f"a single {stray}")
        if not name.isidentifier():
            raise ValueError(f"{{{name}}} is no plain placeholder")
        found.add(name)
    return frozenset(found)
