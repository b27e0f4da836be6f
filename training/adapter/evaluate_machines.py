"""How the machines' cases come out of a lane that reads the words alone: which tool, which machine, or none.

The cases are those of the composer (`cases/composer/machines*`) whose call brings no arguments along: what has to come
of the others is decided by these. The tool, too, a lane must find itself. What the LLM wants is held back as in a turn
that it drives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple

from assistant.consent import hold_back
from domains.loading import load_domain
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from engine.completing.values import DEFAULT_SETTINGS
from engine.decision import Context, Decider, Decision
from engine.domain import Domain
from engine.policy.values import Policy
from evals.composer_cases import ComposerCase, load_composer_cases, plain_calls
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import NeverResting

_NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a wall clock, as the cases have it
DOMAIN = "machines"
Verdict = Literal["right", "offered", "wrong", "wrong reading", "asked", "missed"]
"""wrong: another change than the one that was asked for, or one where none was. wrong reading: likewise, but nothing
was changed. asked: a question where the request was clear, or there was none. missed: no call where one was due."""
RIGHT = ("right", "offered")


def machine_cases() -> tuple[ComposerCase, ...]:
    every = load_composer_cases()
    return tuple(case for case in every if isinstance(case.request.fleet, MemoryFleet) and not case.request.arguments)


def context_of(case: ComposerCase) -> Context:
    fleet = case.request.fleet
    index = FleetIndex(fleet if isinstance(fleet, MemoryFleet) else MemoryFleet())
    return Context(index, _NOW, case.request.history, learned=case.request.learned, language=case.request.language)


def make_deciders(endpoint: Endpoint) -> dict[str, Decider]:
    domain = load_domain(DOMAIN)
    assert domain.conduct is not None  # noqa: S101 - machines have a reading of their own
    return {
        "engine": domain.conduct.make_decider(),
        "llm": LLMDecider(endpoint, composer=DEFAULT_SETTINGS, domain=domain, breaker=NeverResting()),
    }


class Driven(NamedTuple):
    """What of a turn decides whether the LLM may change something by itself."""

    engine: Decision
    policy: Policy
    domain: Domain
    context: Context
    driver: str = "llm"


def decide_all(case: ComposerCase, deciders: Mapping[str, Decider]) -> dict[str, Decision]:
    """What each lane would do where it drives."""
    domain, context = load_domain(DOMAIN), context_of(case)
    engine, llm = (deciders[name].decide(case.request.text, context) for name in ("engine", "llm"))
    return {"engine": engine, "llm": hold_back(llm, Driven(engine, domain.policies[engine.language], domain, context))}


def judge(case: ComposerCase, decision: Decision) -> Verdict:
    made = plain_calls((call.tool_name, call.parameters) for call in decision.calls)
    wanted = plain_calls(case.calls)
    completes = "completed" in case.statuses
    if decision.action == "execute":
        if completes and made == wanted:
            return "right"
        catalogue = load_domain(DOMAIN).catalogue
        changes = [call for call in decision.calls if call.tool_name in catalogue.changing_tools]
        return "wrong" if changes else "wrong reading"
    if decision.action in ("confirm", "clarify"):
        if "needs_clarification" in case.statuses:
            return "right"
        return "offered" if completes and made and made == wanted else "asked"
    return "right" if "failed" in case.statuses else "missed"


def count(found: Iterable[tuple[ComposerCase, Verdict]]) -> dict[str, dict[str, Any]]:
    """All, those of each language, and those that must be done or must not."""
    groups: dict[str, Counter[str]] = {}
    for case, verdict in found:
        language = case.id.partition(":")[0].rpartition("/")[2]
        done = "to be done" if "completed" in case.statuses else "not to be done"
        for group in ("all", language, done):
            groups.setdefault(group, Counter())[verdict] += 1
    return {group: dict(counts) for group, counts in groups.items()}
