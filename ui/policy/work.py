"""What takes a while: the effect of a draft, and the search for a fix. Each has a thread of its own."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar, cast

from domains.drafts import PolicyDraft
from engine.policy.values import Policy
from evals.effect.finding import EditEffect, EffectRow
from evals.effect.outlook import EffectOutlook
from evals.effect.probes import ProbeSource
from evals.progress import Progress
from evals.suggesting.misread import Misread
from evals.suggesting.search import Suggestions, suggest
from ui import background
from ui.policy.bases import LockedBase
from ui.state.fields import put_value, read_value

SEARCH_SECONDS = 8.0
_MOST_KEPT = 24
_LATEST = "policy_latest_{}"
_lock = threading.Lock()
_kept: OrderedDict[tuple[Any, ...], DraftWork] = OrderedDict()
W = TypeVar("W", bound="DraftWork")


class DraftWork:
    """Something found out about a draft in the background."""

    def __init__(self) -> None:
        self.id = str(uuid.uuid4())
        self.progress = Progress(0)
        self.shown = threading.Event()
        """There is something to show."""
        self.ended = threading.Event()
        self.failed = False
        self.superseded = False
        """Ended for something else: where it is wanted again, it begins anew. What somebody stopped stays stopped."""

    def run(self) -> None:
        raise NotImplementedError

    def cancel(self) -> None:
        self.progress.cancelled = True

    def finish(self, ending: background.Ending) -> None:
        self.failed = ending == "failed"
        self.shown.set()
        self.ended.set()


class WarmWork(DraftWork):
    """Reads everything that drafts are tried on, and looks at it under today's policy, before anybody edits: the first
    effect waits for neither."""

    def __init__(self, base: LockedBase, played: LockedBase) -> None:
        super().__init__()
        self.base, self._played = base, played

    def run(self) -> None:
        self.base.get()
        self.base.look_ahead(self.progress)
        if not self.progress.cancelled:
            self._played.get()
        self.base.look_ahead(self.progress, steps=True)


class SearchedBase:
    """What a search tries its edits on: an effect that somebody waits for goes first."""

    def __init__(self, shared: LockedBase, progress: Progress) -> None:
        self._shared, self._progress = shared, progress

    def find_effect(
        self, draft: Policy, *, seconds: float | None = None, skip: Iterable[ProbeSource] = ()
    ) -> EditEffect:
        with self._shared.use(patient=True) as turn:
            return turn.base.find_effect(draft, seconds=seconds, skip=skip, give_way=turn.give_way, remember=False)

    def goes_on(self) -> bool:
        """Once nobody waits for an effect; False: the search is no longer wanted."""
        self._shared.wait_for_others()
        return not self._progress.cancelled


class SuggestWork(DraftWork):
    """The search for edits that mend one message."""

    found: Suggestions | None = None

    def __init__(self, base: LockedBase, draft: PolicyDraft, misread: Misread) -> None:
        super().__init__()
        self._base, self._draft, self._misread = base, draft, misread

    def run(self) -> None:
        base = SearchedBase(self._base, self.progress)
        # Conversations are played once an edit is in the draft: there they need not be waited for.
        self.found = suggest(
            self._misread, self._draft, base, seconds=SEARCH_SECONDS, conversations=False, goes_on=base.goes_on
        )


class EffectWork(DraftWork):
    """What a draft fixes, breaks and changes: first all messages, then the conversations, which take longer."""

    effect: EditEffect | None = None
    """None until all messages were looked at."""

    def __init__(self, base: LockedBase, played: LockedBase, draft: PolicyDraft) -> None:
        super().__init__()
        self._base, self._played, self._draft = base, played, draft
        self._rows: list[EffectRow] = []
        self._outlook, self._outlook_played = EffectOutlook(), EffectOutlook()

    @property
    def so_far(self) -> EditEffect:
        """What is known, complete or not: for a page that is drawn while it goes on."""
        rows, effect = tuple(self._rows), self.effect
        if effect is None:
            return EditEffect(
                rows, self.progress.done, self.progress.total, 0.0, complete=False, more=self._outlook.more
            )
        return effect if effect.complete else replace(effect, rows=rows, more=self._outlook_played.more)

    def run(self) -> None:
        policy = self._draft.policy
        with self._base.use() as turn:
            if self.progress.cancelled:
                return
            first = turn.base.find_effect(
                policy, progress=self.progress, tell=self._rows.append, outlook=self._outlook, give_way=turn.give_way
            )
        self.effect = replace(first, complete=False)
        self.shown.set()
        cancelled, self.progress = self.progress.cancelled, Progress(0)
        self.progress.cancelled = cancelled
        with self._played.use() as turn:
            played = turn.base.find_effect(
                policy,
                progress=self.progress,
                tell=self._rows.append,
                outlook=self._outlook_played,
                give_way=turn.give_way,
            )
        self.effect = replace(
            first,
            rows=(*first.rows, *played.rows),
            run=first.run + played.run,
            total=first.total + played.total,
            seconds=first.seconds + played.seconds,
            complete=first.complete and played.complete,
        )


def find_kept(key: tuple[Any, ...]) -> DraftWork | None:
    """The work of this key, if anybody began it: also in a tab that was closed since."""
    with _lock:
        return _kept.get(key)


def forget(key: tuple[Any, ...]) -> None:
    with _lock:
        work = _kept.pop(key, None)
    if work:
        work.cancel()


def supersede(key: tuple[Any, ...]) -> None:
    """Somebody wants another thing now: what takes long would hold that up."""
    with _lock:
        work = _kept.get(key)
    if work and not work.ended.is_set():
        work.superseded = True
        work.cancel()


def start_once(key: tuple[Any, ...], make: Callable[[], W]) -> W:
    """The work of this key, begun if it was not yet: a page runs at every click."""
    with _lock:
        work: W | None = cast("W | None", _kept.get(key))  # a key is of one kind of work
        if work is None or work.superseded:
            work = make()
            _kept[key] = work
            background.start(work.id, work, work.finish)
        _kept.move_to_end(key)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)[1].cancel()
    return work


def start_latest(kind: str, key: tuple[Any, ...], make: Callable[[], W]) -> W:
    """The same for what a session wants one of: what it wanted before goes no further."""
    end_other(kind, key)
    put_value(_LATEST.format(kind), key)
    return start_once(key, make)


def end_other(kind: str, key: tuple[Any, ...] | None = None) -> None:
    before: tuple[Any, ...] | None = read_value(_LATEST.format(kind))
    if before and before != key:
        supersede(before)
