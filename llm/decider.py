"""LLM function calling as a decider: the same question as the engine's, the same kind of answer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from domains.deciders import make_decider
from domains.loading import load_domain
from engine.completing.values import ComposerSettings
from engine.decider import RuleDecider
from engine.decision import Context, Decider, Decision
from engine.domain import Domain
from engine.policy.loading import Policy
from engine.text.language import detect_language
from engine.text.normalise import TEXT_LIMIT
from llm.border.client import load_sdk, make_client
from llm.border.whole_text import whole
from llm.calibration import find_hesitation, state_confidence
from llm.calls import ReadAnswer, read_answer
from llm.conclude import ask_in_doubt, conclude, unavailable
from llm.embedded import START_LIMIT_SECONDS
from llm.endpoint import Endpoint
from llm.locating import locate, make_endpoint
from llm.model_queue import Wait, queue_for
from llm.patience import Breaker, Cancel, Timer, with_retries
from llm.prompt import make_request
from llm.rounds import add_rounds
from llm.shared_server import is_starting
from llm.telling_operators import tell_operators
from llm.trace import LaneError, LLMTrace, LLMTurn, ModelAnswer, Path, Round, TraceOutcome
from llm.transport import OnText, exchange
from llm.warming import choose_path, is_raw
from telemetry import spans

_log = logging.getLogger(__name__)
_OPTIONAL = ("logprobs", "temperature")
"""Some endpoints refuse these; the answer is worth more than they are."""
_PAUSE_SECONDS = 0.5
_LOOK_SECONDS = 0.1


@cache
def breaker_for(name: str, model: str) -> Breaker:
    """One for all sessions: an endpoint that is down is down for everybody."""
    return Breaker()


@dataclass(slots=True)
class _Exchange:
    """What is known of an exchange so far; a failure in the middle keeps it."""

    endpoint: Endpoint
    path: Path
    request: Mapping[str, Any]
    attempts: list[str]
    started: float
    rounds: tuple[Round, ...] = ()
    spent: float = 0.0
    """Seconds of the turn's limit that were gone before."""
    loading: float = 0.0
    """Seconds that the embedded model took to get ready: they are no part of the limit."""
    wait: Wait | None = None
    timer: Timer | None = None
    queues: bool = False
    """Whether it stands in the queue of chats, which ends by itself what takes too long there."""

    def run_timer(self) -> None:
        if self.timer and not self.queues:
            self.timer.act()

    @property
    def left(self) -> float:
        gone = self.spent + (time.monotonic() - self.started) - self.loading
        return max(0.0, self.endpoint.timeout_seconds - gone)


