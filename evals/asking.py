"""Asking a decider, whichever it is: the decision, how long it took, what it used. Compare and Evaluate share it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from domains.loading import load_domain
from engine.decision import Context, Decider, Decision
from engine.domain import Domain
from engine.outcome.routing import Driver, needs_llm, route, route_at_once
from evals.answers import TimedDecision, read_answer
from llm.decider import LLMDecider, policy_of
from llm.patience import Cancel
from llm.trace import LLMTrace

AT_ONCE = 4
"""Requests to one endpoint; more would mostly queue there, each with its clock running."""
CostOf = Callable[[LLMTrace], float | None]


def no_price(_trace: LLMTrace) -> float | None:
    """For whoever does not ask what it costs."""
    return None


class DriverDecider:
    """Both lanes as they drive a chat together: weighed, or the LLM guarded by the engine. What is decided is what
    would be carried out."""

    def __init__(self, driver: Driver, engine: Decider, llm: LLMDecider, domain: Domain | None = None) -> None:
        self._driver, self._engine, self._llm = driver, engine, llm
        self._domain = domain or load_domain()

    def decide(self, text: str, context: Context) -> Decision:
        return self.ask(text, context)[0]

    def ask(self, text: str, context: Context, cancel: Cancel | None = None) -> tuple[Decision, LLMTrace | None]:
        """The decision, and the exchange with the LLM where it was needed."""
        engine = self._engine.decide(text, context)
        asked = context.pending is not None
        if not needs_llm(self._driver, engine, self._domain.catalogue, asked=asked):
            return route_at_once(self._driver, engine, asked=asked).decision, None
        turn = self._llm.ask(text, context, cancel=cancel)
        policy = policy_of(self._engine, text, context, self._domain)
        routing = route(self._driver, engine, turn.decision, policy, context)
        return routing.decision, turn.trace


@dataclass(frozen=True, slots=True)
class Entrant:
    """A decider under the name that it has in the table."""

    name: str
    decider: Decider
    at_once: int = AT_ONCE
    driver: Driver | None = None
    """Who drives where whole conversations are played; None: this decider cannot."""

    @property
    def slow(self) -> bool:
        """Whether it waits for a model, so that several messages are asked about at once."""
        return isinstance(self.decider, LLMDecider | DriverDecider)


def ask(entrant: Entrant, text: str, context: Context, cancel: Cancel, cost_of: CostOf) -> TimedDecision:
    """Raises what a decider with a bug raises; an endpoint that fails is a decision that says so."""
    began = time.perf_counter()
    if isinstance(entrant.decider, LLMDecider):
        turn = entrant.decider.ask(text, context, cancel=cancel)
        return read_answer(turn.decision, turn.trace.total_ms, turn.trace, cost_of(turn.trace))
    if isinstance(entrant.decider, DriverDecider):
        decision, trace = entrant.decider.ask(text, context, cancel)
        cost = cost_of(trace) if trace else None
        return read_answer(decision, (time.perf_counter() - began) * 1000, trace, cost)
    decision = entrant.decider.decide(text, context)
    return read_answer(decision, (time.perf_counter() - began) * 1000)
