"""What to say once calls were carried out: only what the results say was done, in the policy's own sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from engine.catalogue.mapping import TOOL_TO_INTENT
from engine.outcome.replies import say
from engine.policy.values import Policy
from engine.values import ToolCall, ToolResult

_NEW_DETAILS = ("due_date", "priority")
_CHANGED_DETAILS = ("new_title", "new_due_date", "new_priority", "new_description", "new_status")


def report(policy: Policy, call: ToolCall, result: ToolResult, now: datetime, title_before: str = "") -> str:
    """One sentence about one call. A call that failed is said to have failed, with the store's own words."""
    payload = result.payload
    if not result.ok:
        return say(policy, "failed", problem=result.error_message)
    intent = TOOL_TO_INTENT.get(call.tool_name)
    if call.tool_name == "list_tasks":
        return _report_list(policy, payload)
    if call.tool_name == "get_user_info":
        return say(policy, f"done_{intent}", **payload)
    if call.tool_name in ("update_task", "complete_task") and not payload.get("changed"):
        return say(policy, "done_already", **payload)
    details = _details(policy, call, payload, now, title_before)
    return say(policy, f"done_{intent}", **{**payload, "details": details})


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


def _report_list(policy: Policy, payload: Mapping[str, object]) -> str:
    count, total = payload.get("count"), payload.get("total")
    if not count:
        return say(policy, "done_list_empty")
    return say(policy, "done_list_tasks" if count == total else "done_list_part", count=count, total=total)


def _details(policy: Policy, call: ToolCall, payload: Mapping[str, object], now: datetime, title_before: str) -> str:
    names = _NEW_DETAILS if call.tool_name == "add_task" else _CHANGED_DETAILS
    said = [_detail(policy, name, call.parameters[name], payload, now, title_before) for name in names
            if call.parameters.get(name) is not None]  # fmt: skip
    return "".join(f", {detail}" for detail in said if detail)


def _detail(
    policy: Policy, name: str, value: object, payload: Mapping[str, object], now: datetime, title_before: str
) -> str:
    if name in ("due_date", "new_due_date"):
        due = payload.get("due_date")
        return say(policy, f"detail_{name}", value=format_due(policy, str(due), now)) if due else _no_date(policy, name)
    if name in ("priority", "new_priority"):
        return say(policy, f"detail_{name}", value=say(policy, f"value_{value}"))
    if name == "new_status":
        return say(policy, f"detail_status_{value}")
    if name == "new_title":
        return say(policy, "detail_new_title", value=title_before) if title_before else ""
    return say(policy, f"detail_{name}")


def _no_date(policy: Policy, name: str) -> str:
    return say(policy, "detail_no_due_date") if name == "new_due_date" else ""