class LLMDecider:
    """A Decider over one endpoint; None asks for the one of the settings at every turn."""

    def __init__(
        self,
        endpoint: Endpoint | None = None,
        *,
        breaker: Breaker | None = None,
        pause_seconds: float = _PAUSE_SECONDS,
        composer: ComposerSettings = ComposerSettings(enabled=False),  # noqa: B008 - frozen
        domain: Domain | None = None,
        engine: Decider | None = None,
    ) -> None:
        """`composer`: whether incomplete calls are completed, and from which confidence on; off: they are broken.
        `engine`: the engine lane beside it. Both resolve by its very policy and thresholds; None: by the domain's."""
        self._endpoint, self._breaker, self._pause_seconds = endpoint, breaker, pause_seconds
        self._composer = composer
        self._domain = domain or load_domain()
        self._engine = engine or make_decider(self._domain)

    def decide(self, text: str, context: Context) -> Decision:
        return self.ask(text, context).decision

    def is_getting_ready(self) -> bool:
        """Whether it would ask the embedded model, and that cannot answer yet."""
        try:
            endpoint = self._endpoint or make_endpoint()
        except LaneError:
            return False
        return endpoint.kind == "embedded" and is_starting()

    def is_busy(self, seconds: float) -> bool:
        """Whether a turn of a chat would wait longer than this for its turn at the model."""
        try:
            return queue_for(self._endpoint or make_endpoint()).expected_seconds() > seconds
        except LaneError:
            return False

    def is_slow(self, seconds: float) -> bool:
        """Whether its answers took chats longer than this lately."""
        try:
            return queue_for(self._endpoint or make_endpoint()).lately_seconds() > seconds
        except LaneError:
            return False

    def ask(
        self,
        text: str,
        context: Context,
        on_text: OnText | None = None,
        cancel: Cancel | None = None,
        rounds: tuple[Round, ...] = (),
        began: float | None = None,
        wait: Wait | None = None,
        timer: Timer | None = None,
    ) -> LLMTurn:
        """The decision and the exchange behind it. `on_text` is called, in this thread, as the answer arrives;
        on the schema path that is JSON. The thread must not run an event loop of its own. `rounds` holds what
        the model called before in this turn, with the results; `began` when the turn did, by the monotonic clock: its
        time limit counts from there. `wait`: how it stands in the queue of chats; None: it asks at once. `timer`:
        what is done meanwhile where the answer takes long.

        Never raises for what an endpoint does: a failure is a decision that says so, with its trace.
        """
        text = whole(text)
        policy = policy_of(self._engine, text, context, self._domain)
        now = time.monotonic()
        state = _Exchange(
            Endpoint("custom", "", ""),
            "tools",
            {},
            [],
            now,
            rounds,
            spent=0.0 if began is None else now - began,
            wait=wait,
            timer=timer,
        )
        try:
            state.endpoint = self._endpoint or make_endpoint()
            _check_text(text)
            load_sdk()
            state.started = time.monotonic()  # nobody's patience is spent on that
        except LaneError as error:
            return _failed(error, state, policy)
        with spans.chat(state.endpoint.kind, state.endpoint.model, state.endpoint.base_url) as span:
            asked = self._ask(text, context, policy, state, on_text, cancel or Cancel())
            tell_operators(asked.trace, state.endpoint, span)
        return asked

    def _ask(
        self, text: str, context: Context, policy: Policy, state: _Exchange, on_text: OnText | None, cancel: Cancel
    ) -> LLMTurn:
        try:
            answer = asyncio.run(self._converse(text, context, policy, state, on_text, cancel))
        except LaneError as error:
            return _failed(error, state, policy)
        try:
            return _turn(answer, text, context, policy, state, self._composer, self._domain, self._engine)
        except Exception:  # what a model wrote may end its own turn, and nothing else
            _log.exception("An answer of the model could not be used")
            return _failed(LaneError("unreadable", "The model's answer could not be used."), state, policy)

    async def _converse(
        self, text: str, context: Context, policy: Policy, state: _Exchange, on_text: OnText | None, cancel: Cancel
    ) -> ModelAnswer:
        breaker = self._breaker or breaker_for(state.endpoint.name, state.endpoint.model)
        began = breaker.check()
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        cancel.attach(lambda: loop.call_soon_threadsafe(task.cancel) if task else None)
        timer = loop.call_later(state.timer.seconds, state.run_timer) if state.timer else None
        failure: LaneError | None = LaneError("cancelled", "The request was cancelled.")
        try:
            answer = await self._try(text, context, policy, state, on_text)
            failure = None
        except LaneError as error:
            failure = error
            raise
        except asyncio.CancelledError:
            if not cancel.cancelled or failure is None:
                raise
            raise failure from None
        else:
            return answer
        finally:
            cancel.detach()
            if timer:
                timer.cancel()
            breaker.record(failure, began)

    async def _try(
        self, text: str, context: Context, policy: Policy, state: _Exchange, on_text: OnText | None
    ) -> ModelAnswer:
        if state.left <= 0:
            raise LaneError("timeout", f"The turn's {state.endpoint.timeout_seconds:.3g} seconds are over.")

        async def attempt() -> ModelAnswer:
            here = await _locate_again(state)
            state.path = await choose_path(here, state.left)
            request = make_request(text, context, here, state.path, self._domain, policy)
            request = add_rounds(request, state.rounds, state.path)
            async with make_client(here, state.left) as client:
                return await _exchange_leniently(client, request, state, on_text)

        began = time.monotonic()
        # Waits here for a model that loads. How long it has to answer counts from when it can.
        await asyncio.to_thread(locate, state.endpoint, max(state.left, START_LIMIT_SECONDS))
        state.loading = time.monotonic() - began
        state.queues = True
        async with _place(state):
            state.queues = False
            return await with_retries(attempt, state.left, state.attempts, self._pause_seconds)


def _place(state: _Exchange) -> AbstractAsyncContextManager[None]:
    """At the model, where chats stand in a queue for it."""
    if state.wait is None:
        return nullcontext()
    seconds = state.left if state.wait.seconds is None else min(state.wait.seconds, state.left)
    return queue_for(state.endpoint).place(seconds, first=state.wait.first)


