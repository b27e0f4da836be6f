"""Values as plain JSON and back, by their types alone: lines, payloads, saved cases and recorded turns share this form.

An object has the names of the fields; a field's metadata says where it differs. What is made by the dozen (evidence,
factors, steps) is a row, so that records stay small, or an object where it is asked for `named`; both are read.
Not by pydantic: `python -m engine decide` reads every line so, and pydantic with its schemas adds half to its start.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from engine.border.plain import PLAIN_READERS, Convert, WireError, one_of, read_mapping
from engine.decision import Reference, Slot
from engine.values import Argument, Provenance, Span, ToolCall

T = TypeVar("T")
_PLAIN = (str, int, float, NoneType)
_SAYS_SOMETHING = (int, float, bool, dict)
"""Also where it is 0, false or {}; a text or list that is empty says nothing."""
_ROWS = (tuple, Span, Reference, Slot)
_CONVERSATION = {"source": "conversation"}


def to_json(value: object, *, named: bool = False) -> Any:
    return _writer(type(value), named)(value)


def from_json(kind: type[T], data: object, where: str = "") -> T:
    """A value of this type, or a WireError that says what is wrong and where."""
    try:
        return _reader(kind)(data)  # type: ignore[no-any-return]
    except WireError as error:
        raise error.within(where) from None


def _has_fields(kind: object) -> bool:
    return is_dataclass(kind) or hasattr(kind, "_fields")


class _Field(NamedTuple):
    name: str
    called: str
    kind: Any
    needed: bool = False
    spare: bool = False


@cache
def _fields_of(kind: Any) -> tuple[_Field, ...]:
    hints = get_type_hints(kind, include_extras=True)
    if not is_dataclass(kind):
        return tuple(_Field(name, name, hint, name not in kind._field_defaults) for name, hint in hints.items())
    found = [(each, each.default is MISSING and each.default_factory is MISSING) for each in fields(kind)]
    return tuple(
        _Field(each.name, each.metadata.get("called", each.name), hints[each.name], needed, "spare" in each.metadata)
        for each, needed in found
    )


def _make_writer(kind: Any, named: bool) -> Convert:
    if issubclass(kind, enum.Enum):
        return lambda value: value.value
    if issubclass(kind, _PLAIN):
        return lambda value: value
    if kind is ToolCall:
        return _write_call
    if issubclass(kind, datetime):
        return datetime.isoformat
    if issubclass(kind, Mapping):
        return dict
    if _has_fields(kind):
        return _fields_writer(kind, named)
    if issubclass(kind, tuple | list):
        return lambda value: [_writer(type(each), named)(each) for each in value]
    raise TypeError(f"{kind.__name__} has no JSON form")


_writer: Callable[[Any, bool], Convert] = cache(_make_writer)


def _fields_writer(kind: Any, named: bool) -> Convert:
    parts = [(each.name, each.called, each.spare) for each in _fields_of(kind)]

    def write_row(value: Any) -> list[Any]:
        row = [getattr(value, name) for name, _, _ in parts]
        return [part if type(part) in _PLAIN else _writer(type(part), False)(part) for part in row]

    def write_object(value: Any) -> dict[str, Any]:
        written = {}
        for name, called, spare in parts:
            part = getattr(value, name)
            if part or not spare:
                written[called] = _writer(type(part), named)(part)
        return written

    return write_row if kind is Span or (not named and issubclass(kind, _ROWS)) else write_object


def _write_call(call: ToolCall) -> dict[str, Any]:
    """The arguments as they are passed, and beside them where each comes from."""
    provenance = {each.name: to_json(each.provenance) for each in call.arguments}
    return {"tool_name": call.tool_name, "parameters": call.parameters, "provenance": provenance}


def _read_call(data: Any) -> ToolCall:
    if not isinstance(data, Mapping) or not isinstance(data.get("tool_name"), str):
        raise WireError("must be an object with a tool_name")
    origins = read_mapping(data.get("provenance") or {})
    arguments = [
        Argument(name, value, from_json(Provenance, origins.get(name) or _CONVERSATION, f".provenance.{name}"))
        for name, value in read_mapping(data.get("parameters") or {}).items()
    ]
    return ToolCall(data["tool_name"], tuple(arguments))


def _fields_reader(kind: Any) -> Convert:
    parts = [
        (each.name, each.called, _reader(each.kind), each.needed, NoneType in get_args(each.kind))
        for each in _fields_of(kind)
    ]
    names, readers = [part[1] for part in parts], [part[2] for part in parts]
    is_row = issubclass(kind, _ROWS)

    def read(data: Any) -> Any:
        if type(data) is list and is_row:
            try:
                return kind(*[read_part(value) for read_part, value in zip(readers, data, strict=False)])
            except (WireError, TypeError):
                data = dict(zip(names, data, strict=False))  # by name, which knows what may be left out
        if not isinstance(data, Mapping):
            raise WireError("must be an object")
        found = {}
        for name, called, read_part, needed, may_be_nothing in parts:
            value = data.get(called)
            if not value and not needed and type(value) not in _SAYS_SOMETHING:
                continue  # the default
            if value is None and not may_be_nothing:
                raise WireError("is missing", f".{called}")
            try:
                found[name] = read_part(value)
            except WireError as error:
                raise error.within(f".{called}") from None
        return kind(**found)

    return read


def _either(kinds: tuple[Any, ...]) -> Convert:
    read_first = _reader(kinds[0])
    rest = kinds[1:]
    return lambda value: value if isinstance(value, rest) else read_first(value)


def _list_of(kind: Any, *more: Any) -> Convert:
    """Of any length, or (of two types and more) of that many."""
    read_one, length = _reader(kind), None if Ellipsis in more else 1 + len(more)

    def read(value: Any) -> Any:
        if not isinstance(value, list) or length not in (None, len(value)):
            raise WireError("must be a list" if length is None else f"must be a list of {length}")
        try:
            return tuple([read_one(each) for each in value])
        except WireError:  # which one it was takes time to count along
            return tuple([from_json(kind, each, f"[{place}]") for place, each in enumerate(value, 1)])

    return read


_SHAPES: Mapping[Any, Callable[..., Convert]] = {
    UnionType: lambda *kinds: _either(kinds),
    Literal: lambda *allowed: one_of({each: each for each in allowed}),
    tuple: _list_of,
    Mapping: lambda *_: read_mapping,
}


def _make_reader(kind: Any) -> Convert:
    if kind in PLAIN_READERS:
        return PLAIN_READERS[kind]
    if kind is ToolCall:
        return _read_call
    if shape := _SHAPES.get(get_origin(kind)):
        return shape(*get_args(kind))
    if isinstance(kind, enum.EnumMeta):
        return one_of(kind._value2member_map_)
    return _fields_reader(kind) if _has_fields(kind) else lambda value: value


_reader: Callable[[Any], Convert] = cache(_make_reader)
