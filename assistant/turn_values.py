"""What a turn is made of while it runs. What remains of it is in the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from engine.decider import RuleDecider
from engine.decision import Context, Decision, Pending
from engine.outcome.routing import Driver, Lane
from engine.policy.loading import Policy
from engine.targets.recorded_index import RecordingIndex
from engine.values import ToolCall, ToolResult
from llm.decider import LLMDecider
from llm.trace import LLMTrace

_KEPT_TASKS = 50
"""Of a list, this many are kept with the turn."""


def _no_price(_trace: LLMTrace) -> float | None:
    return None


@dataclass(frozen=True, slots=True)
class Lanes:
    """Who is asked in a turn."""

    engine: RuleDecider
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
    index: RecordingIndex
    engine: Decision
    waits: bool
    """Whether nothing was done yet, because the LLM decides first."""
    snapshot: ExitStack = field(repr=False)
    """Holds the tasks as they were when the message came: the engine may change them before the LLM answers."""

    @property
    def policy(self) -> Policy:
        return self.lanes.engine.policy_of(self.text, self.context)


@dataclass(frozen=True, slots=True)
class Executed:
    """A call that was carried out, or was tried."""

    call: ToolCall
    result: ToolResult

    @property
    def task_ids(self) -> tuple[str, ...]:
        """The tasks that it names, in order."""
        tasks = self.result.payload.get("tasks")
        if isinstance(tasks, list):
            return tuple(task["id"] for task in tasks)
        task_id = self.result.payload.get("task_id")
        return (str(task_id),) if task_id else ()

    @property
    def record(self) -> dict[str, Any]:
        """For the store: which call, what came of it, and where its change can be undone."""
        payload: Mapping[str, Any] = self.result.payload
        tasks = payload.get("tasks")
        if isinstance(tasks, list):
            payload = {**payload, "tasks": tasks[:_KEPT_TASKS]}
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

    @property
    def task_ids(self) -> tuple[str, ...]:
        """What the reply names, in the order named: what was done first, then what is asked about."""
        named = [task_id for each in self.executed for task_id in each.task_ids]
        if self.pending:
            target = self.pending.call.parameters.get("task_identifier")
            named += [*self.pending.options, *([str(target)] if target else [])]
        return tuple(dict.fromkeys(named))


@dataclass(frozen=True, slots=True)
class Settled:
    """Who acted, and what was exchanged with the LLM for it."""

    lane: Lane
    traces: tuple[LLMTrace, ...] = ()
    words: str = ""
    """What the model said once it knew the results."""
