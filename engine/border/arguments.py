"""Checking a call's arguments against the catalogue, with one sentence a person and a model can act on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from engine.catalogue.schemas import Tool
from engine.values import DESCRIPTION_LIMIT, TITLE_LIMIT, ErrorKind

_TITLES = ("title", "new_title")
_DESCRIPTIONS = ("description", "new_description")


class BadArgumentsError(Exception):
    """A call that breaks the catalogue, with the kind of the first mistake and a sentence about it."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def check_arguments(tool_name: str, parameters: Mapping[str, object], tools: Mapping[str, Tool]) -> dict[str, Any]:
    """The arguments as the tool takes them, or a BadArgumentsError that names the first mistake.

    `tools`: those that may be called here.
    """
    tool = tools.get(tool_name)
    if tool is None:
        shown = tool_name if len(tool_name) <= 40 else tool_name[:39] + "…"
        raise BadArgumentsError(
            ErrorKind.UNKNOWN_TOOL, f"There is no tool '{shown}'. The tools are: {', '.join(tools)}."
        )
    trimmed = {name: value.strip() if isinstance(value, str) else value for name, value in parameters.items()}
    try:
        checked = tool.arguments.model_validate(trimmed)
    except ValidationError as error:
        raise _failure(tool, error.errors(include_url=False)[0]) from None
    return {name: getattr(checked, name) for name in checked.model_fields_set}


def _failure(tool: Tool, detail: ErrorDetails) -> BadArgumentsError:
    name = str(detail["loc"][0])[:40] if detail["loc"] else ""
    problem = detail["type"]
    context = detail.get("ctx", {})
    if problem == "missing":
        return BadArgumentsError(ErrorKind.MISSING_ARGUMENT, f"{tool.name} needs '{name}'.")
    if problem == "extra_forbidden":
        known = ", ".join(tool.arguments.model_fields) or "none"
        return BadArgumentsError(
            ErrorKind.UNKNOWN_ARGUMENT, f"{tool.name} has no argument '{name}'. It takes: {known}."
        )
    if problem == "string_too_short" and name in _TITLES:
        return BadArgumentsError(ErrorKind.EMPTY_TITLE, "Title must not be empty. Say what is to be done.")
    if problem == "string_too_short":
        return BadArgumentsError(ErrorKind.MISSING_ARGUMENT, f"{tool.name} needs '{name}'; it was empty.")
    if problem == "string_too_long":
        return _too_long(name, len(str(detail["input"])), int(context["max_length"]))
    if problem == "string_unicode":
        return BadArgumentsError(ErrorKind.INVALID_VALUE, f"'{name}' contains characters that are not text.")
    if problem == "literal_error":
        return BadArgumentsError(
            ErrorKind.INVALID_VALUE,
            f"'{detail['input']}'"[:60] + f" is not a {name.removeprefix('new_')}. "
            f"Use one of: {_plain_choices(context['expected'])}.",
        )
    if problem in ("greater_than_equal", "less_than_equal", "too_long"):
        return BadArgumentsError(ErrorKind.INVALID_VALUE, f"'{name}': {detail['msg'].lower()}.")
    return BadArgumentsError(ErrorKind.WRONG_TYPE, f"'{name}' has the wrong type: {detail['msg'].lower()}.")


def _too_long(name: str, length: int, limit: int) -> BadArgumentsError:
    if name in _TITLES:
        kind, what = ErrorKind.TITLE_TOO_LONG, "Title"
        limit = TITLE_LIMIT
    elif name in _DESCRIPTIONS:
        kind, what = ErrorKind.DESCRIPTION_TOO_LONG, "Description"
        limit = DESCRIPTION_LIMIT
    else:
        kind, what = ErrorKind.INVALID_VALUE, f"'{name}'"
    return BadArgumentsError(kind, f"{what} must be at most {limit} characters; this one has {length}.")


def _plain_choices(expected: str) -> str:
    return expected.replace("'", "").replace(" or ", ", ")
