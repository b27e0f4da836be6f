"""Everything that describes a tool to others, derived from the typed signatures of a domain."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from engine.catalogue.facts import Catalogue

_ARGUMENT_LINE = re.compile(r"^\s+(\w+): (.+)$")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool, ready for a validator, an LLM or an MCP client."""

    name: str
    description: str
    arguments: type[BaseModel]
    """Validates the arguments strictly and refuses unknown ones."""
    result: type

    @property
    def input_schema(self) -> dict[str, Any]:
        return _plain(_json_schema(self.arguments))

    @property
    def output_schema(self) -> dict[str, Any]:
        return _plain(_json_schema(self.result))

    @property
    def openai(self) -> dict[str, Any]:
        """The entry for the `tools` list of a chat completion."""
        function = {"name": self.name, "description": self.description, "parameters": self.input_schema}
        return {"type": "function", "function": function}


@lru_cache(maxsize=512)
def _json_schema(kind: type) -> dict[str, Any]:
    """Kept, since every message to an LLM tells it about all tools; `_plain` makes a new one of it for each caller."""
    return TypeAdapter(kind).json_schema()


def read_tools(catalogue: Catalogue) -> dict[str, Tool]:
    """The tools of a catalogue, as their typed signatures describe them."""
    if catalogue.signatures is None:
        return {}
    return {name: _read_tool(catalogue.signatures, name) for name in catalogue.by_name}


@lru_cache(maxsize=256)
def _read_tool(signatures: type, name: str) -> Tool:
    function = getattr(signatures, name)
    description, argument_docs = _read_docstring(inspect.getdoc(function) or "")
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        required = parameter.default is inspect.Parameter.empty
        default = ... if required else parameter.default
        fields[parameter.name] = (hints[parameter.name], Field(default, description=argument_docs[parameter.name]))
    arguments = create_model(name, __config__=ConfigDict(strict=True, extra="forbid"), **fields)
    return Tool(name, description, arguments, hints["return"])


def _read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """The summary, and what the `Args:` section says of each argument."""
    summary, _, section = text.partition("Args:")
    lines = (_ARGUMENT_LINE.match(line) for line in section.splitlines())
    return " ".join(summary.split()), {line[1]: line[2] for line in lines if line}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Without pydantic's titles, which only repeat the names and cost an LLM tokens."""
    return {key: _plain_value(key, value) for key, value in schema.items() if not _is_title(key, value)}


def _plain_value(key: str, value: Any) -> Any:
    if key in ("properties", "$defs"):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, dict):
        return _plain(value)
    if isinstance(value, list):
        return [_plain(item) if isinstance(item, dict) else item for item in value]
    return value


def _is_title(key: str, value: Any) -> bool:
    return key == "title" and isinstance(value, str)
