"""A tool's schema as fields of a form, and what was typed there as its arguments. No streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.catalogue.schemas import Tool
from ui.call_words import name_argument

FieldKind = Literal["choice", "number", "yes", "text", "json"]


@dataclass(frozen=True, slots=True)
class SchemaField:
    name: str
    label: str
    kind: FieldKind
    required: bool
    help: str
    choices: tuple[str, ...] = ()
    longest: int | None = None
    least: int | None = None
    most: int | None = None
    default: str = ""
    """What it is where nothing is said."""


class FieldError(ValueError):
    """What was typed is no value of its kind."""


def read_fields(tool: Tool) -> tuple[SchemaField, ...]:
    schema = tool.input_schema
    required = schema.get("required", ())
    return tuple(
        _field(name, entry, required=name in required, shared=schema.get("$defs", {}))
        for name, entry in schema.get("properties", {}).items()
    )


def _field(name: str, entry: Mapping[str, Any], *, required: bool, shared: Mapping[str, Any]) -> SchemaField:
    plain = _without_null(entry, shared)
    kinds: dict[str, FieldKind] = {"integer": "number", "number": "number", "boolean": "yes", "string": "text"}
    kind: FieldKind = "choice" if "enum" in plain else kinds.get(str(plain.get("type")), "json")
    default = entry.get("default")
    return SchemaField(
        name=name,
        label=name_argument(name).capitalize() + ("" if required else " (optional)"),
        kind=kind,
        required=required,
        help=f"`{name}`: {entry.get('description', '')}",
        choices=tuple(map(str, plain.get("enum", ()))),
        longest=plain.get("maxLength"),
        least=plain.get("minimum"),
        most=plain.get("maximum"),
        default="" if default in (None, "") else str(default),
    )


def _without_null(entry: Mapping[str, Any], shared: Mapping[str, Any]) -> Mapping[str, Any]:
    """What it is if it is there: of "text or null", the text."""
    for each in entry.get("anyOf", ()):
        if each.get("type") != "null":
            return _without_null(each, shared)
    named = str(entry.get("$ref", "")).rpartition("/")[2]
    return _without_null(shared[named], shared) if named in shared else entry


def read_arguments(fields: tuple[SchemaField, ...], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Only what was said: an empty field is left out, so that its default or the tool itself decides."""
    found: dict[str, Any] = {}
    for field in fields:
        value = typed.get(field.name)
        if value in (None, "") or (field.kind == "yes" and value is False and not field.required):
            continue
        found[field.name] = _read_json(field, str(value)) if field.kind == "json" else value
    return found


def _read_json(field: SchemaField, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError(f"{field.label} is not valid JSON: {error}") from None
