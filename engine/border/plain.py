"""What JSON has to be to be read as one simple value, and the error that says where it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from engine.values import Id

Convert = Callable[[Any], Any]


class WireError(ValueError):
    """Something that cannot be read, in words for whoever wrote it, with its place: "tasks[2].title is missing"."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(f"{path.lstrip('.')} {problem}" if path else problem)
        self._problem, self._path = problem, path

    def within(self, place: str) -> WireError:
        return WireError(self._problem, f"{place}{self._path}")


def one_of(meant: Mapping[Any, Any]) -> Convert:
    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in meant:
            raise WireError(f"must be one of {', '.join(meant)}, not {value!r}")
        return meant[value]

    return read


def _plain(problem: str, *kinds: type) -> Convert:
    def read(value: Any) -> Any:
        if type(value) not in kinds:
            raise WireError(problem)
        return value

    return read


def read_mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise WireError("must be an object")
    return dict(value)


def _read_id(value: Any) -> str:
    if not isinstance(value, str | int):
        raise WireError("must be an id")
    return str(value)


def _read_time(value: Any) -> datetime:
    try:
        return value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise WireError(f"must be an ISO time, not {value!r}") from None


PLAIN_READERS: Mapping[Any, Convert] = {
    str: _plain("must be a text", str),
    int: _plain("must be a whole number", int),
    float: _plain("must be a number", int, float),
    bool: _plain("must be true or false", bool),
    Id: _read_id,
    datetime: _read_time,
}
