"""Named tuples, made quickly; and what is made once of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

Kind = TypeVar("Kind", bound=tuple[Any, ...])

if TYPE_CHECKING:
    from functools import cached_property

    made_once = cached_property
else:

    class made_once:  # noqa: N801 - used like `property`
        """As `cached_property`, without the lock that its first look takes: most of these are made for each message."""

        def __init__(self, make: Callable[[Any], Any]) -> None:
            self._make, self._name, self.__doc__ = make, make.__name__, make.__doc__

        def __get__(self, owner: Any, kind: type | None = None) -> Any:
            if owner is None:
                return self
            made = owner.__dict__[self._name] = self._make(owner)
            return made


def maker(kind: type[Kind]) -> Callable[[tuple[Any, ...]], Kind]:
    """Makes such a named tuple of a tuple of all its fields, in a third of the time that calling the class takes.

    For what is made by the dozen for each message; all else is better made by its class, which knows its fields.
    """
    return partial(tuple.__new__, kind)
