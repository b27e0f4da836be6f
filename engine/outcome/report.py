"""What to say once calls were carried out: only what the results say was done, in the policy's own sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from engine.catalogue.facts import ToolFacts, base_name
from engine.outcome.replies import say
from engine.policy.values import Policy
from engine.values import ErrorKind, ToolCall, ToolResult

_TOLD = ("name", "date", "level", "note", "words", "status")
"""The details of a change in the order in which they are told; of something new only date, level and words."""
_NAMED = 3
"""An answer names so many."""
_TOLD_OF_NEW = ("date", "level", "words")


def report(
    policy: Policy, call: ToolCall, result: ToolResult, now: datetime, title_before: str = "", asks: str = ""
) -> str:
    """One sentence about one call. A call that failed is said to have failed, with the store's own words.

    `asks`: what the person wanted to know of what is listed."""
    payload = result.payload
    if not result.ok:
        return say(policy, "failed", problem=result.error_message)
    facts = policy.catalogue.by_name[call.tool_name]
    if facts.intent in policy.catalogue.lists:
        if payload.get("count") and asks == "next":
            return _report_next(policy, payload, now)
        if payload.get("count") and asks in ("urgent", "several", "list"):
            return _report_names(policy, payload, now)
        if asks == "count":
            return say(policy, "told_count", total=payload.get("total", 0))
        if _is_answer(facts, call, payload):
            return f"{_report_list(policy, facts, payload)} {_report_names(policy, payload, now)}"
        return _report_list(policy, facts, payload)
    if facts.effect in ("change", "finish") and not payload.get("changed"):
        return say(policy, "done_already", **payload)
    details = _details(policy, facts, call, payload, now, title_before)
    return say(policy, f"done_{facts.intent}", **{**payload, "details": details})


def _is_answer(facts: ToolFacts, call: ToolCall, payload: Mapping[str, Any]) -> bool:
    """Whether a few things are listed because something was asked about them: they are told by name."""
    few = 0 < int(payload.get("count") or 0) == int(payload.get("total") or 0) <= _NAMED
    narrowing = [facts.argument(kind) for kind in ("search", "day_filter", "level_filter")]
    return few and any(call.parameters.get(name) for name in narrowing if name)


def format_due(policy: Policy, due: str, now: datetime) -> str:
    """ "tomorrow at 15:30", "Fri 20 Nov", with the year only where it is another one."""
    day = date.fromisoformat(due[:10])
    near = {now.date(): "day_today", now.date() + timedelta(days=1): "day_tomorrow"}.get(day)
    if near:
        text = say(policy, near)
    else:
        weekday = say(policy, "weekday_names").split()[day.weekday()]
        month = say(policy, "month_names").split()[day.month - 1]
        text = f"{weekday} {day.day} {month}" + (f" {day.year}" if day.year != now.year else "")
    return say(policy, "day_at", day=text, time=due[11:16]) if "T" in due else text


def spell_due(policy: Policy, due: str, now: datetime) -> str:
    """In full, as an answer is read out: "tomorrow, Thursday 5 March at 15:30"."""
    day = date.fromisoformat(due[:10])
    weekday = say(policy, "weekday_words").split()[day.weekday()]
    month = say(policy, "month_words").split()[day.month - 1]
    text = f"{weekday} {day.day} {month}" + (f" {day.year}" if day.year != now.year else "")
    near = {now.date(): "day_today", now.date() + timedelta(days=1): "day_tomorrow"}.get(day)
    if near:
        text = say(policy, "day_near", near=say(policy, near), day=text)
    return say(policy, "day_at", day=text, time=due[11:16]) if "T" in due else text


def _report_next(policy: Policy, payload: Mapping[str, Any], now: datetime) -> str:
    first = next(iter(payload["tasks"]))
    due = spell_due(policy, first["due_date"], now) if first.get("due_date") else say(policy, "told_undated")
    return say(policy, "told_next", title=first["title"], value=due)


def _report_names(policy: Policy, payload: Mapping[str, Any], now: datetime) -> str:
    """A few things by their names: an answer that can be read out."""
    tasks = list(payload["tasks"])
    named = [
        f"'{each['title']}'" + (f" ({spell_due(policy, each['due_date'], now)})" if each.get("due_date") else "")
        for each in tasks[:_NAMED]
    ]
    more = len(tasks) - len(named)
    note = str(tasks[0].get("description") or "") if len(tasks) == 1 else ""
    return ", ".join(named) + (f" +{more}." if more > 0 else f": {note}" if note else ".")


def report_undone(policy: Policy, result: ToolResult, act: str) -> str:
    """What was taken back, or made again."""
    payload = result.payload
    if not result.ok:
        key = f"nothing_to_{act}" if result.error is ErrorKind.NOT_FOUND else "failed"
        return say(policy, key, problem=result.error_message)
    if act == "redo":
        return say(policy, "redone", title=payload.get("title"))
    if int(str(payload.get("count") or 1)) > 1:
        return say(policy, "undone_several", count=payload["count"])
    return say(policy, f"undone_{payload.get('undone', 'changed')}", title=payload.get("title"))


def _report_list(policy: Policy, facts: ToolFacts, payload: Mapping[str, object]) -> str:
    count, total = payload.get("count"), payload.get("total")
    if not count:
        return say(policy, "done_list_empty")
    return say(policy, f"done_{facts.intent}" if count == total else "done_list_part", count=count, total=total)


def _details(
    policy: Policy,
    facts: ToolFacts,
    call: ToolCall,
    payload: Mapping[str, object],
    now: datetime,
    title_before: str,
) -> str:
    order = _TOLD_OF_NEW if facts.effect == "add" else _TOLD
    told = [(kind, name) for kind in order for name, reads in facts.reads.items() if reads == kind]
    said = [_detail(policy, kind, name, call.parameters[name], payload, now, title_before) for kind, name in told
            if call.parameters.get(name) is not None]  # fmt: skip
    return "".join(f", {detail}" for detail in said if detail)


def _detail(
    policy: Policy,
    kind: str,
    name: str,
    value: object,
    payload: Mapping[str, object],
    now: datetime,
    title_before: str,
) -> str:
    key = f"detail_{name}"
    if kind == "date":
        due = payload.get(base_name(name))
        if due:
            return say(policy, key, value=format_due(policy, str(due), now))
        return "" if name == base_name(name) else say(policy, f"detail_no_{base_name(name)}")
    if kind == "level":
        return say(policy, key, value=say(policy, f"value_{value}"))
    if kind == "status":
        return say(policy, f"detail_{base_name(name)}_{value}")
    if kind == "name":
        return say(policy, key, value=title_before) if title_before else ""
    return say(policy, key, value=value)
