"""One draft tried on the messages of a base: by what is known already, and else by deciding them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from domains.deciders import make_decider
from domains.loading import load_domain
from engine.policy.values import Policy
from evals.effect import helping
from evals.effect.earlier import EarlierDraft
from evals.effect.helping import ProbeShares, Tried
from evals.effect.index import ProbeIndex
from evals.effect.looking import Look, ProbeLooks, run_one
from evals.effect.probes import SLOW
from evals.effect.reach import EditReach
from evals.effect.steps import ProbeSteps, find_at, find_moved

_AS_LONG_AS = 40
"""A conversation takes as long as so many messages."""


class DraftTrial:
    """What each place comes to under a draft. Without a `reach` every message is run, and nothing is kept of it."""

    def __init__(
        self,
        index: ProbeIndex,
        looks: ProbeLooks,
        draft: Policy,
        domain: str,
        reach: EditReach | None = None,
        steps: ProbeSteps | None = None,
        earlier: tuple[EarlierDraft, ...] = (),
        *,
        remember: bool = False,
    ) -> None:
        self.reach = reach
        self.looked: dict[int, Look] = {}
        """What was found, for a draft that stands on this one."""
        self.known = 0
        """So many places needed no deciding: they were tried with an earlier draft, or ahead."""
        self._index, self._looks, self._steps, self._earlier = index, looks, steps, earlier
        self._decider = make_decider(load_domain(domain), draft)
        self._drafted = ProbeLooks(draft, domain) if remember else None
        self._moved = find_moved(reach.touch, draft) if reach and steps else None

    def each(self, places: Sequence[int]) -> Iterator[tuple[int, Callable[[], Tried]]]:
        """Each with what tries it: here, or in one of the processes that help."""
        probes, looks = self._index.probes, self._looks
        known = {place: look for place in places if (look := looks.find(probes[place]))} if self.reach else {}
        shared: list[int] = []
        for number, place in enumerate(places):
            # Then to look is work to share, too; where much is known already, it is what spares the work.
            if len(shared) == 2 * helping.FEWEST and not (self._moved or self._earlier):
                shared += places[number:]
                break
            found = self._find_known(place, known[place]) if place in known else None
            if found:
                self.known += found[1] is not None
                yield place, partial(self._give, place, found)
            else:
                shared.append(place)

        def run(place: int) -> Tried:
            look, after = self._try(place)
            return None if place in known else look, after  # what was known before the fork need not be sent

        worth = sum(_AS_LONG_AS if probes[place].source in SLOW else 1 for place in shared)
        helpers = min(helping.count_helpers(), max(0, worth // helping.FEWEST - 1))
        with ProbeShares(shared, run, helpers) as shares:
            for place, tried in shares.each():
                if tried is None:
                    yield place, partial(self._try_here, place)
                    continue
                look, after = tried
                if look:
                    looks.keep(probes[place], look)
                yield place, partial(self._give, place, (look or known.get(place), after))

    def _find_known(self, place: int, look: Look) -> Tried | None:
        """Without deciding anything; None where that does not suffice."""
        if self.reach and not self.reach.touches(place, look.traces):
            return look, None
        steps = self._steps.find(self._index.probes[place]) if self._steps and self._moved else None
        there = find_at(steps, *self._moved) if steps and self._moved else None
        if there:
            return look, Look(there, None)
        return next(((look, found) for each in self._earlier if (found := each.find(place))), None)

    def _give(self, place: int, tried: Tried) -> Tried:
        _, after = tried
        if after and self._drafted:
            for trace in filter(None, after.traces):
                trace.names = {sys.intern(name) for name in trace.names}
            self.looked[place] = after
        return tried

    def _try_here(self, place: int) -> Tried:
        return self._give(place, self._try(place))

    def _try(self, place: int) -> Tried:
        """What it came to and comes to; without the latter where the edit cannot touch it."""
        probe, reach = self._index.probes[place], self.reach
        look = self._looks.find(probe)
        if look is None:
            if reach and not reach.may_touch(place):
                return None, None
            look = self._looks.get(probe)
        if reach is None:
            return look, Look(run_one(probe, self._decider), None)
        if look.messages and not reach.touch.everything:
            return look, self._try_messages(place, look, reach)
        return look, self._run(place) if reach.surely_touches(place, look.trace) else None

    def _try_messages(self, place: int, look: Look, reach: EditReach) -> Look | None:
        """A conversation is played again only where one of its messages is decided otherwise."""
        touched = [each for each in look.messages if reach.surely_touches(place, each.trace)]
        if not touched:
            return None
        if any(each.is_decided_otherwise(self._decider) for each in touched):
            return self._run(place)
        return Look(look.result, None)

    def _run(self, place: int) -> Look:
        """Decided anew, but where an earlier draft says it at a closer look."""
        for each in self._earlier:
            found = each.find(place, closely=True)
            if found:
                return found
        probe = self._index.probes[place]
        if self._drafted and probe.source not in SLOW:
            return self._drafted.get(probe)
        return Look(run_one(probe, self._decider), None)
