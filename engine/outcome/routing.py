"""Which lane acts in a turn, and why. Pure: two decisions in, one of them (or a question about them) out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.catalogue.facts import Catalogue
from engine.decision import Context, Decision, Pending, Reason, Sentence
from engine.outcome.lane_evidence import GUARDS
from engine.outcome.previews import preview_all
from engine.outcome.replies import say
from engine.outcome.router import ROUTER, Router, WeighedChoice
from engine.outcome.routes import Route
from engine.outcome.two_readings import ask_which
from engine.policy.values import Policy
from engine.values import ToolCall, each_once

Driver = Literal["engine", "llm", "router", "engine_first", "llm_guarded"]
"""`engine_first` is what `router` was called while the LLM was asked after the engine; it is read as `router`."""
Lane = Literal["engine", "llm"]
DRIVERS: tuple[Driver, ...] = ("engine", "llm", "router", "engine_first", "llm_guarded")
DEFAULT_DRIVER: Driver = "router"
TOGETHER: tuple[Driver, ...] = ("router", "engine_first")
"""Drivers that weigh both lanes."""

VETOES = GUARDS | {Reason.NOT_ABOUT_TASKS}
"""Why the engine reads no request in a message, whatever kind of thing it speaks of."""


@dataclass(frozen=True, slots=True)
class Routing:
    lane: Lane
    """Who acts."""
    route: Route
    decision: Decision
    """What is carried out: the lane's own decision, or a question in its place."""


def needs_llm(driver: Driver, engine: Decision, catalogue: Catalogue, *, asked: bool, router: Router = ROUTER) -> bool:
    """Whether the turn must wait for the LLM before anything is done. `asked`: a question was open."""
    if _answers(engine, asked):
        return False
    if driver in TOGETHER:
        return not router.acts_at_once(engine, catalogue)
    return driver != "engine"


def route_at_once(driver: Driver, engine: Decision, *, asked: bool) -> Routing:
    """For a turn that does not wait for the LLM."""
    if driver != "engine" and _answers(engine, asked):
        return Routing("engine", Route.ANSWERED, engine)
    return Routing("engine", Route.ENGINE_SURE if driver in TOGETHER else Route.ENGINE_DRIVES, engine)


def go_without_llm(engine: Decision, route: Route) -> Routing:
    """For a turn that would have waited for the LLM. `route`: why it does not."""
    return Routing("engine", route, engine)


def route(
    driver: Driver,
    engine: Decision,
    llm: Decision,
    policy: Policy,
    context: Context,
    router: Router = ROUTER,
) -> Routing:
    """For a turn whose driver waited for the LLM's decision."""
    if llm.reason is Reason.UNAVAILABLE:
        return Routing("engine", Route.LLM_FAILED, engine)
    if llm.reason is Reason.BROKEN_CALL:
        return Routing("engine", Route.LLM_BROKEN, engine)
    if driver in TOGETHER:
        return _weigh(engine, llm, policy, context, router)
    if driver == "llm_guarded":
        return _guard(engine, llm, policy, context)
    return Routing("llm", Route.LLM_DRIVES, llm)


def _weigh(engine: Decision, llm: Decision, policy: Policy, context: Context, router: Router) -> Routing:
    chosen, pending = router.choose(engine, llm, policy.catalogue), context.pending
    if chosen.kind == "both_offered":
        return _offer_both(engine, llm, policy, context, chosen)
    if chosen.kind == "llm_offered" and pending and _asks_again(llm, pending):
        return Routing("engine", Route.NOT_LIKELY, engine)  # "what a day" is no reason to ask the same once more
    if chosen.kind == "llm":
        return Routing("llm", chosen.rule, llm)
    if chosen.kind == "llm_offered":
        why = "unasked_change" if chosen.rule is Route.ONLY_LLM else "lanes_differ"
        return Routing("llm", chosen.rule, ask_first(llm, policy, why, context))
    if chosen.kind == "quiet":
        return Routing("engine", chosen.rule, _stay_quiet(engine, policy))
    if chosen.kind == "engine_offered":
        return Routing("engine", chosen.rule, ask_first(engine, policy, "doubted", context))
    return Routing("engine", chosen.rule, _do_offered(engine) if chosen.kind == "engine_acts" else engine)


