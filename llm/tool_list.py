"""The catalogue as a model gets it: native tools, or one JSON schema for models that have none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from domains.catalogues import load_tools
from domains.loading import TASKS, load_domain
from engine.catalogue.facts import Catalogue

_CHECKED_BY_US = frozenset({"minLength", "maxLength", "minimum", "maximum", "default", "additionalProperties"})
"""Limits stay out: with `maxLength: 1000` in the schema the embedded server had not answered after minutes, and an
answer that breaks a limit is caught by `engine.border.arguments` whether the model knew it or not."""

UNDO, REDO, TELL = "undo", "redo", "tell_task"
"""What a conversation can also ask for. Every other model says it by the six tools; the embedded one has a word of its
own for each, and `llm/conclude.py` reads them."""
GONE = "title"
"""The argument that names what shall come back, where it is not the last change that is taken back."""
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
_BACK: tuple[dict[str, Any], ...] = (
    {"name": UNDO, "description": "Take the last change back", "parameters": _NOTHING},
    {"name": REDO, "description": "Make it again", "parameters": _NOTHING},
)
"""Of a domain with a reading of its own: only the last change is taken back there."""

TALK_TOOLS = frozenset({TELL, UNDO, REDO})


def find_target_name(catalogue: Catalogue) -> str:
    """The argument by which the tools name what they act on."""
    return next((facts.target for facts in catalogue.tools if facts.target), "")


def _talk_tools(catalogue: Catalogue) -> tuple[dict[str, Any], ...]:
    target, undo, redo = find_target_name(catalogue), *_BACK
    named = {"type": "object", "properties": {target: {"type": "string"}}, "required": [target]}
    gone = {"type": "object", "properties": {GONE: {"type": "string"}}}
    tell = {"name": TELL, "description": "Answer a question about one task", "parameters": named}
    return tell, {**undo, "parameters": gone}, redo


@cache
def native_tools(domain: str = TASKS) -> tuple[dict[str, Any], ...]:
    """The `tools` of a chat completion."""
    return tuple(
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": slim(tool.input_schema),
            },
        }
        for tool in load_tools(domain).values()
    )


@cache
def short_tools(domain: str = TASKS) -> tuple[dict[str, Any], ...]:
    """The same tools in as few words as the embedded model was trained on: a word on each, no word on arguments.

    A change here, or in the signatures, changes what the adapter was trained on: train it again.
    """
    named_twice = _ids_beside_names(domain)
    own = [_terse_function(tool["function"], named_twice) for tool in native_tools(domain)]
    more = _talk_tools(load_domain(domain).catalogue) if domain == TASKS else _BACK
    return tuple({"type": "function", "function": each} for each in (*own, *more))


def _ids_beside_names(domain: str) -> frozenset[str]:
    """Arguments that are ids where the name would do as well: nobody says an id."""
    return frozenset(pair[0] for tool in load_domain(domain).catalogue.tools for pair in tool.one_of)


@cache
def answer_schema(most_calls: int, domain: str = TASKS) -> dict[str, Any]:
    """What a model without native tools must answer: calls (none is fine), and a reply to the user."""
    call_shapes = [_call_shape(tool["function"]) for tool in native_tools(domain)]
    calls = {"type": "array", "maxItems": most_calls, "items": {"anyOf": call_shapes}}
    properties = {"calls": calls, "reply": {"type": "string"}}
    return {"type": "object", "properties": properties, "required": ["calls", "reply"]}


def _call_shape(function: Mapping[str, Any]) -> dict[str, Any]:
    properties = {"name": {"const": function["name"]}, "arguments": function["parameters"]}
    return {"type": "object", "properties": properties, "required": ["name", "arguments"]}


def slim(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without limits, defaults and "or null": an optional argument is simply left out."""
    kept = {name: value for name, value in schema.items() if name not in _CHECKED_BY_US}
    choices = [choice for choice in kept.pop("anyOf", ()) if choice.get("type") != "null"]
    if len(choices) == 1:
        kept = {**slim(choices[0]), **kept}
    if "properties" in kept:
        kept["properties"] = {name: slim(inner) for name, inner in kept["properties"].items()}
    return kept


def _terse_function(function: Mapping[str, Any], left_out: frozenset[str]) -> dict[str, Any]:
    description = function["description"].split(",")[0].split(":")[0].split(". ")[0].rstrip(".")
    parameters = _terse(function["parameters"], left_out)
    return {"name": function["name"], "description": description, "parameters": parameters}


def _terse(schema: Mapping[str, Any], left_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    kept = {name: value for name, value in schema.items() if name != "description"}
    if "properties" in kept:
        kept["properties"] = {name: _terse(inner) for name, inner in kept["properties"].items() if name not in left_out}
    return kept
