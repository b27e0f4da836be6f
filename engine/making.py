"""Named tuples, made quickly."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

Kind = TypeVar("Kind", bound=tuple[Any, ...])


def maker(kind: type[Kind]) -> Callable[[tuple[Any, ...]], Kind]:
    """Makes such a named tuple of a tuple of all its fields, in a third of the time that calling the class takes.

    For what is made by the dozen for each message; all else is better made by its class, which knows its fields.
    """
    return partial(tuple.__new__, kind)
