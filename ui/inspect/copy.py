"""What Inspect hands over: a shell line that decides the same again, and a labelled case. No streamlit."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from db.evaluation.cases import digest_of
from domains.loading import TASKS
from evals.labels import without_empty
from evals.reviews import context_of_case
from evals.saved_cases import Label
from ui.given.message import InspectInput


def make_command(given: InspectInput) -> str:
    """Only ASCII inside single quotes: no shell finds anything to expand, and no terminal anything to garble."""
    line = json.dumps({"text": given.text, **_without_nothing(given.context_wire)})
    domain = "" if given.domain == TASKS else f" --domain {shlex.quote(given.domain)}"
    return f"printf '%s\\n' {shlex.quote(line)} | python -m engine decide{domain}"


def make_expectation(
    intent: str, action: str, task_id: str | None, values: Mapping[str, str], absent: list[str]
) -> tuple[dict[str, Any], str]:
    """What a person says it should have been, as a case has it; and what is wrong with it, if anything."""
    parameters: dict[str, Any] = {}
    for name, value in values.items():
        if value.strip() and name not in absent:
            number = value.strip().isdigit() and name in ("limit", "offset")
            if name in ("limit", "offset") and not number:
                return {}, f"{name} must be a whole number, not “{value.strip()}”."
            parameters[name] = int(value) if number else value.strip()
    said = {"intent": intent, "action": action, "task": task_id, "parameters": parameters, "absent": absent}
    return without_empty(said), ""


def make_label(given: InspectInput, expected: Mapping[str, Any]) -> Label:
    context = context_of_case(given.context_wire, given.domain)
    return Label(given.text, context, expected, digest_of(given.text, context, expected))


def _without_nothing(wire: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wire.items() if value not in (None, "", [])}
