"""Calls to complete as probes: the cases of a domain with a reading of its own."""

from __future__ import annotations

from typing import cast

from engine.completing.values import Composition
from engine.decision import Decider
from engine.explaining.values import OwnDecider
from evals.composer_cases import FOLDER, ComposerCase, find_fault, load_composer_cases
from evals.effect.probes import Probe, ProbeResult


def probe_composed(domain: str) -> tuple[Probe, ...]:
    """Those whose folder begins with the domain's name."""
    return tuple(_probe(case, domain) for case in load_composer_cases(FOLDER) if case.id.startswith(domain))


def _probe(case: ComposerCase, domain: str) -> Probe:
    def run(decider: Decider) -> ProbeResult:
        return _result(case, cast("OwnDecider", decider).complete(case.request))

    nothing = case.statuses == ("failed",)
    return Probe(
        case.id,
        "cases",
        case.request.text,
        domain,
        case.request.language or "",
        (case.request.text,),
        run,
        nothing,
        link={"case": case.id},
    )


def _result(case: ComposerCase, composed: Composition) -> ProbeResult:
    made = [(each.call.tool_name, dict(each.call.parameters)) for each in composed.calls]
    offered = [(each.tool_name, dict(each.value)) for each in composed.suggestions]
    right = not find_fault(case, composed)
    gist = (composed.status, str(composed.why), str(made), str(offered), composed.asked_for, right)
    calls = "; ".join(_tell(name, values) for name, values in made or offered)
    action = {"completed": "execute", "needs_clarification": "clarify"}.get(composed.status, "reply")
    told = f"{action}: {calls or f'nothing ({composed.why})'}"
    return ProbeResult(gist, (right,), told, composed.status == "completed" and bool(made))


def _tell(name: str, values: dict[str, object]) -> str:
    return f"{name}({', '.join(f'{key}={value}' for key, value in values.items())})"
