"""Which lane acts in a turn, and why. Pure: two decisions in, one of them (or a question about them) out."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Literal

from engine.decision import Decision, Pending, Reason, Sentence
from engine.outcome.replies import say
from engine.policy.values import Policy
from engine.values import ToolCall

Driver = Literal["engine", "llm", "engine_first", "llm_guarded"]
Lane = Literal["engine", "llm"]
DRIVERS: tuple[Driver, ...] = ("engine", "llm", "engine_first", "llm_guarded")

_FIRM_REASONS = frozenset({Reason.NEGATED, Reason.CANCELLED, Reason.HYPOTHETICAL, Reason.BATCH, Reason.DESTRUCTIVE})
"""The engine only replies or asks here, yet it is sure of what was said: no second opinion is asked for."""
VETOES = _FIRM_REASONS - {Reason.DESTRUCTIVE} | {Reason.QUESTION_ABOUT_TOOL, Reason.NOT_ABOUT_TASKS}
"""Why the engine reads no request in a message, whatever kind of thing it speaks of."""


class Route(enum.StrEnum):
    """Why this lane acted. The set is closed: pages and reports switch on it."""

    ENGINE_DRIVES = "engine_drives"
    LLM_DRIVES = "llm_drives"
    ENGINE_SURE = "engine_sure"
    """Engine first, and the engine knew what to do."""
    LLM_STEPS_IN = "llm_steps_in"
    """Engine first; the engine would only have asked or replied, and the LLM knew more."""
    LLM_NO_HELP = "llm_no_help"
    """Engine first; the LLM did not ask for a tool either."""
    LLM_APPROVED = "llm_approved"
    """Guarded: the engine has nothing against the LLM's proposal."""
    ENGINE_VETOED = "engine_vetoed"
    ENGINE_DIFFERS = "engine_differs"
    """Guarded: both would act, but not alike; the user is asked."""
    ANSWERED = "answered"
    """The message answered the question that was waiting; the engine reads that whoever drives."""
    LLM_FAILED = "llm_failed"
    LLM_BROKEN = "llm_broken"
    LLM_OFF = "llm_off"
    CUT_OFF = "cut_off"
    """The LLM had done a part of it when the workbench was stopped."""


ROUTE_SENTENCES: dict[Route, str] = {
    Route.ENGINE_DRIVES: "The engine drives.",
    Route.LLM_DRIVES: "The LLM drives.",
    Route.ENGINE_SURE: "The engine was sure, so the LLM was not needed.",
    Route.LLM_STEPS_IN: "The engine would only have asked back, so the LLM decided.",
    Route.LLM_NO_HELP: "Neither lane saw a request, so the engine's reply stands.",
    Route.LLM_APPROVED: "The LLM proposed, and the engine found nothing against it.",
    Route.ENGINE_VETOED: "The LLM proposed a call, but the engine reads no request in this message.",
    Route.ENGINE_DIFFERS: "The lanes would do different things, so you are asked first.",
    Route.ANSWERED: "This answered the open question, which the engine reads whoever drives.",
    Route.LLM_FAILED: "The LLM gave no answer, so the engine decided.",
    Route.LLM_BROKEN: "The LLM asked for a call that cannot be made, so the engine decided.",
    Route.LLM_OFF: "The LLM lane is off, so the engine decided.",
    Route.CUT_OFF: "The LLM drove, and was cut off before it had finished.",
}


@dataclass(frozen=True, slots=True)
class Routing:
    lane: Lane
    """Who acts."""
    route: Route
    decision: Decision
    """What is carried out: the lane's own decision, or a question in its place."""


def needs_llm(driver: Driver, engine: Decision, *, asked: bool) -> bool:
    """Whether the turn must wait for the LLM before anything is done. `asked`: a question was open."""
    if _answers(engine, asked):
        return False
    if driver == "engine_first":
        return not _is_firm(engine)
    return driver != "engine"


def route_at_once(driver: Driver, engine: Decision, *, asked: bool) -> Routing:
    """For a turn that does not wait for the LLM."""
    if driver != "engine" and _answers(engine, asked):
        return Routing("engine", Route.ANSWERED, engine)
    return Routing("engine", Route.ENGINE_SURE if driver == "engine_first" else Route.ENGINE_DRIVES, engine)


def route_off(engine: Decision) -> Routing:
    return Routing("engine", Route.LLM_OFF, engine)


def route(driver: Driver, engine: Decision, llm: Decision, policy: Policy) -> Routing:
    """For a turn whose driver waited for the LLM's decision."""
    if llm.reason is Reason.UNAVAILABLE:
        return Routing("engine", Route.LLM_FAILED, engine)
    if llm.reason is Reason.BROKEN_CALL:
        return Routing("engine", Route.LLM_BROKEN, engine)
    if driver == "engine_first":
        if llm.reason is Reason.MODEL_REPLIED:
            return Routing("engine", Route.LLM_NO_HELP, engine)
        return Routing("llm", Route.LLM_STEPS_IN, llm)
    if driver == "llm_guarded":
        return _guard(engine, llm, policy)
    return Routing("llm", Route.LLM_DRIVES, llm)


def _is_firm(engine: Decision) -> bool:
    return engine.action == "execute" or engine.reason in _FIRM_REASONS


def _answers(engine: Decision, asked: bool) -> bool:
    return asked and engine.reason in (Reason.ANSWERED, Reason.CANCELLED)


def _guard(engine: Decision, llm: Decision, policy: Policy) -> Routing:
    if not llm.calls:
        return Routing("llm", Route.LLM_APPROVED, llm)
    if engine.reason in VETOES:
        return Routing("engine", Route.ENGINE_VETOED, engine)
    if llm.action == "execute" and _would_differ(engine, llm, policy):
        return Routing("llm", Route.ENGINE_DIFFERS, ask_first(llm, policy))
    return Routing("llm", Route.LLM_APPROVED, llm)


def _would_differ(engine: Decision, llm: Decision, policy: Policy) -> bool:
    """Another tool or another target; wordings of a title or a date may differ."""
    if not engine.calls or not any(call.tool_name in policy.catalogue.changing_tools for call in llm.calls):
        return False
    return [_aim(call, policy) for call in engine.calls] != [_aim(call, policy) for call in llm.calls]


def _aim(call: ToolCall, policy: Policy) -> tuple[str, object]:
    facts = policy.catalogue.by_name.get(call.tool_name)
    return call.tool_name, call.parameters.get(facts.target) if facts and facts.target else None


def ask_first(llm: Decision, policy: Policy, why: str = "lanes_differ") -> Decision:
    """The same calls as a question: nothing runs before the user said yes. `why`: the reply that asks."""
    first, rest = llm.calls[0], llm.calls[1:]
    question = say(policy, why, message=llm.message).strip()
    pending = Pending("confirm", llm.intent, first, question=question, then=rest)
    return replace(
        llm,
        action="confirm",
        reason=Reason.NARROW_MARGIN,
        message=question,
        sentences=(Sentence("question", question),),
        pending=pending,
    )
