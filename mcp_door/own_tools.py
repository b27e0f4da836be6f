"""What this door offers beside the catalogue, as signatures like the catalogue's: the engine, and the second yes.

`compose` belongs here too: a signature below, its name in OWN_TOOLS, and its entry in `Caller.own` (callers.py).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Protocol

from annotated_types import MaxLen, MinLen
from typing_extensions import TypedDict  # pydantic refuses the one of typing before Python 3.12

from engine.decision import Action
from engine.normalise import TEXT_LIMIT

HISTORY_LIMIT = 50

Words = Annotated[str, MaxLen(TEXT_LIMIT)]
Code = Annotated[str, MinLen(1), MaxLen(80)]


class SaidMessage(TypedDict):
    """One earlier message of the conversation."""

    role: Literal["user", "assistant"]
    content: Words
    tasks: NotRequired[list[str]]
    """Ids of the tasks that it named, in the order named."""


History = Annotated[list[SaidMessage], MaxLen(HISTORY_LIMIT)]


class DecisionResult(TypedDict):
    """The engine's decision in the form of `python -m engine decide`."""

    status: Literal["success", "error"]
    action: NotRequired[Action]
    intent: NotRequired[str]
    reason: NotRequired[str]
    calls: NotRequired[list[dict[str, Any]]]
    scores: NotRequired[dict[str, float]]
    confidence: NotRequired[float | None]
    ledger: NotRequired[list[dict[str, Any]]]
    message: NotRequired[str]
    pending: NotRequired[dict[str, Any] | None]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class ConfirmedResult(TypedDict):
    """The result of the call that was confirmed, in that tool's own shape."""

    status: Literal["success", "error"]
    task_id: NotRequired[str]
    number: NotRequired[int]
    title: NotRequired[str]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class DoorTools(Protocol):
    def decide(
        self, message: Words, history: History | None = None, pending: dict[str, Any] | None = None
    ) -> DecisionResult:
        """Say what the rule-based engine would do with a message, on the user's tasks as they are. Changes nothing.

        Args:
            message: What the user said, in English or Italian.
            history: The messages before it, oldest first.
            pending: The question that waits for an answer, as the last decision gave it.
        """
        ...

    def confirm_call(self, confirmation: Code) -> ConfirmedResult:
        """Carry out a call that was held back, such as a deletion. Only after the user has said yes to it.

        Args:
            confirmation: The confirmation from the result of the call that was held back. Works once, for a short time.
        """
        ...


OWN_TOOLS: tuple[str, ...] = ("decide", "confirm_call")
READ_ONLY: frozenset[str] = frozenset({"list_tasks", "get_user_info", "decide"})
"""Tools of this door that change nothing; clients may call them without asking their user."""
