"""Two lanes weighed: what is done with what the engine and the LLM make of the same message, and the rule for it.

How likely each lane is right is learned (`router.json`, by `python -m training.learn_router`); what follows from that
is written here, in words that the card shows. Whatever the numbers are:

1. Where a guard speaks against it, nothing is changed.
2. A change that only the LLM wants, and for which the user's words do not speak, is offered, never done.
3. What needs a yes (deleting) is asked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from engine.catalogue.facts import Catalogue
from engine.decision import Decision, Reason
from engine.explaining.agreement import calls_of
from engine.outcome.lane_evidence import (
    GUARDS,
    agreement_of,
    changes,
    notice_both,
    notice_engine,
    speaks_for,
    standing_of_engine,
    takes_back,
)
from engine.outcome.routes import Route
from engine.outcome.two_readings import wanted_changes

FILE = Path(__file__).parent / "router.json"


class Likelihood(NamedTuple):
    """A logistic regression over what is noticed."""

    bias: float
    weights: Mapping[str, float]

    def of(self, noticed: Mapping[str, float]) -> float:
        total = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in noticed.items())
        return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


class RouterWeights(NamedTuple):
    alone: Likelihood
    """That what the engine does is right, by the engine's decision alone."""
    engine: Likelihood
    """The same, once the LLM's is known."""
    llm: Likelihood
    """That what the LLM wants is right, by both."""
    at_once: float
    """From where on the engine acts without waiting for the LLM."""
    act: float
    """From where on a lane that is not backed by the other acts."""
    offer: float
    """From where on something that is not done is offered."""
    show: float
    """From where on something is shown that only the LLM wants to show."""
    ask: float
    """From where on the engine asks or offers what the LLM sees no request for."""
    second: float
    """From where on the less likely of two changes is offered beside the likelier one."""


THRESHOLDS = ("at_once", "act", "offer", "show", "ask", "second")


@cache
def load_router() -> RouterWeights:
    return read_weights(json.loads(FILE.read_text(encoding="utf-8")))


def read_weights(data: Mapping[str, Any]) -> RouterWeights:
    alone, engine, llm = (Likelihood(data[name]["bias"], data[name]["weights"]) for name in ("alone", "engine", "llm"))
    return RouterWeights(alone, engine, llm, *(float(data[name]) for name in THRESHOLDS))


Kind = Literal["engine", "engine_acts", "engine_offered", "quiet", "llm", "llm_offered", "both_offered"]
"""What is done: the engine's decision as it is, what it only offered, what it would do as a question, or nothing though
it would ask; the LLM's decision as it is, or as a question; or a question which of the two is meant."""


class WeighedChoice(NamedTuple):
    kind: Kind
    rule: Route
    engine: float = 0.0
    llm: float = 0.0
    """How likely each lane was held to be right."""


class Router(Protocol):
    def acts_at_once(self, engine: Decision, catalogue: Catalogue) -> bool:
        """Whether the engine's decision stands without a word of the LLM."""
        ...

    def choose(self, engine: Decision, llm: Decision, catalogue: Catalogue) -> WeighedChoice: ...


def is_sure(engine: Decision) -> bool:
    """Whether nobody waits for the LLM, whatever was learned."""
    return engine.reason in FIRM or (engine.action == "execute" and (engine.confidence or 0.0) >= SURE)


