"""Reads the case files: `cases/<language>/<topic>.yaml`, the task sets they share, the known failures.

A domain's own cases stand in its folder under `cases/`; those of the first domain at the root of the project.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from domains.loading import TASKS, DomainError, find_folder, load_domain
from engine.border.json_form import from_json
from engine.decision import Pending
from engine.values import Task
from evals.case import Case, Turn
from evals.known_failures import FILE_NAME, load_causes
from evals.yaml_lines import CaseFileError, Mapping, load_yaml

CASES_FOLDER = Path(__file__).resolve().parent.parent / "cases"
_NONE = "none"
_OTHER_FORMS = ("composer", "conversations")
"""Folders beside the languages whose files have forms of their own."""
_MOST_THINGS = 10_000
_TURN_FIELDS = frozenset(each.name for each in fields(Turn))
_TURNS = TypeAdapter(tuple[Turn, ...])
_CASE = TypeAdapter(Case)
_TASK = TypeAdapter(Task)


def find_cases(domain: str) -> Path:
    """Where a domain's cases stand."""
    own = find_folder(domain) / "cases"
    if own.is_dir() or domain != TASKS:
        return own
    return CASES_FOLDER


def load_cases(folder: Path = CASES_FOLDER, domain: str = TASKS) -> tuple[Case, ...]:
    """All cases below the folder, or of one file, by file and line. A mistake raises CaseFileError with its place.

    They are of this domain unless a file or a case names another.
    """
    found_files = sorted(folder.glob("*/*.yaml"))
    paths = [folder] if folder.is_file() else [path for path in found_files if path.parent.name not in _OTHER_FORMS]
    folder = folder.parent if folder.is_file() else folder
    task_sets = _load_task_sets(folder / "tasks.yaml", domain)
    found: dict[str, Case] = {}
    for path in paths:
        for line, case in _read_file(path, folder, task_sets, domain):
            if case.id in found:
                raise CaseFileError(path, line, f"the id {case.id} is taken by {found[case.id].source}")
            found[case.id] = case
    return tuple(found.values())


def load_known_failures(folder: Path = CASES_FOLDER) -> dict[str, str]:
    """Why each case that the engine does not pass yet fails, by id."""
    return load_causes((folder.parent if folder.is_file() else folder) / FILE_NAME)


def read_entry(entry: dict[str, Any], where: str, domain: str = TASKS) -> Case:
    """One case from an entry as a case file has it, with its own tasks. A mistake raises ValueError or KeyError."""
    domain = str(entry.get("domain", domain))
    made = {"domain": domain, "language": load_domain(domain).languages[0], "tasks": _NONE, **entry, "source": where}
    task_sets: dict[str, dict[str, Task]] = {}
    if isinstance(made["tasks"], list):
        own = f"the tasks of {where}"
        task_sets[own] = _make_set(own, [Mapping(each) for each in made["tasks"]], Path(where), domain)
        made["tasks"] = own
    try:
        return _make_case(made, {}, task_sets)
    except ValidationError as error:
        raise ValueError(_first_problem(error)) from error


def _load_task_sets(path: Path, domain: str) -> dict[str, dict[str, Task]]:
    if not path.exists():
        return {}
    return {set_name: _make_set(set_name, entries, path, domain) for set_name, entries in load_yaml(path).items()}


def _make_set(set_name: str, entries: list[Mapping], path: Path, domain: str) -> dict[str, Task]:
    tasks: dict[str, Task] = {}
    unsettled, _ = load_domain(domain).catalogue.states
    for number, entry in enumerate(entries, start=1):
        key = str(entry.pop("key"))
        # The order of the file is the order in which they were created.
        made = {"id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{set_name}/{key}")), "number": number}
        made["status"] = unsettled
        made["created_at"] = made["updated_at"] = f"2026-02-{number:02}T08:00:00"
        try:
            tasks[key] = _TASK.validate_python({**made, **entry})
        except ValidationError as error:
            raise CaseFileError(path, entry.line, _first_problem(error)) from error
    return tasks


