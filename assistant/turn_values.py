"""What a turn is made of while it runs. What remains of it is in the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from db.reach import Reach
from db.turns.turns import StoredTurn
from engine.decider import RuleDecider
from engine.decision import Choice, Context, Decider, Decision, Pending
from engine.domain import Catalogue, Domain
from engine.outcome.router import ROUTER, Router
from engine.outcome.routes import Route
from engine.outcome.routing import Driver, Lane
from engine.policy.loading import Policy
from engine.values import ToolCall, ToolResult
from llm.trace import LLMTrace, Round
from telemetry.spans import Here

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
    router: Router = ROUTER
    """Weighs the two, where they drive together."""
    patient: bool = True
    """Whether a turn waits for a model that is still getting ready; in a chat the engine answers meanwhile."""
    wait_seconds: float | None = None
    """How long a turn of a chat waits for the model, in its queue and for its answer, where nobody chose to wait for
    it; None: no chat."""


class SaidAgainError(Exception):
    """The words of a turn that was cut off are said once more."""

    def __init__(self, turn: StoredTurn) -> None:
        super().__init__()
        self.turn = turn


class TurnInProgressError(Exception):
    """The conversation's last turn still waits for the LLM that drives it."""


class TurnTakenOverError(Exception):
    """The turn came to its end, or was gone on with, elsewhere. Nothing more is done about it here."""


class TurnCutOffError(Exception):
    """A message is said again that was cut off, and what was done of it cannot be taken back any more."""

    def __init__(self, reply: str) -> None:
        super().__init__(
            f"This message was cut off when a part of it was done, and that was changed since. It had come to this: "
            f"{reply} Please say in other words what is left to do."
        )


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
class LLMProgress:
    """How far an LLM has come with a turn: kept with it in the transaction of each round, so that whoever goes on after
    a crash knows what was done, and nothing is done twice."""

    route: Route
    first: Decision
    """What the LLM decided before it saw a result."""
    traces: tuple[LLMTrace, ...]
    """Every exchange."""
    rounds: tuple[tuple[Executed, ...], ...]
    """What was done after each."""
    reply: str
    offers: tuple[Choice, ...] = ()

    @property
    def executed(self) -> tuple[Executed, ...]:
        return tuple(each for one in self.rounds for each in one)

    @property
    def told(self) -> tuple[Round, ...]:
        """The same as the model reads it: its calls and what came of them."""
        return tuple(_tell(trace, done) for trace, done in zip(self.traces, self.rounds, strict=True))


def _tell(trace: LLMTrace, executed: tuple[Executed, ...]) -> Round:
    calls = trace.answer.calls[: len(executed)]
    return Round(calls, tuple(each.result.payload for each in executed[: len(calls)]))


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
    so_far: LLMProgress | None = None
    """What was done before the turn was cut off, where it is gone on with."""
    place: Here | None = field(default=None, repr=False)
    """Where in a trace it belongs: the LLM's part is asked in another thread."""
    began: float = field(default_factory=time.monotonic)
    revision: int | None = None
    """Of the conversation, when the message was read."""
    without_llm: Route | None = None
    """Why it does not wait for the LLM, although its driver would: that is loading, busy with others, or slow."""

    @property
    def policy(self) -> Policy:
        """Whose sentences are said: those that the engine read the message under."""
        if isinstance(self.lanes.engine, RuleDecider):
            return self.lanes.engine.policy_for(self.engine.language)
        return self.domain.policies[self.engine.language or self.domain.languages[0]]


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
        if self.pending is None:
            return self.named
        target = catalogue.target_of(self.pending.call)
        return tuple(dict.fromkeys((*self.named, *self.pending.options, *([target] if target else []))))

    @property
    def named(self) -> tuple[str, ...]:
        """What was done something to."""
        return tuple(dict.fromkeys(task_id for each in self.executed for task_id in each.task_ids))


@dataclass(frozen=True, slots=True)
class Settled:
    """Who acted, and what was exchanged with the LLM for it."""

    lane: Lane
    traces: tuple[LLMTrace, ...] = ()
    words: str = ""
    """What the model said once it knew the results."""
