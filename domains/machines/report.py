"""What to say once calls on machines were carried out: one answer for all of them, only what the results say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engine.conduct import Ran
from engine.decision import Language

_FOLDER = Path(__file__).parent
_SHOWN_MACHINES = 10


@cache
def load_sentences(language: Language) -> Mapping[str, Any]:
    text = (_FOLDER / language / "report.yaml").read_text(encoding="utf-8")
    return dict(yaml.load(text, Loader=yaml.BaseLoader))  # noqa: S506 - safe: words only, "on" and "no" stay words


def report_machines(ran: Sequence[Ran], language: Language) -> str:
    """One line a machine, in the order of the calls; what was asked of the same machine stands together."""
    sentences = load_sentences(language)
    facts: dict[str, list[str]] = {}
    said: list[str | None] = []  # None: the place of the next machine's line
    alone = len(ran) == 1
    for each in ran:
        if not each.result.ok:
            said.append(_failure(sentences, each))
            continue
        if each.call.tool_name == "machines_list":
            said.append(_listing(sentences, each))
            continue
        name = str(each.result.payload["device_name"])
        if name not in facts:
            said.append(None)
        facts.setdefault(name, []).extend(_facts(sentences, each, alone=alone))
    lines = iter(
        [
            _fill(sentences["line"], machine=name, facts="; ".join(dict.fromkeys(told)) or sentences["nothing"])
            for name, told in facts.items()
        ]
    )
    return " ".join(each if each is not None else next(lines) for each in said)


def say_cancelled(language: Language) -> str:
    return str(load_sentences(language)["cancelled"])


def describe_state(state: Mapping[str, str], language: Language) -> list[str]:
    """Each part of a state in words: "light on", "set to 4 °C"."""
    sentences = load_sentences(language)
    return [_state_part(sentences, key, value) for key, value in state.items()]


def name_metric(metric: str, language: Language) -> str:
    return str(load_sentences(language)["metrics"].get(metric, metric.replace("_", " ")))


def describe_value(metric: str, value: float, unit: str, language: Language) -> str:
    """ "4.5 °C"; a door is open or closed."""
    sentences = load_sentences(language)
    if metric == "door":
        return str(sentences["door"]["open" if value else "closed"])
    number = f"{value:g}".replace(".", sentences["decimal"])
    return f"{number} {unit}".strip()


def _facts(sentences: Mapping[str, Any], ran: Ran, *, alone: bool) -> list[str]:
    payload: Mapping[str, Any] = ran.result.payload
    if ran.call.tool_name == "machine_command_execute":
        return [_command(sentences, ran)]
    if ran.call.tool_name == "metrics_read":
        return [_measured(sentences, each) for each in payload["metrics"]]
    connected = str(sentences["connected"][str(payload["connected"]).lower()])
    # Asked together with something else, the connection is what was asked for.
    states = [_state_part(sentences, key, value) for key, value in payload["state"].items()] if alone else []
    return [connected, *states]


def _command(sentences: Mapping[str, Any], ran: Ran) -> str:
    payload: Mapping[str, Any] = ran.result.payload
    name, value = str(payload["command"]), ran.call.parameters.get("value")
    number = f"{float(str(value)):g}".replace(".", sentences["decimal"]) if value is not None else ""
    known = sentences["commands" if payload["changed"] else "already_state"].get(name)
    if known:
        return _fill(known, value=number)
    plain = name.replace("_", " ")
    if not payload["changed"]:
        return _fill(sentences["already_command"], command=plain)
    return _fill(sentences["command_with_value" if number else "command"], command=plain, value=number)


def _measured(sentences: Mapping[str, Any], measured: Mapping[str, Any]) -> str:
    metric, value = str(measured["metric"]), float(measured["value"])
    if metric == "door":
        return str(sentences["door"]["open" if value else "closed"])
    number = f"{value:g}".replace(".", sentences["decimal"])
    name = sentences["metrics"].get(metric, metric.replace("_", " "))
    return f"{name} {number} {measured['unit']}".strip()


def _state_part(sentences: Mapping[str, Any], key: str, value: str) -> str:
    words = sentences["state"].get(key, {})
    found = words.get(value) or words.get("*")
    if found:
        return _fill(found, value=value.replace(".", sentences["decimal"]))
    return _fill(sentences["state_other"], key=key.replace("_", " "), value=value)


def _listing(sentences: Mapping[str, Any], ran: Ran) -> str:
    payload: Mapping[str, Any] = ran.result.payload
    total, machines = int(payload["total"]), payload["machines"]
    asked = any(ran.call.parameters.get(name) is not None for name in ("place", "connected", "search"))
    fitting = "_fitting" if asked else ""
    if not machines:
        return str(sentences[f"list_none{fitting}"])
    shown = machines[:_SHOWN_MACHINES]
    names = ", ".join(
        each["name"] if each["connected"] else _fill(sentences["not_connected_mark"], name=each["name"])
        for each in shown
    )
    if len(shown) < total:
        return _fill(sentences["list_part"], total=total, count=len(shown), names=names)
    return _fill(sentences[f"list{fitting}" + ("_one" if total == 1 else "")], total=total, names=names)


def _failure(sentences: Mapping[str, Any], ran: Ran) -> str:
    known = sentences["failed"].get(str(ran.result.error))
    if known and (ran.name or "{machine}" not in known):
        return _fill(known, machine=ran.name)
    return _fill(sentences["failed_other"], problem=ran.result.error_message)


def _fill(template: str, **values: object) -> str:
    return str(template).format(**values)
