"""One event of a streamed answer, checked by its types.

What the answer is made of (text, calls) must fit, or the answer is unreadable. What only stands beside it (counts of
tokens, probabilities) is left out where it does not.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from llm.trace import LaneError

_MOST_CALLS = 100_000
_MOST_TOKENS = 1_000_000_000
_LEAST_LOG_PROBABILITY = -100_000.0
_ROUNDING = 0.001
"""By which a probability may pass one."""


class _Checked(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", hide_input_in_errors=True)


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


def _object(value: Any) -> Any:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> Any:
    return [] if value is None else value


def _log_probabilities(value: Any) -> tuple[float, ...] | None:
    """None: one of them is no logarithm of a probability, so that none is to be trusted."""
    entries = _object(value).get("content") or []
    if not isinstance(entries, list):
        return None
    found = [_object(entry).get("logprob") for entry in entries]
    if not all(type(each) in (int, float) and _LEAST_LOG_PROBABILITY <= each <= _ROUNDING for each in found):
        return None
    return tuple(min(float(each), 0.0) for each in found)


class FunctionPart(_Checked):
    name: str | None = None
    arguments: str | None = None


class CallPart(_Checked):
    index: Annotated[int, Field(ge=0, lt=_MOST_CALLS)] | None = None
    function: FunctionPart | None = None


class Delta(_Checked):
    content: str | None = None
    tool_calls: Annotated[list[CallPart], BeforeValidator(_list)] = []


class ChunkChoice(_Checked):
    delta: Annotated[Delta, BeforeValidator(lambda value: {} if value is None else value)] = Field(
        default_factory=Delta
    )
    finish_reason: str | None = None
    logprobs: Annotated[tuple[float, ...] | None, BeforeValidator(_log_probabilities)] = ()


class Usage(_Checked):
    prompt_tokens: Annotated[int | None, BeforeValidator(_count)] = None
    completion_tokens: Annotated[int | None, BeforeValidator(_count)] = None


class Chunk(_Checked):
    choices: Annotated[list[ChunkChoice], BeforeValidator(_list)] = []
    usage: Annotated[Usage, BeforeValidator(_object)] = Field(default_factory=Usage)


def read_chunk(data: object) -> Chunk:
    try:
        return Chunk.model_validate(data)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
        problem = f"'{where}' is not what belongs there" if where else "it has another form"
        raise LaneError("unreadable", f"The model's answer could not be read: {problem}.") from None
