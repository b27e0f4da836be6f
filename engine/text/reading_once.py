"""What is read of a message, or of a part of it, is read once: what judges it, its clauses and what doubts that ask for
the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar

from engine.text.normalise import Utterance

_Others = ParamSpec("_Others")
_Read = TypeVar("_Read")


def once_a_message(
    read: Callable[Concatenate[Utterance, _Others], _Read],
) -> Callable[Concatenate[Utterance, _Others], _Read]:
    """Kept with the message as long as it is decided (`Utterance.readings`), for the very values that it was read with.
    Its parts are kept there as well: whoever cuts one out again gets the same."""

    def read_once(utterance: Utterance, /, *others: _Others.args, **named: _Others.kwargs) -> _Read:
        kept = utterance.readings
        if kept is None:
            return read(utterance, *others, **named)
        key = (read, id(utterance), *map(id, others), *[(name, id(each)) for name, each in named.items()])
        known: Any = kept.get(key)
        if known is None:
            # With what it was read of, so that nothing else gets the same id meanwhile.
            known = kept[key] = (read(utterance, *others, **named), others, named)
        found: _Read = known[0]
        return found

    update_wrapper(read_once, read)
    return read_once
