"""What to say once calls on machines were carried out: one answer for all of them, only what the results say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domains.machines.composing.phrasing import label_metric, replies_of
from engine.conduct import Ran
from engine.decision import Language

_SHOWN_MACHINES = 10


def report_machines(ran: Sequence[Ran], language: Language) -> str:
    """One line a machine, in the order of the calls; what was asked of the same machine stands together."""
    replies = replies_of(language)
    facts: dict[str, list[str]] = {}
    said: list[str | None] = []  # None: the place of the next machine's line
    alone = len(ran) == 1
    for each in ran:
        if not each.result.ok:
            said.append(_failure(replies, each))
            continue
        if each.call.tool_name == "machines_list":
            said.append(_listing(replies, each))
            continue
        name = str(each.result.payload["device_name"])
        if name not in facts:
            said.append(None)
        facts.setdefault(name, []).extend(_facts(replies, each, alone=alone))
    lines = iter(
        [
            _fill(replies["told_line"], machine=name, facts="; ".join(dict.fromkeys(told)) or replies["told_nothing"])
            for name, told in facts.items()
        ]
    )
    return " ".join(each if each is not None else next(lines) for each in said)


def say_cancelled(language: Language) -> str:
    return replies_of(language)["cancelled"]


def describe_state(state: Mapping[str, str], language: Language) -> list[str]:
    """Each part of a state in words: "light on", "set to 4 °C"."""
    replies = replies_of(language)
    return [_state_part(replies, key, value) for key, value in state.items()]


def name_metric(metric: str, language: Language) -> str:
    return label_metric(metric, language)


def describe_value(metric: str, value: float, unit: str, language: Language) -> str:
    """ "4.5 °C"; a door is open or closed."""
    replies = replies_of(language)
    if metric == "door":
        return replies[f"told_door_{'open' if value else 'closed'}"]
    number = f"{value:g}".replace(".", replies["told_decimal"])
    return f"{number} {unit}".strip()


def _facts(replies: Mapping[str, str], ran: Ran, *, alone: bool) -> list[str]:
    payload: Mapping[str, Any] = ran.result.payload
    if ran.call.tool_name == "machine_command_execute":
        return [_command(replies, ran)]
    if ran.call.tool_name == "metrics_read":
        return [_measured(replies, each) for each in payload["metrics"]]
    connected = replies[f"told_connected_{str(payload['connected']).lower()}"]
    # Asked together with something else, the connection is what was asked for.
    states = [_state_part(replies, key, value) for key, value in payload["state"].items()] if alone else []
    return [connected, *states]


def _command(replies: Mapping[str, str], ran: Ran) -> str:
    payload: Mapping[str, Any] = ran.result.payload
    name, value = str(payload["command"]), ran.call.parameters.get("value")
    number = f"{float(str(value)):g}".replace(".", replies["told_decimal"]) if value is not None else ""
    known = replies.get(f"told_{'did' if payload['changed'] else 'already'}_{name}")
    if known:
        return _fill(known, value=number)
    plain = name.replace("_", " ")
    if not payload["changed"]:
        return _fill(replies["told_already_other"], command=plain)
    return _fill(replies["told_did_other_value" if number else "told_did_other"], command=plain, value=number)


def _measured(replies: Mapping[str, str], measured: Mapping[str, Any]) -> str:
    metric, value = str(measured["metric"]), float(measured["value"])
    if metric == "door":
        return replies[f"told_door_{'open' if value else 'closed'}"]
    number = f"{value:g}".replace(".", replies["told_decimal"])
    name = replies.get(f"label_metric_{metric}", metric.replace("_", " "))
    return f"{name} {number} {measured['unit']}".strip()


def _state_part(replies: Mapping[str, str], key: str, value: str) -> str:
    found = replies.get(f"told_state_{key}_{value}") or replies.get(f"told_state_{key}")
    if found:
        return _fill(found, value=value.replace(".", replies["told_decimal"]))
    return _fill(replies["told_state_other"], key=key.replace("_", " "), value=value)


def _listing(replies: Mapping[str, str], ran: Ran) -> str:
    payload: Mapping[str, Any] = ran.result.payload
    total, machines = int(payload["total"]), payload["machines"]
    asked = any(ran.call.parameters.get(name) is not None for name in ("place", "connected", "state", "search"))
    fitting = "_fitting" if asked else ""
    if not machines:
        return replies[f"told_list_none{fitting}"]
    shown = machines[:_SHOWN_MACHINES]
    names = ", ".join(
        each["name"] if each["connected"] else _fill(replies["told_not_connected"], name=each["name"]) for each in shown
    )
    if len(shown) < total:
        return _fill(replies["told_list_part"], total=total, count=len(shown), names=names)
    return _fill(replies[f"told_list{fitting}" + ("_one" if total == 1 else "")], total=total, names=names)


def _failure(replies: Mapping[str, str], ran: Ran) -> str:
    known = replies.get(f"told_failed_{ran.result.error}")
    if known and (ran.name or "{machine}" not in known):
        return _fill(known, machine=ran.name)
    return _fill(replies["failed"], problem=ran.result.error_message)


def _fill(template: str, **values: object) -> str:
    return str(template).format(**values)
