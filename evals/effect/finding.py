"""The effect of an edit: what it fixes, what it breaks, what it changes besides."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from domains.deciders import make_decider
from domains.loading import load_domain
from engine.decision import Decider
from engine.editing.touching import Touch, find_touch
from engine.policy.values import Policy
from evals.effect.helping import FEWEST, ProbeHelper, ProbeShares, Tried, count_helpers
from evals.effect.index import ProbeIndex
from evals.effect.looking import Look, ProbeLooks, run_one
from evals.effect.outlook import EffectOutlook
from evals.effect.probes import SLOW, Probe, ProbeResult, ProbeSource
from evals.effect.reach import EditReach
from evals.progress import Progress

EffectKind = Literal["fixed", "broken", "changed"]
_AS_LONG_AS = 40
"""A conversation takes as long as so many messages."""
_MANY = 2 * FEWEST
"""So many that an edit can touch are found before processes are begun for them, and for the rest."""


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
        probes = [each for each in self.index.probes if each.source not in SLOW and self.looks.find(each) is None]
        progress.total = len(probes)
        if not count_helpers():
            return

        def look(place: int) -> Tried:
            return self.looks.get(probes[place]), None

        with ProbeHelper(range(len(probes)), look, in_no_hurry=True) as helper:
            kept: set[int] = set()
            while len(kept) < len(probes) and not progress.cancelled and not give_way() and helper.wait():
                for place in helper.results.keys() - kept:
                    found, _ = helper.results[place]
                    if found:
                        self.looks.keep(probes[place], found)
                    kept.add(place)
                    progress.step()

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
    ) -> EditEffect:
        """`seconds`: then it ends, incomplete; `tell` gets each row at once; sources to `skip` are left out; `outlook`
        can be read meanwhile; `give_way` is called after each probe, and others may use this base until it returns."""
        left_out = frozenset(skip)
        reach = EditReach(self.index, self._find_touch(draft), draft, left_out)
        total = sum(probe.source not in left_out for probe in self.index.probes)
        return self._run(draft, reach.places, reach, total, seconds, progress, tell, outlook, give_way)

    def _find_touch(self, draft: Policy) -> Touch:
        """A domain with a reading of its own looks words up in its own way, of all languages at once."""
        if load_domain(self.domain).conduct:
            return Touch(everything=("it is read in a way of its own",))
        return find_touch(self.policy, draft)

    def run_everything(self, draft: Policy) -> EditEffect:
        """The same without the shortcut: what the shortcut is held to."""
        every = list(range(len(self.index.probes)))
        return self._run(draft, every, None, len(every), None, None, None)

    def _run(
        self,
        draft: Policy,
        places: list[int],
        reach: EditReach | None,
        total: int,
        seconds: float | None,
        progress: Progress | None,
        tell: Callable[[EffectRow], None] | None,
        outlook: EffectOutlook | None = None,
        give_way: Callable[[], None] | None = None,
    ) -> EditEffect:
        start = time.perf_counter()
        outlook = outlook or EffectOutlook()
        outlook.begin(reach.sizes if reach else (len(places),))
        decider = make_decider(load_domain(self.domain), draft)
        rows: dict[int, EffectRow] = {}
        run = looked = 0
        if progress:
            progress.total = len(places)
        for place, tried in self._try_each(places, reach, decider):
            late = seconds is not None and time.perf_counter() - start > seconds
            if late or (progress and progress.cancelled):
                break
            before, after = tried()
            looked += 1
            run += after is not None
            row = compare_results(self.index.probes[place], before.result, after) if before and after else None
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
        return EditEffect(in_order, run, total, took, complete, touch, None if complete else outlook.more)

    def _try(self, place: int, reach: EditReach | None, decider: Decider) -> Tried:
        """What it came to and comes to; without the latter where the edit cannot touch it."""
        probe = self.index.probes[place]
        look = self.looks.find(probe)
        if look is None:
            if reach and not reach.may_touch(place):
                return None, None
            look = self.looks.get(probe)
        if reach is None:
            return look, run_one(probe, decider)
        if look.messages and not reach.touch.everything:
            return look, self._try_messages(place, look, reach, decider)
        return look, run_one(probe, decider) if reach.surely_touches(place, look.trace) else None

    def _try_messages(self, place: int, look: Look, reach: EditReach, decider: Decider) -> ProbeResult | None:
        """A conversation is played again only where one of its messages is decided otherwise."""
        touched = [each for each in look.messages if reach.surely_touches(place, each.trace)]
        if not touched:
            return None
        if any(each.is_decided_otherwise(decider) for each in touched):
            return run_one(self.index.probes[place], decider)
        return look.result

    def _try_each(
        self, places: list[int], reach: EditReach | None, decider: Decider
    ) -> Iterator[tuple[int, Callable[[], Tried]]]:
        """Each with what tries it: here, or in one of the processes that help."""
        probes, looks = self.index.probes, self.looks
        known = {place: look for place in places if (look := looks.find(probes[place]))} if reach else {}
        shared: list[int] = []
        for number, place in enumerate(places):
            if len(shared) == _MANY:  # then to look is work to share, too
                shared += places[number:]
                break
            if reach and place in known and not reach.touches(place, known[place].traces):
                yield place, partial(_given, known[place], None)
            else:
                shared.append(place)

        def run(place: int) -> Tried:
            look, after = self._try(place, reach, decider)
            return None if place in known else look, after  # what was known before the fork need not be sent

        worth = sum(_AS_LONG_AS if probes[place].source in SLOW else 1 for place in shared)
        with ProbeShares(shared, run, min(count_helpers(), max(0, worth // FEWEST - 1))) as shares:
            for place, tried in shares.each():
                if tried is None:
                    yield place, partial(self._try, place, reach, decider)
                    continue
                look, after = tried
                if look:
                    looks.keep(probes[place], look)
                yield place, partial(_given, look or known.get(place), after)


def _given(before: Look | None, after: ProbeResult | None) -> Tried:
    return before, after


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
