"""YAML whose mappings remember their line, so that a mistake in a case file can be pointed at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_TEXT = "tag:yaml.org,2002:str"


class CaseFileError(ValueError):
    """A mistake in a case file, with its file and line."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(f"{path}:{line}: {problem}")


class Mapping(dict[str, Any]):
    """A mapping of the file; `line` counts from 1."""

    line: int = 0


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # libyaml is optional
    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Nearly all of a file is text, which is what it is: PyYAML looks up how to make it, three calls deep."""
        return node.value if node.tag == _TEXT else super().construct_object(node, deep)


def _construct_mapping(loader: Any, node: yaml.MappingNode) -> Mapping:
    mapping = Mapping()
    mapping.line = node.start_mark.line + 1
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in mapping:  # YAML would keep the last one in silence
            raise yaml.constructor.ConstructorError(None, None, f"{key!r} is there twice", key_node.start_mark)
        mapping[str(key)] = loader.construct_object(value_node, deep=True)
    return mapping


_Loader.add_constructor("tag:yaml.org,2002:map", _construct_mapping)
# Days and times stay text, as in a tool call: `due_date: 2026-03-04` is a string for us.
_Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: loader.construct_scalar(node))


def load_yaml(path: Path) -> Mapping:
    """The file's top mapping."""
    content = _load(path)
    if not isinstance(content, Mapping):
        raise CaseFileError(path, 1, "a mapping is expected at the top of the file")
    return content


def load_yaml_list(path: Path) -> list[Mapping]:
    """The file's mappings, one after the other."""
    content = _load(path)
    if not isinstance(content, list) or not all(isinstance(each, Mapping) for each in content):
        raise CaseFileError(path, 1, "a list of mappings is expected at the top of the file")
    return content


def _load(path: Path) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise CaseFileError(path, line, error.problem or "this is no YAML") from error
