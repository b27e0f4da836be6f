"""Step 0: what a call says without meaning it counts as left out: empty texts, "null", placeholders, wrong types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from engine.catalogue.schemas import Tool
from engine.completing.worth import says_nothing
from engine.text.folding import fold

_PLACEHOLDER = re.compile(
    r"^(<[^<>]*>|\{\{?[^{}]*\}?\}|\[[^\[\]]*\]|\$\{?\w+\}?|%\w+%|your[_ ].*|insert[_ ].*|_+|\.+)$", re.I
)
_ARGUMENT_NAME = re.compile(r"[a-z]+(_[a-z]+)*_(id|identifier)", re.IGNORECASE)
"""As models write it, in one word: "renew the id" is what somebody may have to do."""
_NOT_SAID = re.compile(r"[\s_-]+")


def is_nothing(value: object) -> bool:
    """Whether a value says as little as none at all."""
    if value is None or value == [] or value == {}:
        return True
    if not isinstance(value, str):
        return False
    value = value.strip()
    plain = _NOT_SAID.sub("_", fold(value)).strip("\"'")
    named = _ARGUMENT_NAME.fullmatch(value.strip("\"'"))
    return not plain.strip("_") or plain in says_nothing() or bool(_PLACEHOLDER.match(value) or named)


def sanitise(arguments: Mapping[str, Any], tool: Tool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments that say something and fit the tool, and for each of the others a few words on why it went."""
    kept: dict[str, Any] = {}
    dropped: list[str] = []
    for name, value in arguments.items():
        field = tool.arguments.model_fields.get(name)
        if field is None:
            dropped.append(f"{str(name)[:40]}: {tool.name} has no such argument")
        elif is_nothing(value):
            dropped.append(f"{name}: {str(value)[:40]!r} says nothing")
        else:
            mended = _mend(value)
            problem = _problem(tool, name, mended)
            if problem:
                dropped.append(f"{name}: {problem}")
            else:
                kept[name] = mended
    return kept, tuple(dropped)


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return [item.strip() for item in value if isinstance(item, str) and not is_nothing(item)]
    return value


def _problem(tool: Tool, name: str, value: Any) -> str:
    """Whether this one argument would be refused by the tool, whatever the others are."""
    try:
        tool.arguments.__pydantic_validator__.validate_assignment(tool.arguments.model_construct(), name, value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[0]
        return f"wrong type or value ({found['msg'].lower()})"
    return ""