async def _locate_again(state: _Exchange) -> Endpoint:
    """Where the endpoint is now. A model that died a moment ago, and whose death nobody had noticed yet, is back soon:
    that is waited for, as long as the turn lasts."""
    while True:
        try:
            return locate(state.endpoint, 0)
        except LaneError as error:
            if not error.retry or state.left <= _LOOK_SECONDS:
                raise
        await asyncio.sleep(_LOOK_SECONDS)


async def _exchange_leniently(
    client: Any, request: dict[str, Any], state: _Exchange, on_text: OnText | None
) -> ModelAnswer:
    raw = is_raw(state.endpoint, state.path)
    for name in _OPTIONAL:
        state.request = dict(request)
        try:
            return await exchange(client, request, on_text, raw=raw)
        except LaneError as error:
            if error.kind != "request":
                raise
            request.pop(name, None)
    state.request = dict(request)
    return await exchange(client, request, on_text, raw=raw)


def policy_of(engine: Decider, text: str, context: Context, domain: Domain) -> Policy:
    """The engine's own for this message; a domain's with a reading of its own says sentences and thresholds."""
    if isinstance(engine, RuleDecider):
        return engine.policy_of(text, context)
    return domain.policies[detect_language(text, context, domain.small_words)]


def _failed(error: LaneError, state: _Exchange, policy: Policy) -> LLMTurn:
    trace = _trace(state, "failed", failure=error.kind, problem=error.sentence)
    return LLMTurn(unavailable(error.sentence, policy), trace)


def _check_text(text: str) -> None:
    if not text.strip():
        raise LaneError("request", "The message is empty; the model was not asked.")
    if len(text) > TEXT_LIMIT:
        raise LaneError("request", f"The message has over {TEXT_LIMIT} characters; the model was not asked.")


def _turn(
    answer: ModelAnswer,
    text: str,
    context: Context,
    policy: Policy,
    state: _Exchange,
    composer: ComposerSettings,
    domain: Domain,
    engine: Decider,
) -> LLMTurn:
    embedded = is_raw(state.endpoint, state.path)
    read = read_answer(answer, state.path, text, context, policy.language, composer, domain, copied=embedded)
    stated = state_confidence(answer.log_probabilities, embedded=embedded) if read.calls else None
    decision = conclude(read, text, context, policy, stated, domain, composer, engine)
    hesitated = find_hesitation(answer, embedded=embedded) if domain.conduct is None else None
    decision = decision if hesitated is None else ask_in_doubt(decision, hesitated, policy, context)
    trace = _trace(state, _outcome(read), answer=replace(answer, calls=read.raw), broken=read.broken)
    called = bool(read.calls or read.asking)
    problem = read.broken[0].message if read.broken else "" if called else "The model asked for no tool."
    source = stated.source if stated else ""
    trace = replace(trace, problem=problem, confidence_source=source, composer=read.notes)
    return LLMTurn(replace(decision, elapsed_ms=trace.total_ms), trace)


def conclude_again(
    trace: LLMTrace, text: str, context: Context, composer: ComposerSettings, domain: Domain | None = None
) -> LLMTurn:
    """What the same answer of the model comes to under other composer settings. The model is not asked."""
    if trace.outcome == "failed":
        raise ValueError("there was no answer to read again")
    domain = domain or load_domain()
    engine = make_decider(domain)
    policy = policy_of(engine, text, context, domain)
    answer = trace.answer if trace.path == "tools" else replace(trace.answer, calls=())
    endpoint = Endpoint("embedded" if trace.endpoint == "embedded" else "custom", "", trace.model)
    state = _Exchange(endpoint, trace.path, trace.request, [], time.monotonic())
    return _turn(answer, text, context, policy, state, composer, domain, engine)


def _outcome(read: ReadAnswer) -> TraceOutcome:
    return "broken_call" if read.broken else "valid_call" if read.calls or read.asking else "no_call"


def _trace(state: _Exchange, outcome: TraceOutcome, **more: Any) -> LLMTrace:
    return LLMTrace(
        endpoint=state.endpoint.name,
        model=state.endpoint.model,
        path=state.path,
        request=state.request,
        outcome=outcome,
        attempts=tuple(state.attempts),
        total_ms=round((time.monotonic() - state.started) * 1000, 1),
        **more,
    )
