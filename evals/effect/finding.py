"""The effect of an edit: what it fixes, what it breaks, what it changes besides."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from domains.loading import load_domain
from engine.editing.touching import Touch, find_touch
from engine.policy.values import Policy
from evals.effect.earlier import EarlierDrafts
from evals.effect.helping import ProbeHelper, count_helpers
from evals.effect.index import ProbeIndex
from evals.effect.looking import Look, ProbeLooks
from evals.effect.outlook import EffectOutlook
from evals.effect.probes import SLOW, Probe, ProbeResult, ProbeSource
from evals.effect.reach import EditReach
from evals.effect.steps import ProbeSteps
from evals.effect.trying import DraftTrial
from evals.progress import Progress

EffectKind = Literal["fixed", "broken", "changed"]


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
    more: tuple[int, int] | None = None
    """Where it is not complete: how many more will be decided otherwise, from … to, as far as can be said."""
    known: int = 0
    """How many of those run again were known already: from a draft that was tried before, or looked at ahead."""

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
    """Everything that edits of one policy are tried on. What it comes to before an edit is found once: when some edit
    may touch it, or ahead of that."""

    def __init__(self, probes: Sequence[Probe], policy: Policy, domain: str, onto: EffectBase | None = None) -> None:
        """With `onto`, of the same policy: what that one has, and these. What everybody's edits are tried on is read
        once, then, and somebody's own things besides."""
        self.policy, self.domain = policy, domain
        every_language = load_domain(domain).conduct is not None
        self.index: ProbeIndex = ProbeIndex(
            probes, policy, every_language=every_language, onto=onto.index if onto else None
        )
        shared = [probe.id for probe in onto.index.probes] if onto else ()
        self.looks: ProbeLooks = ProbeLooks(policy, domain, onto.looks if onto else None, shared)
        self.steps: ProbeSteps = ProbeSteps(policy, self.looks, onto.steps if onto else None, shared)
        self._earlier = EarlierDrafts(self.index)

    def before(self, probe: Probe) -> ProbeResult:
        return self.looks.get(probe).result

    def take_over(self, earlier: EffectBase) -> None:
        """What was seen under another policy holds under this one wherever the difference between the two cannot touch
        it: whoever saves a version need not wait for all of it again."""
        touch = earlier._find_touch(self.policy)
        if touch.everything or earlier.policy.reading_words.keys() != self.policy.reading_words.keys():
            return  # what was asked for is kept by the places of the classes among them
        reach = EditReach(earlier.index, touch, self.policy)
        within = frozenset(reach.places)
        for place, probe in enumerate(earlier.index.probes):
            look = earlier.looks.find(probe)
            if look and self.looks.find(probe) is None and not (place in within and reach.touches(place, look.traces)):
                self.looks.keep(probe, look)

    def look_ahead(self, progress: Progress, give_way: Callable[[], bool] = lambda: False) -> None:
        """Looks at every message before anybody edits, in another process, so that nobody is held up; ends early when
        somebody else wants to go on here. Where there is no such process, each is looked at when it is needed.
        Conversations would take minutes: they are looked at when an edit may touch them."""
        probes = [each for each in self._quick if self.looks.find(each) is None]
        progress.total = len(probes)

        def keep(place: int, found: Look) -> None:
            self.looks.keep(probes[place], found)
            progress.step()

        _work_ahead(len(probes), lambda place: self.looks.get(probes[place]), keep, progress, give_way)

    def step_ahead(self, progress: Progress, give_way: Callable[[], bool] = lambda: False) -> None:
        """The same of where each threshold would lead to, so that an edit that moves one need not look. Of messages
        that were looked at."""
        if load_domain(self.domain).conduct:
            return
        rest = [each for each in self._quick if self.steps.find(each) is None and self.looks.find(each)]
        _work_ahead(
            len(rest),
            lambda place: self.steps.look(rest[place]),
            lambda place, found: self.steps.keep(rest[place], found),
            progress,
            give_way,
        )

    @property
    def _quick(self) -> list[Probe]:
        return [each for each in self.index.probes if each.source not in SLOW]

    def find_effect(
        self,
        draft: Policy,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        tell: Callable[[EffectRow], None] | None = None,
        skip: Iterable[ProbeSource] = (),
        outlook: EffectOutlook | None = None,
        give_way: Callable[[], None] | None = None,
        remember: bool = True,
    ) -> EditEffect:
        """`seconds`: then it ends, incomplete; `tell` gets each row at once; sources to `skip` are left out; `outlook`
        can be read meanwhile; `give_way` is called after each probe, and others may use this base until it returns;
        `remember`: another draft may stand on this one."""
        left_out = frozenset(skip)
        reach = EditReach(self.index, self._find_touch(draft), draft, left_out)
        total = sum(probe.source not in left_out for probe in self.index.probes)
        earlier = self._earlier.beside(draft)
        remember = remember and not reach.touch.everything  # to keep all of it twice takes too much room
        trial = DraftTrial(
            self.index, self.looks, draft, self.domain, reach, self.steps, earlier, remember=remember
        )  # fmt: skip
        effect = self._run(trial, reach.places, total, seconds, progress, tell, outlook, give_way)
        if remember:
            self._earlier.keep(draft, trial.looked)
        return effect

    def _find_touch(self, draft: Policy) -> Touch:
        """A domain with a reading of its own looks words up in its own way, of all languages at once."""
        if load_domain(self.domain).conduct:
            return Touch(everything=("it is read in a way of its own",))
        return find_touch(self.policy, draft)

    def run_everything(self, draft: Policy) -> EditEffect:
        """The same without the shortcut: what the shortcut is held to."""
        every = list(range(len(self.index.probes)))
        trial = DraftTrial(self.index, self.looks, draft, self.domain)
        return self._run(trial, every, len(every), None, None, None)

    def _run(
        self,
        trial: DraftTrial,
        places: list[int],
        total: int,
        seconds: float | None,
        progress: Progress | None,
        tell: Callable[[EffectRow], None] | None,
        outlook: EffectOutlook | None = None,
        give_way: Callable[[], None] | None = None,
    ) -> EditEffect:
        start = time.perf_counter()
        outlook = outlook or EffectOutlook()
        reach = trial.reach
        outlook.begin(reach.sizes if reach else (len(places),))
        rows: dict[int, EffectRow] = {}
        run = looked = 0
        if progress:
            progress.total = len(places)
        for place, tried in trial.each(places):
            late = seconds is not None and time.perf_counter() - start > seconds
            if late or (progress and progress.cancelled):
                break
            before, after = tried()
            looked += 1
            run += after is not None
            row = compare_results(self.index.probes[place], before.result, after.result) if before and after else None
            outlook.count(reach.group_of(place) if reach else 0, found=row is not None)
            if row:
                rows[place] = row
                if tell:
                    tell(row)
            if progress:
                progress.step()
            if give_way:
                give_way()
        took, touch = time.perf_counter() - start, reach.touch if reach else None
        in_order = tuple(rows[place] for place in sorted(rows))
        complete = looked == len(places)
        more = None if complete else outlook.more
        return EditEffect(in_order, run, total, took, complete, touch, more, trial.known)


_Ahead = TypeVar("_Ahead")


def _work_ahead(
    count: int,
    look: Callable[[int], _Ahead],
    keep: Callable[[int, _Ahead], None],
    progress: Progress,
    give_way: Callable[[], bool],
) -> None:
    """So many things in another process, each kept as soon as it is known."""
    if not count or not count_helpers() or progress.cancelled or give_way():
        return
    with ProbeHelper(range(count), look, in_no_hurry=True) as helper:
        kept: set[int] = set()
        while len(kept) < count and not progress.cancelled and not give_way() and helper.wait():
            for place in helper.results.keys() - kept:
                keep(place, helper.results[place])
                kept.add(place)


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
