"""Small changes of YAML texts that leave everything else as it is written, comments included."""

from __future__ import annotations

import json
from typing import Any

import yaml

Steps = tuple[str, ...]
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class EditError(ValueError):
    """An edit that cannot be made, in words for whoever asked for it."""


def quote(text: str) -> str:
    """A text as a pattern file writes it."""
    return json.dumps(text, ensure_ascii=False)


def add_to_list(text: str, path: Steps, entry: str) -> str:
    """One more entry at the end of the list at the path; the list must be there."""
    node = _find(text, path)
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        raise EditError(f"there is no list at {'.'.join(path)}")
    if node.flow_style:
        return _insert(text, node.end_mark.index - 1, f", {quote(entry)}")
    last, first = node.value[-1], node.value[0]
    indent = " " * max(0, first.start_mark.column - 2)
    return _insert_line(text, last.end_mark.line + (last.end_mark.column > 0), f"{indent}- {quote(entry)}")


def remove_from_list(text: str, path: Steps, entry: str) -> str:
    node = _find(text, path)
    found = next((each for each in node.value if each.value == entry), None) if node is not None else None
    if found is None or node.flow_style:
        raise EditError(f"{entry!r} stands in no list at {'.'.join(path)}")
    lines = text.split("\n")
    del lines[found.start_mark.line : found.end_mark.line + 1]
    return "\n".join(lines)


def set_in_mapping(text: str, section: str, name: str, value: str) -> str:
    """An entry of a section that is a mapping; both are made where they are missing. `value` is YAML."""
    whole = yaml.compose(text, Loader=_LOADER) if text.strip() else None
    node = _find(text, (section,)) if whole is not None else None
    if node is None:
        head = text if not text or text.endswith("\n") else f"{text}\n"
        return f"{head}{section}:\n  {_key(name)}: {value}\n"
    if not isinstance(node, yaml.MappingNode) or not node.value:
        raise EditError(f"{section} is no mapping")
    there = next((each for key, each in node.value if key.value == name), None)
    if there is not None:
        return text[: there.start_mark.index] + value + text[there.end_mark.index :]
    if node.flow_style:
        return _insert(text, node.end_mark.index - 1, f", {_key(name)}: {value}")
    key, last = node.value[-1]
    indent = " " * key.start_mark.column
    return _insert_line(text, last.end_mark.line + (last.end_mark.column > 0), f"{indent}{_key(name)}: {value}")


def append_block(text: str, block: str) -> str:
    """At the end of the file, with a line between."""
    head = text.rstrip("\n")
    return f"{head}\n\n{block}" if head else block


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() and not name.isdigit() else quote(name)


def _find(text: str, path: Steps) -> Any:
    node: Any = yaml.compose(text, Loader=_LOADER)
    for step in path:
        inside = node.value if isinstance(node, yaml.MappingNode) else ()
        node = next((value for key, value in inside if key.value == step), None)
    return node


def _insert(text: str, place: int, added: str) -> str:
    return text[:place] + added + text[place:]


def _insert_line(text: str, number: int, line: str) -> str:
    lines = text.split("\n")
    lines.insert(number, line)
    return "\n".join(lines)
