"""What probes come to before any edit, and what that was held to: found in one run each, and kept."""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection
from typing import NamedTuple

from domains.deciders import make_decider
from domains.loading import load_domain
from engine.decision import Decider
from engine.editing.tracing import Trace, TracedPolicy
from engine.policy.values import Policy
from evals.effect.played import NotingDecider, PlayedMessage
from evals.effect.probes import SLOW, Probe, ProbeResult

_log = logging.getLogger(__name__)


class Look(NamedTuple):
    result: ProbeResult
    trace: Trace | None
    """None where nothing is noted: where a domain has a reading of its own, and of conversations, whose messages have
    one each."""
    messages: tuple[PlayedMessage, ...] = ()
    """Of a conversation that was played."""

    @property
    def traces(self) -> tuple[Trace | None, ...]:
        return tuple(each.trace for each in self.messages) or (self.trace,)


class ProbeLooks:
    """One look at each probe under the policy that edits are made from. With `onto`, what everybody's edits are tried
    on is kept there."""

    def __init__(
        self, policy: Policy, domain: str, onto: ProbeLooks | None = None, shared: Collection[str] = ()
    ) -> None:
        self._policy, self._onto, self._shared = policy, onto, frozenset(shared)
        self._domain = load_domain(domain)
        self._decider = make_decider(self._domain, policy)
        self._traced: tuple[TracedPolicy, Decider] | None = None
        self._kept: dict[str, Look] = {}

    def find(self, probe: Probe) -> Look | None:
        """What was seen already."""
        if self._onto and probe.id in self._shared:
            return self._onto.find(probe)
        return self._kept.get(probe.id)

    def get(self, probe: Probe) -> Look:
        found = self.find(probe)
        if found is None:
            found = self._look(probe)
            self.keep(probe, found)
        return found

    def keep(self, probe: Probe, look: Look) -> None:
        if self._onto and probe.id in self._shared:
            self._onto.keep(probe, look)
            return
        for trace in filter(None, look.traces):
            # The same names come with thousands of messages.
            trace.names = {sys.intern(name) for name in trace.names}
        self._kept[probe.id] = look

    def look_elsewhere(self, probe: Probe, name: str, value: float) -> Look:
        """With one threshold at this value; it is not kept."""
        traced, _ = self._trace()
        return _look_traced(probe, traced, make_decider(self._domain, traced.moved(name, value)))

    def _trace(self) -> tuple[TracedPolicy, Decider]:
        if self._traced is None:
            traced = TracedPolicy(self._policy)
            self._traced = traced, make_decider(self._domain, traced.policy)
        return self._traced

    def _look(self, probe: Probe) -> Look:
        if self._domain.conduct:
            return Look(run_one(probe, self._decider), None)
        traced, decider = self._trace()
        if probe.source in SLOW:
            noting = NotingDecider(self._domain, self._policy, traced)
            return Look(run_one(probe, noting), None, tuple(noting.messages))
        return _look_traced(probe, traced, decider)


def _look_traced(probe: Probe, traced: TracedPolicy, decider: Decider) -> Look:
    with traced.tracing() as trace:
        result = run_one(probe, decider)
    return Look(result, trace)


def run_one(probe: Probe, decider: Decider) -> ProbeResult:
    """A record that cannot be decided is a result, too: the others still say something."""
    try:
        return probe.run(decider)
    except Exception as error:
        _log.exception("%s could not be decided", probe.id)
        return ProbeResult(("raised", type(error).__name__), (), f"raised {type(error).__name__}: {error}")
