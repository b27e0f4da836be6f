"""What is noticed about two decisions on the same message, by names that the router's weights know.

Nothing here names a tool or an intent: what a call does to the store, how near the engine was to it, which guard spoke,
and whether both would do the same. So what was learned on one domain holds in another.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalogue.facts import UNKNOWN, Catalogue
from engine.decision import Decision, Reason
from engine.explaining.agreement import calls_of, compare
from engine.values import ToolCall

GUARDS = frozenset(
    {
        Reason.NEGATED,
        Reason.CANCELLED,
        Reason.HYPOTHETICAL,
        Reason.BATCH,
        Reason.QUESTION_ABOUT_TOOL,
        Reason.REMARK,
    }
)
"""Why a message asks for nothing although it speaks of something that can be done."""
_OFFERS = frozenset({Reason.BELOW_THRESHOLD, Reason.NARROW_MARGIN, Reason.UNCERTAIN_TARGET})
_UNSTATED = 0.5
"""For a model that does not say how sure it is: neither for it nor against it."""
_TEXTS = frozenset({"name", "note", "words", "search"})
"""How arguments are read whose values are people's words."""


def notice_engine(engine: Decision, catalogue: Catalogue) -> dict[str, float]:
    """What the engine's decision says by itself."""
    standing = standing_of_engine(engine)
    noticed = {
        f"engine {standing}": 1.0,
        f"engine reason {engine.reason}": 1.0,
        f"engine {standing} act {engine.act}": 1.0,
        f"engine {standing} sure": engine.confidence or 0.0,
        f"engine {standing} in doubt": engine.doubt or 0.0,
        "engine several": float(len(calls_of(engine)) > 1),
    }
    noticed |= {f"engine {standing} to {effect}": 1.0 for effect in _effects(calls_of(engine), catalogue)}
    return {name: value for name, value in noticed.items() if value}


def notice_both(engine: Decision, llm: Decision, catalogue: Catalogue) -> dict[str, float]:
    """What the two say together."""
    standing, wants = standing_of_engine(engine), standing_of_llm(llm)
    calls = calls_of(llm)
    noticed = {
        f"llm {wants}": 1.0,
        f"engine {standing}, llm {wants}": 1.0,
        f"lanes {agreement_of(engine, llm, catalogue)}": 1.0,
        "llm several": float(len(calls) > 1),
        "llm words not said": _count_unsaid(calls, catalogue),
        "words speak for it": float(speaks_for(engine, llm, catalogue)),
        "engine near it": _nearness(engine, calls, catalogue),
    }
    if calls:
        noticed["llm sure"] = _UNSTATED if llm.confidence is None else llm.confidence
    noticed |= {f"llm {wants} to {effect}": 1.0 for effect in _effects(calls, catalogue)}
    noticed = {name: value for name, value in noticed.items() if value}
    return {**notice_engine(engine, catalogue), **noticed}


def standing_of_engine(engine: Decision) -> str:
    if engine.action == "execute":
        return "acts"
    if engine.reason in GUARDS:
        return "guards"
    if engine.action == "reply":
        return "replies" if engine.intent != UNKNOWN or engine.pending else "silent"
    if engine.reason is Reason.DESTRUCTIVE:
        return "asks for a yes"
    return "offers" if engine.reason in _OFFERS and calls_of(engine) else "asks"


def takes_back(decision: Decision) -> bool:
    """Whether the last change is taken back, or made again: a change without a call."""
    return decision.action == "execute" and (decision.undoes or decision.act in ("undo", "redo"))


def standing_of_llm(llm: Decision) -> str:
    if takes_back(llm):
        return "takes back"
    if not calls_of(llm):
        return "silent"
    return "acts" if llm.action == "execute" else "asks"


def agreement_of(engine: Decision, llm: Decision, catalogue: Catalogue) -> str:
    """same: call for call; alike: the same tools on the same things; kind: the same tools; other; or one is silent."""
    ours, theirs = calls_of(engine), calls_of(llm)
    if not ours or not theirs:
        return "both silent" if not ours and not theirs else "only the engine" if ours else "only the LLM"
    if all(difference.name == "action" for difference in compare(engine, llm).differences):
        return "same"
    if [_aim(call, catalogue) for call in ours] == [_aim(call, catalogue) for call in theirs]:
        return "alike"
    return "kind" if [call.tool_name for call in ours] == [call.tool_name for call in theirs] else "other"


def speaks_for(engine: Decision, llm: Decision, catalogue: Catalogue) -> bool:
    """Whether the user's own words, as the engine reads them, ask for each kind of thing that the LLM calls."""
    if engine.reason in GUARDS or engine.reason is Reason.NOT_ABOUT_TASKS:
        return False
    waiting = (engine.pending.call, *engine.pending.then) if engine.pending else ()
    asked = {engine.intent, *(catalogue.intent_of(call.tool_name) for call in (*engine.calls, *waiting))}
    return bool(calls_of(llm)) and all(catalogue.intent_of(call.tool_name) in asked for call in calls_of(llm))


def changes(decision: Decision, catalogue: Catalogue) -> bool:
    return any(call.tool_name in catalogue.changing_tools for call in calls_of(decision))


def _aim(call: ToolCall, catalogue: Catalogue) -> tuple[str, str | None]:
    return call.tool_name, catalogue.target_of(call)


def _effects(calls: tuple[ToolCall, ...], catalogue: Catalogue) -> Iterator[str]:
    for name in {call.tool_name for call in calls}:
        facts = catalogue.by_name.get(name)
        if facts:
            yield facts.effect


def _nearness(engine: Decision, calls: tuple[ToolCall, ...], catalogue: Catalogue) -> float:
    """The engine's score for what the LLM calls: also where it is silent it was more or less near."""
    wanted = {catalogue.intent_of(call.tool_name) for call in calls}
    return max((each.score for each in engine.scores if each.intent in wanted), default=0.0)


def _count_unsaid(calls: tuple[ToolCall, ...], catalogue: Catalogue) -> float:
    """Texts that a model wrote and nobody said."""
    count = 0
    for call in calls:
        facts = catalogue.by_name.get(call.tool_name)
        for each in call.arguments if facts else ():
            kind = facts.reads.get(each.name) if facts else None
            count += kind in _TEXTS and each.provenance.source == "llm" and each.provenance.span is None
    return float(count)
