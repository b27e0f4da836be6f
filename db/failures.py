"""How the store says no: values for the caller, raised inside, converted at one border (`db.executor`)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.values import ErrorKind, Task


class ToolFailure(Exception):  # noqa: N818 - a user's mistake, not an error of the program
    """A call that cannot be carried out, with a sentence for people and the tasks it may have meant."""

    def __init__(self, kind: ErrorKind, message: str, suggestions: Sequence[Task] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.suggestions = tuple(suggestions)


class StoreUnavailableError(Exception):
    """The database cannot be used now: missing, locked for too long, read-only, full, damaged or newer."""


class ConnectionLostError(StoreUnavailableError):
    """The server was gone in the middle, and nothing was kept: the same can be done again from its start."""


class NewerDatabaseError(StoreUnavailableError):
    """The database was written by a later version of Twolane."""