def _read_file(
    path: Path, folder: Path, task_sets: dict[str, dict[str, Task]], domain: str
) -> Iterator[tuple[int, Case]]:
    content = load_yaml(path)
    domain = str(content.get("domain", domain))
    defaults = content.get("expect", Mapping())
    shared = {"domain": domain, "tasks": content.get("tasks", _NONE), "tags": content.get("tags", [])}
    if unknown := set(content) - {"domain", "expect", "tasks", "tags", "cases"}:
        raise CaseFileError(path, content.line, f"unknown key {sorted(unknown)[0]!r}")
    for entry in content.get("cases", []):
        if not isinstance(entry, Mapping):
            raise CaseFileError(path, content.line, f"a case is a mapping, not {entry!r}")
        if isinstance(entry.get("tasks"), list):  # a saved case brings its own
            own = f"the tasks of {entry.get('id')}"
            task_sets = {**task_sets, own: _make_set(own, entry["tasks"], path, str(entry.get("domain", domain)))}
            entry["tasks"] = own
        languages = _languages(entry.get("domain", domain), path, entry.line)
        language = path.parent.name if path.parent.name in languages else languages[0]
        where = f"{path.relative_to(folder.parent).as_posix()}:{entry.line}"
        try:
            yield (
                entry.line,
                _make_case({**shared, "language": language, **entry, "source": where}, defaults, task_sets),
            )
        except ValidationError as error:
            raise CaseFileError(path, entry.line, _first_problem(error)) from error
        except (KeyError, ValueError) as error:
            raise CaseFileError(path, entry.line, str(error.args[0] if error.args else error)) from error


def _languages(domain: str, path: Path, line: int) -> tuple[str, ...]:
    try:
        return load_domain(domain).languages
    except DomainError as error:
        raise CaseFileError(path, line, str(error)) from error


def _make_case(entry: dict[str, Any], defaults: dict[str, Any], task_sets: dict[str, dict[str, Task]]) -> Case:
    """A case of one turn is written flat; one of several has `turns`. File-wide defaults are for flat ones."""
    set_name = entry.pop("tasks")
    if set_name not in task_sets and set_name != _NONE:
        raise KeyError(f"there is no task set {set_name!r}")
    tasks = task_sets.get(set_name, {})
    flat = {name: entry.pop(name) for name in list(entry) if name in _TURN_FIELDS}
    if flat and "turns" in entry:
        raise ValueError(f"{sorted(flat)[0]!r} belongs into a turn, as the case has turns")
    turns = _TURNS.validate_python(entry.pop("turns", None) or ({**defaults, **flat},))
    shown = entry.pop("shown", None)
    if shown is not None:
        entry["history"] = [{"role": "assistant", "content": "Here are your tasks.", "tasks": shown}]
    if entry.get("pending"):
        entry["pending"] = from_json(Pending, entry["pending"], "pending")
    tasks = tasks or _things(entry)
    keys = {key: task.id for key, task in tasks.items()}
    case = _CASE.validate_python({**entry, "turns": turns, "tasks": tuple(tasks.values()), "keys": keys})
    for intent in _intents_named(case):
        if intent not in load_domain(case.domain).catalogue.intents:
            raise ValueError(f"the domain {case.domain} has no intent {intent!r}")
    for key in _keys_named(case):
        if key not in keys and not key.startswith(("new:", "gone:")):
            raise KeyError(f"the task set {set_name!r} has no {key!r}")
    return case


def _things(entry: dict[str, Any]) -> dict[str, Task]:
    """What a case with a `reach` is about, each by its id."""
    conduct = load_domain(entry["domain"]).conduct
    if not entry.get("reach") or conduct is None:
        return {}
    return {thing.id: thing for thing in conduct.read_index(entry["reach"]).recent(_MOST_THINGS)}


def _keys_named(case: Case) -> Iterator[str]:
    for said in case.history:
        yield from said.tasks
    for turn in case.turns:
        yield from (*turn.task, *turn.options)
        for call in turn.calls:
            yield from call.task


def _intents_named(case: Case) -> Iterator[str]:
    for turn in case.turns:
        yield from turn.intent
        for call in turn.calls:
            yield from call.intent


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    return f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
