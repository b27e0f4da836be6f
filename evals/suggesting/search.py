"""The search for a fix: every candidate is run on the message, those that mend it on everything else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol, cast

from domains.deciders import make_decider
from domains.drafts import PolicyDraft
from domains.loading import load_domain
from engine.editing.edits import Edit, size_of, tell_edit
from engine.editing.yaml_edits import EditError
from engine.explaining.anatomy import ReadingDecider
from engine.policy.loading import PolicyError
from engine.policy.values import Policy
from engine.why import find_why
from engine.why.values import DecidedBy
from evals.effect.finding import EditEffect
from evals.effect.probes import ProbeSource
from evals.suggesting.candidates import EditCandidate, find_candidates
from evals.suggesting.misread import Misread

_MOST_TRIED = 70
_MOST_WEIGHED = 14
"""So many edits that mend the message are run on everything else."""
_MOST_PLAYED = 3
"""So many of the best are also run on the conversations, which take longest."""
_SHOWN = 5
_SECONDS = 60.0


class TriedOn(Protocol):
    """What edits are run on: an `EffectBase`, or what shares one with others."""

    def find_effect(
        self, draft: Policy, *, seconds: float | None = None, skip: Iterable[ProbeSource] = ()
    ) -> EditEffect: ...


def go_on() -> bool:
    return True


class SearchTime:
    """How long a search has worked: while it lets others go first, no time passes."""

    def __init__(self, seconds: float, goes_on: Callable[[], bool]) -> None:
        self._start, self._seconds, self._goes_on = time.perf_counter(), seconds, goes_on

    @property
    def took(self) -> float:
        return time.perf_counter() - self._start

    def is_left(self) -> bool:
        """Waits until it may go on; False: it is to end."""
        waited = time.perf_counter()
        wanted = self._goes_on()
        self._start += time.perf_counter() - waited
        return wanted and self.took <= self._seconds


@dataclass(frozen=True, slots=True)
class SuggestedEdit:
    """An edit that mends the message, with all that it does besides."""

    edit: Edit
    effect: EditEffect
    draft: PolicyDraft
    doubt: float = 0.0
    mends: tuple[str, ...] = ()
    """Which of the misread messages it was looked for it mends, by their ids."""

    @property
    def safe(self) -> bool:
        return not self.effect.broken and self.effect.complete

    @property
    def rank(self) -> tuple[bool, int, float]:
        """1. nothing critical broken, 2. fixed minus broken, what it was looked for among it, each once, 3. the
        smaller edit, and the one that looks more like what a person would write."""
        fixed = {row.probe.id for row in self.effect.fixed}.union(self.mends)
        gained = len(fixed) - len(self.effect.broken)
        return bool(self.effect.critical), -gained, size_of(self.edit) + self.doubt

    @property
    def told(self) -> str:
        fixed, broken = len(self.effect.fixed), len(self.effect.broken)
        does = f"fixes {fixed}, breaks {broken or 'nothing'}"
        changed = f", changes {len(self.effect.changed)} besides" if self.effect.changed else ""
        return f"{tell_edit(self.edit).capitalize()}: {does}{changed}."


@dataclass(frozen=True, slots=True)
class Suggestions:
    misread: Misread
    found: tuple[SuggestedEdit, ...]
    """The best first."""
    tried: int
    mended: int
    """How many of those tried mend the message, whatever else they do."""
    decided_by: DecidedBy
    seconds: float
    complete: bool = True

    @property
    def safe(self) -> tuple[SuggestedEdit, ...]:
        return tuple(each for each in self.found if each.safe)

    @property
    def told(self) -> str:
        """In a sentence where nothing safe was found."""
        if self.safe:
            return ""
        if self.found:
            return f"Nothing safe was found: each of the {self.mended} edits that mend it breaks something else."
        talk = "; what was learned from conversations decides here, which a draft does not edit"
        return f"None of {self.tried} edits mends it{talk if self.decided_by == 'learned_talk' else ''}."


def suggest(
    misread: Misread,
    begun: PolicyDraft,
    base: TriedOn,
    *,
    seconds: float = _SECONDS,
    conversations: bool = True,
    playing: float = _SECONDS,
    goes_on: Callable[[], bool] = go_on,
) -> Suggestions:
    """`base` holds what the edits are tried on; it is of the policy that the draft begins with. So many `seconds` are
    spent on finding edits, and so many on `playing` the conversations that one may touch. `goes_on` is asked before
    each edit: it may wait, or say that nobody wants more."""
    timed = SearchTime(seconds, goes_on)
    domain = load_domain(misread.domain)
    decider = cast("ReadingDecider", make_decider(domain, begun.policy))  # a domain's own, or the engine
    why = find_why(misread.text, misread.context, decider, misread.wanted[0])
    mending: list[tuple[EditCandidate, PolicyDraft]] = []
    tried, complete = 0, True
    for candidate in find_candidates(misread, decider)[:_MOST_TRIED]:
        if not timed.is_left():
            complete = False
            break
        draft = make_draft(begun, candidate.edit)
        if draft is None:
            continue
        tried += 1
        if misread.passes(make_decider(domain, draft.policy)):
            mending.append((candidate, draft))
            if len(mending) == _MOST_WEIGHED:
                break
    weighed = [
        SuggestedEdit(each.edit, find_other_effects(base, draft), draft, each.doubt, (misread.id,))
        for each, draft in mending
    ]
    ranked = sorted(weighed, key=lambda each: each.rank)
    if conversations:
        ranked = play_best(ranked, base, playing)
    found = tuple(ranked[:_SHOWN])
    return Suggestions(misread, found, tried, len(mending), why.decided_by, timed.took, complete)


def make_draft(begun: PolicyDraft, edit: Edit) -> PolicyDraft | None:
    """None: the edit cannot be made, or what comes of it is no policy."""
    try:
        return begun.edit(edit)
    except (EditError, PolicyError):
        return None


def find_other_effects(base: TriedOn, draft: PolicyDraft) -> EditEffect:
    return base.find_effect(draft.policy, skip=("conversations",))


def play_best(ranked: Iterable[SuggestedEdit], base: TriedOn, seconds: float = _SECONDS) -> list[SuggestedEdit]:
    """The best once more, with the conversations; one that breaks one of them goes down."""
    first = list(ranked)
    for place, each in enumerate(first[:_MOST_PLAYED]):
        first[place] = replace(each, effect=base.find_effect(each.draft.policy, seconds=seconds))
        if first[place].safe:
            break
    return sorted(first, key=lambda each: each.rank)