class LearnedRouter:
    def __init__(self, weights: RouterWeights | None = None) -> None:
        self._given = weights

    @property
    def _weights(self) -> RouterWeights:
        return self._given or load_router()

    def acts_at_once(self, engine: Decision, catalogue: Catalogue) -> bool:
        if (engine.doubt or 0.0) >= DOUBTFUL:
            return False
        if is_sure(engine):
            return True
        if catalogue.own and engine.action == "execute":
            return True  # how sure such a reading is was not learned from, and no doubt was found in it
        likely = self._weights.alone.of(notice_engine(engine, catalogue))
        return engine.action == "execute" and likely >= self._weights.at_once

    def choose(self, engine: Decision, llm: Decision, catalogue: Catalogue) -> WeighedChoice:
        noticed = notice_both(engine, llm, catalogue)
        ours, theirs = self._weights.engine.of(noticed), self._weights.llm.of(noticed)
        kind, rule = self._choose(engine, llm, catalogue, ours, theirs)
        return WeighedChoice(kind, rule, round(ours, 3), round(theirs, 3))

    def _choose(
        self, engine: Decision, llm: Decision, catalogue: Catalogue, ours: float, theirs: float
    ) -> tuple[Kind, Route]:
        standing, agreement = standing_of_engine(engine), agreement_of(engine, llm, catalogue)
        if engine.reason in GUARDS:
            return "engine", Route.GUARDED if changes(llm, catalogue) else Route.LLM_NO_HELP
        if takes_back(llm):  # there is no call in it that could be offered
            agree = takes_back(engine)
            return "engine", Route.BOTH_AGREE if agree else _staying(silent=standing == "silent")
        if not calls_of(llm) and standing == "silent":
            return "engine", Route.LLM_NO_HELP
        if agreement == "same":
            likely = standing == "offers" and ours >= self._weights.act
            acts = likely and llm.action == "execute" and _can_act(engine, catalogue)
            return "engine_acts" if acts else "engine", Route.BOTH_AGREE
        if standing == "acts":
            return self._against_engine(engine, llm, catalogue, ours, theirs)
        if not calls_of(llm):
            doubtful = engine.action == "clarify" and ours < self._weights.ask
            return ("quiet", Route.NOT_ASKED) if doubtful else ("engine", Route.ENGINE_LIKELIER)
        return self._beside_engine(engine, llm, catalogue, ours, theirs)

    def _against_engine(
        self, engine: Decision, llm: Decision, catalogue: Catalogue, ours: float, theirs: float
    ) -> tuple[Kind, Route]:
        """The engine would act, though not at once, and the LLM is silent or would do something else."""
        whole = engine.pending is None and not engine.undoes
        if ours >= self._weights.act or not whole:
            return "engine", Route.ENGINE_LIKELIER
        if self._are_both_likely(engine, llm, catalogue, ours, theirs):
            return "both_offered", Route.BOTH_OFFERED
        if calls_of(llm) and theirs > ours and theirs >= self._weights.offer:
            offered = llm.action == "execute" and changes(llm, catalogue)
            return "llm_offered" if offered else "llm", Route.LANES_DIFFER
        if not changes(engine, catalogue):
            return "engine", Route.ENGINE_LIKELIER
        return "engine_offered", Route.LANES_DIFFER if calls_of(llm) else Route.ONLY_ENGINE

    def _beside_engine(
        self, engine: Decision, llm: Decision, catalogue: Catalogue, ours: float, theirs: float
    ) -> tuple[Kind, Route]:
        """The engine asks, offers something else, or is silent; the LLM wants something."""
        silent = standing_of_engine(engine) in ("silent", "replies")
        if _names_none_of_them(engine, llm, catalogue) or _removes_another(engine, llm, catalogue):
            return "engine", Route.ENGINE_LIKELIER
        if not changes(llm, catalogue):
            shows = theirs >= self._weights.show and theirs >= ours
            return ("llm", Route.LLM_SHOWS) if shows else ("engine", _staying(silent=silent))
        if theirs >= self._weights.act and speaks_for(engine, llm, catalogue):
            return "llm", Route.LLM_LIKELIER
        if self._are_both_likely(engine, llm, catalogue, ours, theirs):
            return "both_offered", Route.BOTH_OFFERED
        if theirs >= self._weights.offer and (silent or theirs >= ours):
            return ("llm_offered" if llm.action == "execute" else "llm"), Route.ONLY_LLM
        return "engine", _staying(silent=silent)

    def _are_both_likely(
        self, engine: Decision, llm: Decision, catalogue: Catalogue, ours: float, theirs: float
    ) -> bool:
        """Whether each lane wants a whole change, and neither is unlikely to be the one that is meant."""
        wanted = wanted_changes(engine, catalogue) and wanted_changes(llm, catalogue)
        return bool(wanted) and min(ours, theirs) >= self._weights.second


def _names_none_of_them(engine: Decision, llm: Decision, catalogue: Catalogue) -> bool:
    """Whether the engine knows several that the words fit and asks which, while the LLM would take another one."""
    asked = engine.pending if engine.reason is Reason.AMBIGUOUS_TARGET else None
    if asked is None or not asked.options:
        return False
    same = [call for call in calls_of(llm) if catalogue.by_name[call.tool_name].intent == asked.intent]
    return bool(same) and all(catalogue.target_of(call) not in asked.options for call in same)


def _removes_another(engine: Decision, llm: Decision, catalogue: Catalogue) -> bool:
    """Whether nothing is called as the words say, and the LLM would remove something that the engine never thought of:
    "delete call mum", where only the dentist is to be called."""
    if engine.reason is not Reason.NO_TARGET:
        return False
    thought_of = {each.task_id for reference in engine.references for each in reference.candidates}
    removed = [call for call in calls_of(llm) if catalogue.by_name[call.tool_name].effect == "remove"]
    return bool(removed) and all(catalogue.target_of(call) not in thought_of for call in removed)


def _staying(*, silent: bool) -> Route:
    return Route.NOT_LIKELY if silent else Route.ENGINE_LIKELIER


def _can_act(engine: Decision, catalogue: Catalogue) -> bool:
    """Whether what is offered is a whole call that needs no yes of its own."""
    pending = engine.pending
    if pending is None or pending.kind != "confirm" or engine.undoes:
        return False
    called = [catalogue.by_name.get(call.tool_name) for call in (pending.call, *pending.then)]
    return all(facts and not facts.needs_yes for facts in called)


SURE = 0.995
"""From this confidence on, the engine acts without a second opinion …"""
DOUBTFUL = 0.1
"""… unless what it would change is wrong as often as this (`engine.doubting`)."""
FIRM = GUARDS | {Reason.DESTRUCTIVE}
"""The engine only replies or asks here, yet it is sure of what was said: no second opinion is asked for."""


ROUTER = LearnedRouter()
