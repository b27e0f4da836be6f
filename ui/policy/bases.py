"""What drafts are tried on: kept for all sessions, used by one thread at a time, and by each in its turn."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from db.evaluation.cases import count_cases
from db.turns.history import count_turns
from db.turns.query import TurnQuery
from db.users import User
from domains.drafts import PolicyDraft
from domains.loading import TASKS
from evals.effect.conversations import probe_conversations
from evals.effect.finding import EffectBase
from evals.effect.gathering import probe_history, probe_project, probe_saved
from evals.effect.probes import Probe
from evals.progress import Progress
from ui.resources import load_database

_MOST_BASES = 12
_SLICE_SECONDS = 0.5
_lock = threading.Lock()
_bases: OrderedDict[tuple[Any, ...], LockedBase] = OrderedDict()


class LockedBase:
    """What edits of one policy are tried on, by one thread at a time. Made when it is first needed."""

    def __init__(self, make: Callable[[], EffectBase]) -> None:
        self._lock = threading.RLock()
        self._make = make
        self._made: EffectBase | None = None
        self._turns: list[BaseTurn] = []
        """Those who want to go on, in their order: the first one does."""
        self._changed = threading.Condition()

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
    def use(self, *, patient: bool = False) -> Iterator[BaseTurn]:
        """For an edit that somebody waits for: whoever looks ahead gives way, and whoever is `patient` before each
        probe. Two who are not take turns: nobody waits until the other's thousand conversations are played."""
        turn = BaseTurn(self, 0.0 if patient else _SLICE_SECONDS)
        with self._changed:
            self._turns.append(turn)
        try:
            self.take(turn)
            yield turn
        finally:
            self.leave(turn)
            with self._changed:
                self._turns.remove(turn)
                self._changed.notify_all()

    def take(self, turn: BaseTurn) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._turns[0] is turn)
        self._lock.acquire()
        turn.since = time.monotonic()

    def leave(self, turn: BaseTurn) -> None:
        if turn.since is not None:
            turn.since = None
            self._lock.release()

    def let_others(self, turn: BaseTurn) -> None:
        """Whoever waits goes on, and this one when it comes to it again."""
        if len(self._turns) == 1:
            return
        self.leave(turn)
        with self._changed:
            self._turns.remove(turn)
            self._turns.append(turn)
            self._changed.notify_all()
        self.take(turn)

    def wait_for_others(self) -> None:
        """For whoever works beside this, and would take the processor from those who are waited for."""
        with self._changed:
            self._changed.wait_for(lambda: not self._turns)

    def look_ahead(self, progress: Progress, *, steps: bool = False) -> None:
        """Looks at all messages under today's policy while nobody waits for anything; `steps`: and then at where each
        threshold would lead to."""
        while not progress.cancelled:
            self.wait_for_others()
            with self._lock:
                base = self.get()
                (base.step_ahead if steps else base.look_ahead)(progress, lambda: bool(self._turns))
            if not self._turns:
                return


class BaseTurn:
    """The use of a base by one who others may be waiting for."""

    def __init__(self, shared: LockedBase, seconds: float) -> None:
        self._shared, self._seconds = shared, seconds
        self.since: float | None = None
        """None: it is another one's turn."""

    @property
    def base(self) -> EffectBase:
        return self._shared.get()

    def give_way(self) -> None:
        """Between two probes, when its time is up."""
        if self.since is not None and time.monotonic() - self.since >= self._seconds:
            self._shared.let_others(self)


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
