"""Recorded turns decided again, each in the context in which it was said: what would be decided otherwise now."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from db.connection import Database
from db.turns.history import batches
from db.turns.turns import StoredTurn, find_turns, read_decisions
from domains.deciders import make_decider
from domains.loading import TASKS, load_domain
from engine.border.json_form import from_json
from engine.border.wire import read_context
from engine.decision import Decider, Decision
from engine.explaining.agreement import calls_of
from evals.otherwise import Sort, is_otherwise, sort_change
from evals.progress import Progress

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReplayChange:
    turn_id: str
    text: str
    said_at: datetime
    before: Decision
    after: Decision
    titles: dict[str, str]
    """Of the tasks that the turn saw, by id."""

    @property
    def sort(self) -> Sort:
        return sort_change(self.before, self.after)


@dataclass
class Replay:
    """The whole work; `run` is for a thread of its own."""

    database: Database
    user_id: str
    turn_ids: tuple[str, ...]
    decider: Decider
    label: str = ""
    """What it was replayed under, for people."""
    others: Mapping[str, Decider] = field(default_factory=dict)
    """Who decides in another domain; where none is named, that domain's own decider as its files are."""
    changes: list[ReplayChange] = field(default_factory=list)
    unreadable: int = 0
    """Turns whose record could not be decided again."""
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = Progress(len(self.turn_ids))

    def cancel(self) -> None:
        self.progress.cancelled = True

    @property
    def counts(self) -> dict[Sort, int]:
        return dict(Counter(change.sort for change in tuple(self.changes)))

    def run(self) -> None:
        for ids in batches(self.turn_ids):
            with self.database.read() as session:
                turns = {turn.id: turn for turn in find_turns(session, self.user_id, ids)}
                bodies = read_decisions(session, self.user_id, ids)
            for turn_id in ids:  # in the order of the list; a turn cleared meanwhile is passed over
                if self.progress.cancelled:
                    return
                if turn_id in turns and "engine" in bodies.get(turn_id, {}):
                    self._decide(turns[turn_id], from_json(Decision, bodies[turn_id]["engine"]))
                self.progress.step()

    def _decide(self, turn: StoredTurn, before: Decision) -> None:
        try:
            context = read_context(turn.context, turn.created_at, load_domain(turn.domain))
            after = self._decider_of(turn.domain).decide(turn.text, context)
        except Exception:  # a turn that cannot be decided again must not end the replay of the others
            _log.exception("Turn %s could not be replayed", turn.id)
            self.unreadable += 1
            return
        if is_otherwise(before, after):
            numbered = load_domain(turn.domain).catalogue.numbered
            named = {target for each in (before, after) for target in _targets(each)}
            things = [thing for target in named if (thing := context.tasks.find_by_id(target))]
            titles = {each.id: f"#{each.number} {each.title}" if numbered else each.title for each in things}
            self.changes.append(ReplayChange(turn.id, turn.text, turn.created_at, before, after, titles))

    def _decider_of(self, domain: str) -> Decider:
        """The decider is for the first domain; a turn of another one is decided by that one's own."""
        return self.decider if domain == TASKS else self.others.get(domain) or make_decider(load_domain(domain))


def _targets(decision: Decision) -> Iterator[str]:
    for call in calls_of(decision):
        yield from (value for value in call.parameters.values() if isinstance(value, str))
