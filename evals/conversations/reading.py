"""Reads the files of conversations. A mistake is told with its file, line, conversation and turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evals.cases import CASES_FOLDER
from evals.conversations.form import WrittenConversation
from evals.yaml_lines import CaseFileError, Mapping, load_yaml_list

FOLDER = CASES_FOLDER / "conversations"


def load_conversations(paths: Iterable[Path] = (FOLDER,)) -> tuple[WrittenConversation, ...]:
    """Those of the files, and of all files in the folders."""
    found: dict[str, WrittenConversation] = {}
    for path in _files(paths):
        for entry in load_yaml_list(path):
            conversation = _read(path, entry)
            if conversation.id in found:
                raise CaseFileError(path, entry.line, f"the id {conversation.id} is there twice")
            found[conversation.id] = conversation
    return tuple(found.values())


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("*.yaml")) if path.is_dir() else [path]


def _read(path: Path, entry: Mapping) -> WrittenConversation:
    try:
        return WrittenConversation.model_validate(dict(entry))
    except ValidationError as error:
        first = error.errors()[0]
        raise CaseFileError(path, *_place(entry, first["loc"], first["msg"])) from None


def _place(entry: Mapping, location: tuple[int | str, ...], problem: str) -> tuple[int, str]:
    """The line nearest to the mistake, and where it is in words."""
    line, inner, place = entry.line, list(location), str(entry.get("id", "a conversation without an id"))
    if len(location) > 1 and location[0] == "turns" and isinstance(location[1], int):
        place, inner = f"{place}, turn {location[1] + 1}", inner[2:]
    node: Any = entry
    for key in location:
        try:
            node = node[key]
        except (KeyError, IndexError, TypeError):
            break
        line = node.line if isinstance(node, Mapping) else line
    named = ".".join(str(part) for part in inner if not str(part).startswith(("function-", "tuple[")))
    return line, f"{place}: {named}: {problem}" if named else f"{place}: {problem}"
