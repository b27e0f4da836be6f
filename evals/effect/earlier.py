"""What the drafts that were tried last came to, message by message.

Whoever edits a policy makes one edit after another, each on top of those before. What an earlier draft came to is what
the next one comes to wherever the difference between the two cannot touch it. So a wide edit is waited for once: to
edit on, to move a threshold a little further, or to take the last edit back costs what that step itself touches.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from engine.editing.touching import find_touch
from engine.policy.values import Policy
from evals.effect.index import ProbeIndex
from evals.effect.looking import Look
from evals.effect.reach import EditReach

_MOST = 3
"""The one before, the one that somebody may go back to, and another person's: conversations are shared by all."""


class TriedDraft(NamedTuple):
    policy: Policy
    looks: Mapping[int, Look]
    """What it came to at each place that was looked at, and what that was held to."""


class EarlierDraft:
    """A draft that was tried, beside the one that is tried now."""

    def __init__(self, tried: TriedDraft, reach: EditReach) -> None:
        self._tried, self._reach = tried, reach

    def find(self, place: int, *, closely: bool = False) -> Look | None:
        """What the place comes to, where the difference between the two drafts cannot touch it."""
        look = self._tried.looks.get(place)
        if look is None:
            return None
        if closely:
            touched = any(self._reach.surely_touches(place, trace) for trace in look.traces)
        else:
            touched = self._reach.touches(place, look.traces)
        return None if touched else look


class EarlierDrafts:
    """Of one base, the latest first."""

    def __init__(self, index: ProbeIndex) -> None:
        self._index = index
        self._tried: deque[TriedDraft] = deque(maxlen=_MOST)

    def keep(self, policy: Policy, looks: Mapping[int, Look]) -> None:
        if looks and _reads_words_alike(self._index.policy, policy):
            same = [each for each in self._tried if each.policy.version == policy.version]
            known: dict[int, Look] = {}
            for each in same:  # what was stopped in the middle, and begun again
                known.update(each.looks)
                self._tried.remove(each)
            self._tried.appendleft(TriedDraft(policy, known | dict(looks)))

    def beside(self, draft: Policy) -> tuple[EarlierDraft, ...]:
        """Those that can say something of this draft."""
        found = []
        for tried in tuple(self._tried):
            touch = find_touch(tried.policy, draft)
            if not touch.everything:
                found.append(EarlierDraft(tried, EditReach(self._index.under(tried.policy), touch, draft)))
        return tuple(found)


def _reads_words_alike(base: Policy, draft: Policy) -> bool:
    """Whether every form in which a rule may meet a word is one that the index of the base has, and whether classes are
    noted by the same places."""
    return (
        draft.spellings == base.spellings
        and draft.elisions == base.elisions
        and draft.misspellings == base.misspellings
        and draft.amounts == base.amounts
        and draft.weights.vocabulary == base.weights.vocabulary
        # A word that is not known any more may be a slip of another one.
        and base.word_classes.keys() <= draft.word_classes.keys()
        and draft.reading_words.keys() == base.reading_words.keys()
    )
