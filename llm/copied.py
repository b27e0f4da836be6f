"""The calls of a model that copies words of the message: what the words come to, and whether they were said at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.border.arguments import BadArgumentsError, check_arguments
from engine.catalogue.facts import Reads
from engine.catalogue.schemas import Tool
from engine.decision import Context
from engine.policy.values import Policy
from engine.text.folding import fold
from engine.values import Argument, ErrorKind, Provenance, Span, Task, ToolCall
from llm.standing import pick_tasks
from llm.tool_list import GONE, TALK_TOOLS, find_target_name
from llm.words import put_right, read_days, read_due, says_more

NOT_SAID = "nobody said this"
"""The detail of a value that has words which stand neither in the message nor in the conversation or the store."""
_NO_DATE = "none"
_NUMBER = re.compile(r"#(\d+)")


def read_copied(
    name: str, parameters: dict[str, Any], text: str, context: Context, policy: Policy, tools: Mapping[str, Tool]
) -> ToolCall:
    """Raises BadArgumentsError for what no tool takes."""
    facts = policy.catalogue.by_name.get(name)
    target = facts.target if facts else find_target_name(policy.catalogue)
    reads: Mapping[str, Reads] = facts.reads if facts else {GONE: "name"}
    task = find_target(parameters.get(target), context)
    given = {key: value for key, value in parameters.items() if value is not None}
    asked_for = {target, *(key for key, kind in reads.items() if kind == "name" and not (facts and facts.target))}
    empty = {key for key, value in given.items() if value == "" and key in asked_for}
    given = {key: value for key, value in given.items() if key not in empty}
    if name not in TALK_TOOLS:
        _check(name, given, empty, tools)
    elif not isinstance(given.get(target, ""), str):
        raise BadArgumentsError(ErrorKind.WRONG_TYPE, f"'{given[target]}' names no task.")
    arguments = (_argument(key, value, reads.get(key), task, text, context, policy) for key, value in given.items())
    return ToolCall(name, tuple(arguments))


def _check(name: str, given: dict[str, Any], empty: set[str], tools: Mapping[str, Tool]) -> None:
    """By the tool's own rules; what is left empty is no fault of the rest."""
    check_arguments(name, {**given, **dict.fromkeys(empty, "?")}, tools)


def find_target(named: object, context: Context) -> Task | None:
    """The task of a number."""
    found = _NUMBER.fullmatch(named.strip()) if isinstance(named, str) else None
    return context.tasks.find_by_number(int(found.group(1))) if found else None


def find_options(named: str, context: Context) -> tuple[Task, ...]:
    """ "#3 or #5": the tasks of which one is meant; none where it names no more than one."""
    numbers = [int(number) for number in _NUMBER.findall(named)]
    tasks = [task for number in numbers if (task := context.tasks.find_by_number(number))]
    return tuple(tasks) if len(tasks) > 1 else ()


def _argument(
    name: str, value: Any, kind: Reads | None, task: Task | None, text: str, context: Context, policy: Policy
) -> Argument:
    if kind in ("name", "note") and value:
        in_view = [seen.title for seen in pick_tasks(text, context, policy.catalogue)]
        value, said = put_right(str(value), text, context, policy, in_view)
        if kind == "note" and task and task.description and says_more(text, policy):
            value = f"{task.description}\n{value}"
        return Argument(name, value, Provenance("llm", _place(value, text), "" if said else NOT_SAID))
    place = _place(value, text)
    if kind == "date" and value != _NO_DATE:
        due = read_due(str(value), context, policy, task)
        if due is None:
            raise BadArgumentsError(ErrorKind.BAD_DATE, f"'{value}' is not a date.")
        return Argument(name, due, Provenance("llm", place))
    if kind == "day_filter" and f"{name}_{value}" not in policy.words:
        days = read_days(str(value), context, policy)
        if days is None:
            raise BadArgumentsError(ErrorKind.BAD_DATE, f"'{value}' is not a date.")
        return Argument(name, days, Provenance("llm", place))
    return Argument(name, value, Provenance("llm", place))


def _place(value: object, text: str) -> Span | None:
    start = fold(text).find(fold(value)) if isinstance(value, str) and value else -1
    return Span(start, start + len(str(value))) if start >= 0 and start + len(str(value)) <= len(text) else None