def _offer_both(engine: Decision, llm: Decision, policy: Policy, context: Context, chosen: WeighedChoice) -> Routing:
    """The likelier first. What cannot be told apart, or told at all, is the likelier one's question."""
    lane: Lane = "llm" if chosen.llm > chosen.engine else "engine"
    first, second = (llm, engine) if lane == "llm" else (engine, llm)
    which = ask_which(first, second, context, policy)
    if which:
        return Routing(lane, chosen.rule, which)
    asks = first.action != "execute"
    return Routing(lane, Route.LANES_DIFFER, first if asks else ask_first(first, policy, "doubted", context))


def _stay_quiet(engine: Decision, policy: Policy) -> Decision:
    """A reply in place of the engine's question."""
    reason = Reason.NOT_ABOUT_TASKS
    message = say(policy, str(reason))
    sentences = (Sentence("reply", message),)
    return replace(engine, action="reply", reason=reason, calls=(), pending=None, message=message, sentences=sentences)


def _do_offered(engine: Decision) -> Decision:
    """What the engine only asked about, done."""
    if engine.pending is None:
        return engine
    calls = each_once((engine.pending.call, *engine.pending.then))
    confidences = tuple(engine.confidence for _ in calls)
    kept = tuple(each for each in engine.sentences if each.kind == "note")
    return replace(
        engine, action="execute", calls=calls, call_confidences=confidences, pending=None, message="", sentences=kept
    )


def _answers(engine: Decision, asked: bool) -> bool:
    return asked and engine.reason in (Reason.ANSWERED, Reason.CANCELLED)


def _guard(engine: Decision, llm: Decision, policy: Policy, context: Context) -> Routing:
    if not llm.calls:
        return Routing("llm", Route.LLM_APPROVED, llm)
    if engine.reason in VETOES:
        return Routing("engine", Route.ENGINE_VETOED, engine)
    if llm.action == "execute" and _would_differ(engine, llm, policy):
        which = ask_which(llm, engine, context, policy)
        return Routing("llm", Route.ENGINE_DIFFERS, which or ask_first(llm, policy, "lanes_differ", context))
    return Routing("llm", Route.LLM_APPROVED, llm)


def _would_differ(engine: Decision, llm: Decision, policy: Policy) -> bool:
    """Another tool or another target; wordings of a title or a date may differ."""
    if not engine.calls or not any(call.tool_name in policy.catalogue.changing_tools for call in llm.calls):
        return False
    return _aims(engine, policy) != _aims(llm, policy)


def _aims(decision: Decision, policy: Policy) -> list[tuple[str, object]]:
    return [_aim(call, policy) for call in decision.calls]


def _asks_again(llm: Decision, pending: Pending) -> bool:
    asked = [(call.tool_name, call.parameters) for call in (pending.call, *pending.then)]
    return [(call.tool_name, call.parameters) for call in llm.calls] == asked


def _aim(call: ToolCall, policy: Policy) -> tuple[str, object]:
    facts = policy.catalogue.by_name.get(call.tool_name)
    return call.tool_name, call.parameters.get(facts.target) if facts and facts.target else None


def ask_first(decision: Decision, policy: Policy, why: str, context: Context | None = None) -> Decision:
    """The same calls as a question: nothing runs before the user said yes. `why`: the reply that asks. With a context
    the question tells what would be done ("Shall I …?"), where the domain can say that; otherwise the plan stands in it
    as it is."""
    first, rest = decision.calls[0], decision.calls[1:]
    told = preview_all(decision.calls, context, policy) if context else ""
    notes = tuple(each for each in decision.sentences if each.kind == "note") if told else ()
    asked = say(policy, f"offer_{why}", preview=told) if told else say(policy, why, message=decision.message)
    question = " ".join(filter(None, (*(each.text for each in notes), asked.strip())))
    pending = Pending("confirm", decision.intent, first, question=question, then=rest)
    return replace(
        decision,
        action="confirm",
        reason=Reason.NARROW_MARGIN,
        message=question,
        sentences=(Sentence("question", question),),
        pending=pending,
    )
