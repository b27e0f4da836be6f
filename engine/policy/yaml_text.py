"""YAML from files that anybody may have written: plain data, bounded, with the lines of what is in it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import yaml

_QUICK_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_BYTES = 2_000_000
_DEEPEST = 24
"""Levels within each other. The quick loader of a file that is one long row of brackets ends the whole process."""


class _Loader(_QUICK_LOADER):  # type: ignore[misc]
    """Safe, quick, and without YAML's old surprise that no, on and off are booleans: here they are words.

    A name that stands twice in a mapping is remembered: plain YAML lets the second one win without a word."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's own layout
        first: [(tag, pattern) for tag, pattern in resolvers if first in "tTfF" or not tag.endswith(":bool")]
        for first, resolvers in _QUICK_LOADER.yaml_implicit_resolvers.items()
    }

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.twice: list[Fault] = []

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[object] = set()
        for key, _ in node.value:
            if key.value in seen:
                self.twice.append(Fault(key.start_mark.line + 1, f"{key.value!r} stands here twice"))
            seen.add(key.value if isinstance(key.value, str) else id(key))
        return super().construct_mapping(node, deep)


class Fault(NamedTuple):
    line: int
    problem: str


def read_yaml(text: str) -> tuple[Any, list[Fault]]:
    """The data, and what is wrong with the text itself. Data from a text with faults may be None."""
    try:
        fault = find_trap(text)
        if fault:
            return None, [fault]
        loader = _Loader(text)
        try:
            return loader.get_single_data(), loader.twice
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        return None, [Fault(_line(error.problem_mark), str(error.problem))]
    except (yaml.YAMLError, ValueError, TypeError) as error:  # signs that YAML does not know, a date that is none
        return None, [Fault(1, str(error).splitlines()[0])]


def read_own_yaml(text: str) -> Any:
    """A file that comes with the project, by YAML's own rules: as `yaml.safe_load`, for a tenth of the time."""
    return yaml.load(text, Loader=_QUICK_LOADER)  # noqa: S506 - a SafeLoader


def find_trap(text: str) -> Fault | None:
    """Size and nesting without end, and references that make a small file a large one."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        return Fault(1, f"the file is larger than {MOST_BYTES // 1_000_000} MB")
    depth = 0
    for event in yaml.parse(text, Loader=_QUICK_LOADER):
        if isinstance(event, yaml.AliasEvent):
            return Fault(_line(event.start_mark), "references (*name) are not allowed")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                return Fault(_line(event.start_mark), f"nested more than {_DEEPEST} levels deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return None


def _line(mark: Any) -> int:
    return mark.line + 1 if mark else 1


@lru_cache(maxsize=64)
def _compose(text: str) -> yaml.Node | None:
    """Kept: whoever asks for the place of one entry of a file asks for those of many."""
    node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    return node


def find_line(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    """The line of the entry at `path`, or of the closest one above it that exists; and how many steps were found."""
    node, line = _compose(text), 1
    for count, step in enumerate(path):
        found = None
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(step)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = (node.value[step], node.value[step])
        if found is None:
            return line, count
        line, node = found[0].start_mark.line + 1, found[1]
    return line, len(path)
