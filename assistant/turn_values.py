"""What a turn is made of while it runs. What remains of it is in the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from db.reach import Reach
from engine.decider import RuleDecider
from engine.decision import Choice, Context, Decider, Decision, Pending
from engine.domain import Catalogue, Domain
from engine.outcome.routing import Driver, Lane
from engine.policy.loading import Policy
from engine.values import ToolCall, ToolResult
from llm.trace import LLMTrace

if TYPE_CHECKING:
    from llm.decider import LLMDecider  # late: it takes a second, and who plays with the engine alone needs none

_LISTS = ("tasks", "machines", "items")
_ID = "_id"
"""What a result is about stands in it under a name that ends so."""
_KEPT_TASKS = 50
"""Of a list, this many are kept with the turn."""


def _no_price(_trace: LLMTrace) -> float | None:
    return None


@dataclass(frozen=True, slots=True)
class Lanes:
    """Who is asked in a turn."""

    engine: Decider
    llm: LLMDecider | None = None
    """None: the lane is off."""
    cost_of: Callable[[LLMTrace], float | None] = _no_price


class TurnInProgressError(Exception):
    """The conversation's last turn still waits for the LLM that drives it."""


class TurnNotRecordedError(Exception):
    """The calls were carried out, but the store was away when the turn itself should have been kept."""

    def __init__(self, reply: str) -> None:
        super().__init__(f"{reply} This turn could not be added to the conversation: the database is busy.")


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn whose LLM part is still to come."""

    id: str
    conversation_id: str
    text: str
    driver: Driver
    lanes: Lanes
    context: Context
    index: Reach
    domain: Domain
    engine: Decision
    waits: bool
    """Whether nothing was done yet, because the LLM decides first."""
    snapshot: ExitStack = field(repr=False)
    """Holds the tasks as they were when the message came: the engine may change them before the LLM answers."""

    @property
    def policy(self) -> Policy:
        """Whose sentences are said: those that the engine read the message under."""
        if isinstance(self.lanes.engine, RuleDecider):
            return self.lanes.engine.policy_for(self.engine.language)
        return self.domain.policies[self.engine.language or self.domain.languages[0]]


@dataclass(frozen=True, slots=True)
class Executed:
    """A call that was carried out, or was tried."""

    call: ToolCall
    result: ToolResult

    @property
    def task_ids(self) -> tuple[str, ...]:
        """What it names, in order."""
        for name in _LISTS:
            listed = self.result.payload.get(name)
            if isinstance(listed, list):
                return tuple(each["id"] for each in listed)
        named = next((value for name, value in self.result.payload.items() if name.endswith(_ID) and value), None)
        return (str(named),) if named else ()

    @property
    def record(self) -> dict[str, Any]:
        """For the store: which call, what came of it, and where its change can be undone."""
        payload: Mapping[str, Any] = self.result.payload
        long = {name: each[:_KEPT_TASKS] for name in _LISTS if isinstance(each := payload.get(name), list)}
        payload = {**payload, **long}
        changed = bool(payload.get("changed")) and self.result.ok
        return {
            "tool_name": self.call.tool_name,
            "parameters": self.call.parameters,
            "payload": dict(payload),
            "error": str(self.result.error) if self.result.error else None,
            "audit_id": self.result.audit_id if changed else None,
        }


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a decision."""

    executed: tuple[Executed, ...] = ()
    reply: str = ""
    pending: Pending | None = None
    offers: tuple[Choice, ...] = ()
    """What people often do next."""

    def task_ids(self, catalogue: Catalogue) -> tuple[str, ...]:
        """What the reply names, in the order named: what was done first, then what is asked about."""
        named = [task_id for each in self.executed for task_id in each.task_ids]
        if self.pending:
            target = catalogue.target_of(self.pending.call)
            named += [*self.pending.options, *([target] if target else [])]
        return tuple(dict.fromkeys(named))


@dataclass(frozen=True, slots=True)
class Settled:
    """Who acted, and what was exchanged with the LLM for it."""

    lane: Lane
    traces: tuple[LLMTrace, ...] = ()
    words: str = ""
    """What the model said once it knew the results."""
