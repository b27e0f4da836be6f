"""What this door offers beside the catalogue, as signatures like the catalogue's: engine, composer, the second yes."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Protocol

from annotated_types import MaxLen, MinLen
from typing_extensions import TypedDict  # pydantic refuses the one of typing before Python 3.12

from engine.decision import Action
from engine.domain import read_catalogue, tool
from engine.text.normalise import TEXT_LIMIT

HISTORY_LIMIT = 50

MessageText = Annotated[str, MaxLen(TEXT_LIMIT)]
DomainName = Annotated[str, MinLen(1), MaxLen(40)]
Code = Annotated[str, MinLen(1), MaxLen(80)]


class SaidMessage(TypedDict):
    """One earlier message of the conversation."""

    role: Literal["user", "assistant"]
    content: MessageText
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


class FunctionCall(TypedDict):
    """A call as a model made it; arguments may be missing."""

    name: Annotated[str, MinLen(1), MaxLen(80)]
    arguments: NotRequired[dict[str, Any]]


class CompositionResult(TypedDict):
    """The composer's answer in the form of `python -m engine compose`; `outcome` is its status there."""

    status: Literal["success", "error"]
    outcome: NotRequired[Literal["completed", "needs_clarification", "failed"]]
    reason: NotRequired[str]
    message: NotRequired[str]
    composed_input: NotRequired[dict[str, Any]]
    calls: NotRequired[list[dict[str, Any]]]
    """Each with its parameters and the provenance of every one."""
    suggestions: NotRequired[list[dict[str, Any]]]
    confidence: NotRequired[float]
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
    @tool(intent="decide", effect="read")
    def decide(
        self,
        message: MessageText,
        history: History | None = None,
        pending: dict[str, Any] | None = None,
        domain: DomainName | None = None,
    ) -> DecisionResult:
        """Say what the rule-based engine would do with a message, on the user's tasks as they are. Changes nothing.

        Args:
            message: What the user said, in English or Italian.
            history: The messages before it, oldest first.
            pending: The question that waits for an answer, as the last decision gave it.
            domain: What the message is about, for example machines; tasks if left out.
        """
        ...

    @tool(intent="compose", effect="read")
    def compose(
        self,
        user_message: MessageText,
        function_call: FunctionCall | None = None,
        conversation_history: History | None = None,
    ) -> CompositionResult:
        """Complete a call that has arguments missing, from the user's words and what exists. Carries nothing out.

        Args:
            user_message: What the user said, in English or Italian.
            function_call: The call as it is so far; left out, the words alone say which tool is meant.
            conversation_history: The messages before it, oldest first.
        """
        ...

    @tool(intent="confirm_call", effect="remove")
    def confirm_call(self, confirmation: Code) -> ConfirmedResult:
        """Carry out a call that was held back, such as a deletion. Only after the user has said yes to it.

        Args:
            confirmation: The confirmation from the result of the call that was held back. Works once, for a short time.
        """
        ...


OWN_CATALOGUE = read_catalogue(DoorTools)
OWN_TOOLS: tuple[str, ...] = tuple(OWN_CATALOGUE.by_name)
