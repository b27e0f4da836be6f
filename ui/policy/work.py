"""What takes a while: the effect of a draft, and the search for a fix. Each has a thread of its own."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar, cast

from db.evaluation.cases import count_cases
from db.turns.history import count_turns
from db.turns.query import TurnQuery
from db.users import User
from domains.drafts import PolicyDraft
from domains.loading import TASKS
from evals.effect.conversations import probe_conversations
from evals.effect.finding import EditEffect, EffectBase, EffectRow
from evals.effect.gathering import probe_history, probe_project, probe_saved
from evals.effect.outlook import EffectOutlook
from evals.effect.probes import Probe
from evals.progress import Progress
from evals.suggesting.misread import Misread
from evals.suggesting.search import Suggestions, suggest
from ui import background
from ui.resources import load_database

SEARCH_SECONDS = 8.0
_MOST_BASES = 12
_MOST_KEPT = 24
_lock = threading.Lock()
_bases: OrderedDict[tuple[Any, ...], LockedBase] = OrderedDict()
_kept: OrderedDict[tuple[Any, ...], DraftWork] = OrderedDict()
W = TypeVar("W", bound="DraftWork")


class LockedBase:
    """What edits of one policy are tried on, by one thread at a time. Made when it is first needed."""

    def __init__(self, make: Callable[[], EffectBase]) -> None:
        self._lock = threading.RLock()
        self._make = make
        self._made: EffectBase | None = None
        self._users = 0
        self._nobody = threading.Condition()

    @property
    def made(self) -> EffectBase | None:
        """What there is already; waits for nobody."""
        return self._made

    def get(self) -> EffectBase:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    @contextmanager
    def use(self) -> Iterator[EffectBase]:
        """For an edit that somebody waits for: whoever looks ahead gives way."""
        with self._nobody:
            self._users += 1
        try:
            with self._lock:
                yield self.get()
        finally:
            with self._nobody:
                self._users -= 1
                self._nobody.notify_all()

    def look_ahead(self, progress: Progress) -> None:
        """Looks at all messages under today's policy while nobody waits for anything."""
        while not progress.cancelled:
            with self._nobody:
                self._nobody.wait_for(lambda: not self._users)
            with self._lock:
                self.get().look_ahead(progress, lambda: self._users > 0)
            if not self._users:
                return


@cache
def _project_messages(domain: str) -> tuple[Probe, ...]:
    return probe_project(domain, conversations=False)


@cache
def _project_conversations(domain: str) -> tuple[Probe, ...]:
    return probe_conversations() if domain == TASKS else ()


def find_base(user: User, draft: PolicyDraft, added: tuple[Probe, ...] = ()) -> LockedBase:
    """Every message known to this person, under the policy that the draft was made from. What the project has is read
    once for everybody: a message said meanwhile, or another case saved, costs little."""
    database, domain = load_database(), draft.domain
    with database.read() as session:
        own = (
            count_cases(session, user.id, domain=domain),
            count_turns(session, user.id, TurnQuery(domain=domain, with_words=True)),
        )
    key = (database, user.id, domain, draft.base.version, own, tuple(probe.id for probe in added))

    project = _keep_project(draft, "messages", _project_messages)

    def make() -> EffectBase:
        saved, said = probe_saved(database, user.id, domain), probe_history(database, user.id, domain)
        return EffectBase((*saved, *said, *added), draft.base, domain, onto=project.get())

    return _keep_base(key, make)


def find_played(draft: PolicyDraft) -> LockedBase:
    """The conversations of the project. To read them takes seconds, and a search for a fix does without."""
    return _keep_project(draft, "conversations", _project_conversations)


def _keep_project(draft: PolicyDraft, what: str, load: Callable[[str], Sequence[Probe]]) -> LockedBase:
    domain, policy = draft.domain, draft.base

    def make() -> EffectBase:
        made = EffectBase(load(domain), policy, domain)
        with _lock:
            kept = [base for key, base in reversed(_bases.items()) if key[:2] == (domain, what)]
        earlier = next((each for base in kept if (each := base.made) and each.policy.language == policy.language), None)
        if earlier:  # what was seen under the version before need not be looked at again
            made.take_over(earlier)
        return made

    return _keep_base((domain, what, policy.version), make)


def _keep_base(key: tuple[Any, ...], make: Callable[[], EffectBase]) -> LockedBase:
    with _lock:
        base = _bases.setdefault(key, LockedBase(make))
        _bases.move_to_end(key)
        while len(_bases) > _MOST_BASES:
            _bases.popitem(last=False)
    return base


class DraftWork:
    """Something found out about a draft in the background."""

    def __init__(self) -> None:
        self.id = str(uuid.uuid4())
        self.progress = Progress(0)
        self.shown = threading.Event()
        """There is something to show."""
        self.ended = threading.Event()
        self.failed = False

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


class SuggestWork(DraftWork):
    """The search for edits that mend one message."""

    found: Suggestions | None = None

    def __init__(self, base: LockedBase, draft: PolicyDraft, misread: Misread) -> None:
        super().__init__()
        self._base, self._draft, self._misread = base, draft, misread

    def run(self) -> None:
        with self._base.use() as base:
            if self.progress.cancelled:
                return
            # Conversations are played once an edit is in the draft: there they need not be waited for.
            self.found = suggest(self._misread, self._draft, base, seconds=SEARCH_SECONDS, conversations=False)


class EffectWork(DraftWork):
    """What a draft fixes, breaks and changes: first all messages, then the conversations, which take longer."""

    effect: EditEffect | None = None
    """None until all messages were looked at."""

    def __init__(self, base: LockedBase, played: LockedBase, draft: PolicyDraft) -> None:
        super().__init__()
        self._base, self._played, self._draft = base, played, draft
        self._rows: list[EffectRow] = []
        self._outlook = EffectOutlook()

    @property
    def so_far(self) -> EditEffect:
        """What is known, complete or not: for a page that is drawn while it goes on."""
        rows, effect = tuple(self._rows), self.effect
        if effect is None:
            return EditEffect(
                rows, self.progress.done, self.progress.total, 0.0, complete=False, more=self._outlook.more
            )
        return effect if effect.complete else replace(effect, rows=rows)

    def run(self) -> None:
        policy = self._draft.policy
        with self._base.use() as base:
            if self.progress.cancelled:
                return
            first = base.find_effect(policy, progress=self.progress, tell=self._rows.append, outlook=self._outlook)
        self.effect = replace(first, complete=False)
        self.shown.set()
        cancelled, self.progress = self.progress.cancelled, Progress(0)
        self.progress.cancelled = cancelled
        with self._played.use() as conversations:
            played = conversations.find_effect(policy, progress=self.progress, tell=self._rows.append)
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


def start_once(key: tuple[Any, ...], make: Callable[[], W]) -> W:
    """The work of this key, begun if it was not yet: a page runs at every click."""
    with _lock:
        work: W | None = cast("W | None", _kept.get(key))  # a key is of one kind of work
        if work is None or (work.progress.cancelled and work.ended.is_set()):
            work = make()
            _kept[key] = work
            background.start(work.id, work, work.finish)
        _kept.move_to_end(key)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)[1].cancel()
    return work
