"""The effect of an edit: what it fixes, what it breaks, what it changes besides."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Literal

from domains.deciders import make_decider
from domains.loading import load_domain
from engine.decision import Decider
from engine.editing.touching import Touch, find_touch
from engine.policy.values import Policy
from evals.effect.helping import FEWEST, ProbeHelper, Tried, can_help
from evals.effect.index import ProbeIndex
from evals.effect.probes import SLOW, Probe, ProbeResult, ProbeSource
from evals.progress import Progress

_log = logging.getLogger(__name__)
EffectKind = Literal["fixed", "broken", "changed"]
_Find = Callable[[], ProbeResult]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A probe that an edit decides otherwise."""

    probe: Probe
    kind: EffectKind
    before: ProbeResult
    after: ProbeResult

    @property
    def critical(self) -> bool:
        """It breaks something that must not break: a case that is marked so, or one where nothing is to be done and
        something would be."""
        unsafe = self.probe.wants_nothing and self.after.acts and not self.before.acts
        return self.kind == "broken" and (self.probe.critical or unsafe)


@dataclass(frozen=True, slots=True)
class EditEffect:
    rows: tuple[EffectRow, ...]
    run: int
    """How many probes were run again."""
    total: int
    seconds: float
    complete: bool = True
    """Whether all that it can touch was looked at."""
    touch: Touch | None = None

    def of(self, kind: EffectKind) -> tuple[EffectRow, ...]:
        return tuple(row for row in self.rows if row.kind == kind)

    @property
    def fixed(self) -> tuple[EffectRow, ...]:
        return self.of("fixed")

    @property
    def broken(self) -> tuple[EffectRow, ...]:
        return self.of("broken")

    @property
    def changed(self) -> tuple[EffectRow, ...]:
        return self.of("changed")

    @property
    def critical(self) -> tuple[EffectRow, ...]:
        return tuple(row for row in self.rows if row.critical)

    def evidence(self) -> dict[str, object]:
        """What a version keeps of it."""
        named = {kind: [row.probe.id for row in self.of(kind)] for kind in ("fixed", "broken", "changed")}
        counts = {"run": self.run, "total": self.total, "complete": self.complete}
        return {**named, "critical": [row.probe.id for row in self.critical], **counts}


class EffectBase:
    """Everything that edits of one policy are tried on. What it comes to before an edit is found once, and only for
    what some edit touches."""

    def __init__(self, probes: Sequence[Probe], policy: Policy, domain: str, onto: EffectBase | None = None) -> None:
        """With `onto`, of the same policy: what that one has, and these. What everybody's edits are tried on is read
        once, then, and somebody's own things besides."""
        self.policy, self.domain = policy, domain
        every_language = load_domain(domain).conduct is not None
        self.index: ProbeIndex = ProbeIndex(
            probes, policy, every_language=every_language, onto=onto.index if onto else None
        )
        self._onto = onto
        self._shared = {probe.id for probe in onto.index.probes} if onto else frozenset()
        self._decider = make_decider(load_domain(domain), policy)
        self._before: dict[str, ProbeResult] = {}

    def before(self, probe: Probe) -> ProbeResult:
        if self._onto and probe.id in self._shared:
            return self._onto.before(probe)
        if probe.id not in self._before:
            self._before[probe.id] = _run_one(probe, self._decider)
        return self._before[probe.id]

    def _keep_before(self, probe: Probe, result: ProbeResult) -> None:
        if self._onto and probe.id in self._shared:
            self._onto._keep_before(probe, result)
        else:
            self._before[probe.id] = result

    def find_effect(
        self,
        draft: Policy,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        tell: Callable[[EffectRow], None] | None = None,
        skip: Iterable[ProbeSource] = (),
    ) -> EditEffect:
        """`seconds`: then it ends, incomplete; `tell` gets each row at once; sources to `skip` are left out."""
        touch = self._find_touch(draft)
        left_out = frozenset(skip)
        touched = list(self.index.find(touch, left_out))
        total = sum(probe.source not in left_out for probe in self.index.probes)
        return self._run(
            draft, sorted(touched, key=lambda probe: probe.source in SLOW), touch, total, seconds, progress, tell
        )

    def _find_touch(self, draft: Policy) -> Touch:
        """A domain with a reading of its own looks words up in its own way, of all languages at once."""
        if load_domain(self.domain).conduct:
            return Touch(everything=("it is read in a way of its own",))
        return find_touch(self.policy, draft)

    def run_everything(self, draft: Policy) -> EditEffect:
        """The same without the shortcut: what the shortcut is held to."""
        return self._run(draft, list(self.index.probes), None, len(self.index.probes), None, None, None)

    def _run(
        self,
        draft: Policy,
        probes: list[Probe],
        touch: Touch | None,
        total: int,
        seconds: float | None,
        progress: Progress | None,
        tell: Callable[[EffectRow], None] | None,
    ) -> EditEffect:
        start = time.perf_counter()
        decider = make_decider(load_domain(self.domain), draft)
        rows: list[EffectRow] = []
        run = 0
        if progress:
            progress.total = len(probes)
        for probe, before, after in self._try_each(probes, decider):
            late = seconds is not None and time.perf_counter() - start > seconds
            if late or (progress and progress.cancelled):
                break
            row = compare_results(probe, before(), after())
            run += 1
            if row:
                rows.append(row)
                if tell:
                    tell(row)
            if progress:
                progress.step()
        return EditEffect(tuple(rows), run, total, time.perf_counter() - start, run == len(probes), touch)

    def _try_each(self, probes: list[Probe], decider: Decider) -> Iterator[tuple[Probe, _Find, _Find]]:
        """Each with what finds its results: run here, or taken from a process that helps from the other end on.
        Conversations are played on stores: those stay here."""
        quick = [place for place, probe in enumerate(probes) if probe.source not in SLOW]

        def run(place: int) -> Tried:
            return self.before(probes[place]), _run_one(probes[place], decider)

        helps = len(quick) >= FEWEST and can_help()
        with ProbeHelper(quick, run) if helps else nullcontext() as helper:
            for place, probe in enumerate(probes):
                if helper and helper.has(place):
                    before, after = helper.results[place]
                    self._keep_before(probe, before)
                    yield probe, partial(_given, before), partial(_given, after)
                else:
                    yield probe, partial(self.before, probe), partial(_run_one, probe, decider)


def _given(result: ProbeResult) -> ProbeResult:
    return result


def _run_one(probe: Probe, decider: Decider) -> ProbeResult:
    """A record that cannot be decided is a result, too: the others still say something."""
    try:
        return probe.run(decider)
    except Exception as error:
        _log.exception("%s could not be decided", probe.id)
        return ProbeResult(("raised", type(error).__name__), (), f"raised {type(error).__name__}: {error}")


def compare_results(probe: Probe, before: ProbeResult, after: ProbeResult) -> EffectRow | None:
    """None: it is decided as before."""
    if before.gist == after.gist:
        return None
    if probe.source == "same":
        return EffectRow(probe, "broken", before, after)
    moved = {one for one, other in zip(before.right, after.right, strict=False) if one != other}
    # Of a conversation some turns may become right and others wrong: then it is broken.
    kind: EffectKind = "broken" if True in moved else "fixed" if False in moved else "changed"
    return EffectRow(probe, kind, before, after)
