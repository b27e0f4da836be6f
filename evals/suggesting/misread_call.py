"""A labelled call of a domain with a reading of its own that goes wrong: its words, and what it should have come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from domains.deciders import make_decider
from domains.loading import load_domain
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from domains.machines.wire import find_fleet
from engine.catalogue.facts import UNKNOWN
from engine.decision import Context, Decider
from engine.explaining.values import OwnDecider
from evals.composer_cases import ComposerCase, find_fault, load_composer_cases, load_known_failures
from evals.suggesting.misread import Misread


def find_composed(case_id: str) -> ComposerCase | None:
    """None: it is none of theirs. A domain without a reading of its own completes by the engine's policies."""
    found = next((each for each in load_composer_cases() if each.id == case_id), None)
    domain = domain_of(found) if found else ""
    return found if domain and load_domain(domain).conduct else None


def domain_of(case: ComposerCase) -> str:
    """Its folder says it: "machines_more/en: …" is about machines."""
    return case.id.partition("/")[0].partition("_")[0]


def misread_known(domain: str, decider: Decider) -> Iterator[Misread]:
    """The known failures of a domain that go wrong under this decider."""
    known = load_known_failures() if load_domain(domain).conduct else {}
    for case in load_composer_cases() if known else ():
        if case.id in known and domain_of(case) == domain:
            found = misread_composed(case, decider)
            if found:
                yield found


def misread_composed(case: ComposerCase, own: Decider | None = None) -> Misread | None:
    """None: it goes right. Under the project's own policies, or another decider."""
    domain = load_domain(domain_of(case))
    if not find_fault(case, cast("OwnDecider", own or make_decider(domain)).complete(case.request)):
        return None

    def passes(decider: Decider) -> bool:
        return not find_fault(case, cast("OwnDecider", decider).complete(case.request))

    language = str(case.request.language or next(iter(domain.policies)))
    index = FleetIndex(find_fleet(case.request) or MemoryFleet())
    context = Context(index, case.request.context.now, case.request.history, language=language)
    (tool, values), *_ = (*case.calls, *case.offers, ("", {}))
    facts = next((each for each in domain.catalogue.tools if each.name == tool), None)
    forms = {name: (str(value),) for name, value in values.items()}
    wanted = facts.intent if facts and case.statuses != ("failed",) else UNKNOWN
    return Misread(case.id, case.request.text, context, domain.name, language, (wanted,), passes, forms)
