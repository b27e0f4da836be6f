"""The calls of a model that names things by the numbers they have in its prompt, in a domain with a reading of its own.

What it leaves out, or names in words, the composer looks up.
"""

from __future__ import annotations

import json
import re
from typing import Any

from engine.decision import Context
from engine.domain import Domain
from engine.values import ToolCall
from llm.border.whole_text import read_json
from llm.tool_list import REDO, UNDO
from llm.trace import RawCall

_NUMBER = re.compile(r"#(\d+)")


def by_number(raw: RawCall, context: Context, domain: Domain) -> RawCall:
    """The same call with the thing's id for its number. A number that nothing has is left out: it was made up."""
    facts = domain.catalogue.by_name.get(raw.name)
    arguments = _read(raw)
    if facts is None or arguments is None or facts.target is None:
        return raw
    name = next((pair[-1] for pair in facts.one_of if facts.target in pair), facts.target)
    numbers = _NUMBER.findall(str(arguments.get(name, "")))
    if not numbers:
        return raw
    kept = {key: value for key, value in arguments.items() if key != name}
    found = context.tasks.find_by_number(int(numbers[0])) if len(numbers) == 1 else None
    given = {facts.target: found.id, **kept} if found else kept
    return RawCall(raw.name, json.dumps(given, ensure_ascii=False))


def taking_back(raw: RawCall) -> ToolCall | None:
    """The last change is taken back or made again; there is nothing to say about it."""
    return ToolCall(raw.name) if raw.name in (UNDO, REDO) else None


def _read(raw: RawCall) -> dict[str, Any] | None:
    try:
        arguments = read_json(raw.arguments or "{}")
    except ValueError:
        return None
    return arguments if isinstance(arguments, dict) else None
