"""A user's own labelled messages from a file, JSON Lines or CSV. A bad line is told by its number; the good ones stay.

A line has a `text`, and says what should come of it by `intent` or `tool`; besides, any of `arguments`, `target`,
`action`, `context`, `tags`, `severity` and `id`. JSON Lines may have the context in place, as a line of
`python -m engine decide` has.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, get_args

from db.evaluation.run_values import SEVERITIES
from domains.catalogues import load_tools
from domains.loading import TASKS, load_domain
from engine.border.plain import WireError
from engine.border.wire import read_context
from engine.decision import Action, Context
from engine.domain import UNKNOWN, Domain
from evals.case import Case
from evals.cases import read_entry
from evals.evaluate.data_sets import DataSet, make_data_set
from evals.evaluate.own_rows import SAID, TEXTS, BadLineError, Row, read_csv_rows, read_json_rows
from evals.line_files import LINE_LIMIT, form_of
from evals.saved_cases import Label, make_entry
from evals.situation import find_task

_ACTIONS = get_args(Action)
_NO_TOOL = ("", "none", "null", "-")
_SPLIT_TAGS = re.compile(r"[,;|]")
_UNREADABLE = "\ufffd"
_ANY_TIME = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as cases have it
_MOST_THINGS = 10_000
_ID_LIMIT = 120


def read_own_file(content: bytes | str, file_name: str, domain: str = TASKS) -> DataSet:
    """Every line that can be used, up to the limit, and a sentence about each that cannot."""
    text = content if isinstance(content, str) else content.decode("utf-8-sig", errors="replace")
    rows = read_csv_rows(text) if form_of(file_name) == "csv" else read_json_rows(text)
    cases: list[Case] = []
    problems: list[str] = []
    for number, row in rows:
        if len(cases) >= LINE_LIMIT:
            problems.append(f"line {number} and what follows was left out: {LINE_LIMIT:,} lines are the most")
            break
        try:
            cases.append(read_row(number, row, file_name, domain))
        except (BadLineError, WireError, ValueError, KeyError) as error:
            problems.append(f"line {number}: {error.args[0] if isinstance(error, KeyError) else error}")
        except RecursionError:
            problems.append(f"line {number}: it is nested too deeply")
    return make_data_set(file_name, cases, source=file_name, problems=problems, domain=domain)


def read_row(number: int, row: Row | Exception, file_name: str, domain_name: str) -> Case:
    """A labelled line as a case. BadLineError, WireError, ValueError or KeyError: what is wrong with it."""
    if isinstance(row, Exception):
        raise row
    text = next((row[name] for name in TEXTS if row.get(name)), None)
    if not isinstance(text, str) or not text.strip():
        raise BadLineError("there is no text in it")
    if _UNREADABLE in text:
        raise BadLineError("not text in UTF-8")
    if row.get("domain") not in (None, "", domain_name):
        raise BadLineError(f"it is about {row['domain']}, not about {domain_name}")
    domain = load_domain(domain_name)
    context_data = _context_of(row, domain_name)
    context = read_context(context_data, _ANY_TIME, domain)
    expected = _expectation(row, context, domain)
    entry = make_entry(Label(text, context_data, expected, ""))
    entry["id"] = str(row.get("id") or f"line-{number}")[:_ID_LIMIT]
    entry["tags"] = _tags(row.get("tags"))
    entry["severity"] = _one_of("severity", row.get("severity") or "normal", SEVERITIES)
    return read_entry(entry, f"{file_name}:{number}", domain_name)


def _context_of(row: Row, domain: str) -> dict[str, Any]:
    inside = row.get("context") or {}
    if not isinstance(inside, dict):
        raise BadLineError("context must be an object")
    beside = {name: value for name, value in row.items() if name not in SAID and value is not None}
    about = {} if domain == TASKS else {"domain": domain}
    return {**beside, **inside, **about}


def _expectation(row: Row, context: Context, domain: Domain) -> dict[str, Any]:
    intent, tool = _intent_of(row, domain)
    arguments = row.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise BadLineError("arguments must be an object")
    if tool is None and (arguments or row.get("target")):
        raise BadLineError("it has arguments or a target, but expects no call")
    target = row.get("target")
    if tool is not None:
        facts = domain.catalogue.by_name[tool]
        known = load_tools(domain.name)[tool].arguments.model_fields
        if unknown := sorted(set(arguments) - set(known)):
            raise BadLineError(f"{tool} has no argument {unknown[0]!r}; it has {', '.join(known)}")
        if facts.target in arguments and domain.conduct is None:
            arguments = dict(arguments)
            target = target or arguments.pop(facts.target)
    expected: dict[str, Any] = {"intent": intent, "parameters": dict(arguments)}
    if target:
        expected["task"] = _find_target(target, context, domain)
    if row.get("action"):
        expected["action"] = _one_of("action", row["action"], _ACTIONS)
    return expected


def _intent_of(row: Row, domain: Domain) -> tuple[str, str | None]:
    """The intent, and the tool that serves it; none for what asks for nothing."""
    tools = {facts.name: facts.intent for facts in domain.catalogue.tools}
    said_tool = "tool" in row
    tool = str(row.get("tool") or "").strip()
    intent = str(row.get("intent") or "").strip()
    if said_tool and tool.casefold() in _NO_TOOL and not intent:
        return UNKNOWN, None
    if tool and tool.casefold() not in _NO_TOOL:
        by_tool = tools.get(_one_of("tool", tool, tuple(tools)), UNKNOWN)
        if intent and intent != by_tool:
            raise BadLineError(f"the tool {tool} is not for the intent {intent}")
        return by_tool, tool
    if not intent:
        raise BadLineError("it names neither intent nor tool, so there is nothing to hold a decision against")
    _one_of("intent", intent, domain.catalogue.intents)
    return intent, next((name for name, serves in tools.items() if serves == intent), None)


def _find_target(target: object, context: Context, domain: Domain) -> str:
    things = context.tasks.recent(_MOST_THINGS)
    found = find_task(str(target), things, domain.name)
    if found is None:
        raise BadLineError(f"the target {target!r} is none of the {len(things)} things in its context")
    return found.id


def _tags(value: object) -> list[str]:
    parts = value if isinstance(value, list) else _SPLIT_TAGS.split(str(value or ""))
    return [str(part).strip() for part in parts if str(part).strip()]


def _one_of(what: str, value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise BadLineError(f"{what} must be one of {', '.join(known)}, not {value!r}")
    return str(value)
