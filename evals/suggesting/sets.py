"""Fixes for a set of misread messages: one edit that mends several of them comes before one that mends one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from domains.deciders import make_decider
from domains.drafts import PolicyDraft
from domains.loading import load_domain
from engine.editing.edits import Edit, size_of
from engine.explaining.anatomy import ReadingDecider
from evals.progress import Progress
from evals.suggesting.candidates import EditCandidate, find_candidates
from evals.suggesting.misread import Misread
from evals.suggesting.search import (
    SearchTime,
    SuggestedEdit,
    TriedOn,
    find_other_effects,
    go_on,
    make_draft,
    play_best,
)

_MOST_EACH = 40
"""So many candidates of each message are tried on it."""
_MOST_WEIGHED = 16
"""So many of the edits that mend most are run on everything else."""
_SHOWN = 8
_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class SetSuggestions:
    misreads: tuple[Misread, ...]
    found: tuple[SuggestedEdit, ...]
    """The best first; `mends` says which of the messages each mends."""
    tried: int
    seconds: float
    complete: bool = True

    @property
    def mended(self) -> frozenset[str]:
        """Those that at least one safe edit mends."""
        return frozenset(each for edit in self.found if edit.safe for each in edit.mends)

    @property
    def told(self) -> str:
        count = len(self.misreads)
        if not self.found:
            return f"None of {self.tried} edits mends any of the {count}."
        if not any(each.safe for each in self.found):
            return f"Nothing safe was found: every edit that mends one of the {count} breaks something else."
        return f"{len(self.mended)} of {count} can be mended with nothing broken."


@dataclass(slots=True)
class _Tried:
    candidate: EditCandidate
    draft: PolicyDraft
    mends: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[int, float]:
        return -len(self.mends), size_of(self.candidate.edit) + self.candidate.doubt


def suggest_for_set(
    misreads: Sequence[Misread],
    begun: PolicyDraft,
    base: TriedOn,
    *,
    seconds: float = _SECONDS,
    conversations: bool = True,
    progress: Progress | None = None,
    goes_on: Callable[[], bool] = go_on,
) -> SetSuggestions:
    """All of one language, which is that of the draft. `progress` counts the messages, and can end it early; `goes_on`
    as in `suggest`."""
    timed = SearchTime(seconds, goes_on)
    progress = progress or Progress(0)
    progress.total = len(misreads)
    tried: dict[Edit, _Tried | None] = {}
    complete = True
    for misread, candidates in _each_with_candidates(misreads, begun):
        if progress.cancelled or not timed.is_left():
            complete = False
            break
        for candidate in candidates[:_MOST_EACH]:
            if candidate.edit not in tried and goes_on():
                tried[candidate.edit] = _try(candidate, misread, misreads, begun)
        progress.step()
    mending = sorted((each for each in tried.values() if each and each.mends), key=lambda each: each.order)
    weighed: list[SuggestedEdit] = []
    for each in _worth_weighing(mending):
        effect = find_other_effects(base, each.draft)
        weighed.append(SuggestedEdit(each.candidate.edit, effect, each.draft, each.candidate.doubt, each.mends))
    ranked = sorted(weighed, key=lambda each: each.rank)
    if conversations:
        ranked = play_best(ranked, base)
    found = tuple(_each_adding(ranked))[:_SHOWN]
    return SetSuggestions(tuple(misreads), found, len(tried), timed.took, complete)


def _each_with_candidates(
    misreads: Sequence[Misread], begun: PolicyDraft
) -> Iterator[tuple[Misread, tuple[EditCandidate, ...]]]:
    for misread in misreads:
        yield (
            misread,
            find_candidates(misread, cast("ReadingDecider", make_decider(load_domain(misread.domain), begun.policy))),
        )


def _try(
    candidate: EditCandidate, proposed_by: Misread, misreads: Sequence[Misread], begun: PolicyDraft
) -> _Tried | None:
    """On the message that it was made for, and where it mends that, on all of them."""
    draft = make_draft(begun, candidate.edit)
    if draft is None:
        return None
    decider = make_decider(load_domain(proposed_by.domain), draft.policy)
    found = _Tried(candidate, draft)
    if proposed_by.passes(decider):
        found.mends = tuple(each.id for each in misreads if each is proposed_by or each.passes(decider))
    return found


def _worth_weighing(mending: Sequence[_Tried]) -> Iterator[_Tried]:
    """Those that mend most, and of every message at least the likeliest."""
    chosen = list(mending[:_MOST_WEIGHED])
    covered = {each for tried in chosen for each in tried.mends}
    for tried in mending[_MOST_WEIGHED:]:
        if not covered.issuperset(tried.mends):
            chosen.append(tried)
            covered.update(tried.mends)
    yield from chosen


def _each_adding(ranked: Sequence[SuggestedEdit]) -> Iterator[SuggestedEdit]:
    """Without those that mend nothing beyond what better ones mend: what is left is worth a look each."""
    covered: set[str] = set()
    for each in ranked:
        if not covered.issuperset(each.mends):
            yield each
        if each.safe:
            covered.update(each.mends)
