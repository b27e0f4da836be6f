"""How long turns are kept: after so many days they lose their words, or go altogether.

A few hundred at a time, each batch in a short transaction of its own, so that nobody waits for it. What a turn changed
stays: tasks, and the audit trail that undo goes by. So do cases that somebody saved.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from sqlmodel import Session, col, delete, select, update

from db.connection import Database
from db.failures import StoreUnavailableError
from db.models import ConversationRow, DecisionRow, TurnRow
from db.turns.conversations import touch

_log = logging.getLogger(__name__)
_BATCH: Final = 200
_HOUR: Final = 3600.0
_KEPT_OF_SUMMARY: Final = (
    "endpoint", "model", "path", "outcome", "failure", "exchanges", "prompt_tokens", "answer_tokens", "first_token_ms",
    "total_ms", "cost", "confidence_source",
)  # fmt: skip
"""Of what the LLM's part came to: figures. The rest quotes what was said."""

Fate = Literal["strip", "remove"]


@dataclass(frozen=True, slots=True)
class Retention:
    days: int
    fate: Fate = "strip"
    """strip: its figures stay (who decided what, how sure, how quick), its words go; remove: the turn goes."""


def forget_some(session: Session, retention: Retention, now: datetime) -> int:
    """Of the turns that are older, the oldest few; how many these were."""
    before = now.astimezone(UTC) - timedelta(days=retention.days)
    old = select(TurnRow).where(TurnRow.created_at < before, col(TurnRow.stripped_at).is_(None))
    if retention.fate == "remove":  # also those that lost their words under another setting
        old = select(TurnRow).where(TurnRow.created_at < before)
    rows = session.exec(old.order_by(col(TurnRow.created_at)).limit(_BATCH)).all()
    if not rows:
        return 0
    if retention.fate == "remove":
        _remove(session, rows)
    else:
        _strip(session, rows, now)
    _tidy(session, {row.conversation_id for row in rows}, before)
    session.flush()
    return len(rows)


def _strip(session: Session, rows: Sequence[TurnRow], now: datetime) -> None:
    for row in rows:
        row.text = row.text_key = ""
        row.reply = None if row.reply is None else ""
        row.task_ids, row.results, row.offers, row.context, row.progress = [], [], [], {}, None
        row.llm_summary = {name: row.llm_summary[name] for name in _KEPT_OF_SUMMARY if name in row.llm_summary}
        row.stripped_at = now.astimezone(UTC)
    decided = update(DecisionRow).where(col(DecisionRow.turn_id).in_([row.id for row in rows]))
    session.exec(decided.values(body={}))


def _remove(session: Session, rows: Sequence[TurnRow]) -> None:
    gone = [row.id for row in rows]
    session.exec(delete(DecisionRow).where(col(DecisionRow.turn_id).in_(gone)))
    session.exec(delete(TurnRow).where(col(TurnRow.id).in_(gone)))  # verdicts go with their turns


def _tidy(session: Session, conversation_ids: set[str], before: datetime) -> None:
    """A conversation's name is its first message; without one it is called by its day. One that is empty goes."""
    left = set(session.exec(select(TurnRow.conversation_id).where(col(TurnRow.conversation_id).in_(conversation_ids))))
    for row in session.exec(select(ConversationRow).where(col(ConversationRow.id).in_(conversation_ids))):
        began, changed = _in_utc(row.created_at), _in_utc(row.updated_at)
        if row.id not in left and changed < before:
            session.delete(row)
            continue
        if not row.named and began < before:
            row.title = f"Conversation of {began:%Y-%m-%d}"
        if changed < before:
            row.pending = None
        moment = row.updated_at
        touch(row)
        row.updated_at = moment  # nobody used it: its place in the list stays


def _in_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class RetentionWatch:
    """Looks once an hour, in the background. Several processes may: what one has done, the others find done."""

    def __init__(
        self,
        load_database: Callable[[], Database],
        retention: Retention | None,
        clock: Callable[[], datetime],
        *,
        seconds: float = _HOUR,
    ) -> None:
        self._load_database, self._retention, self._clock, self._seconds = load_database, retention, clock, seconds
        self._over = threading.Event()

    def start(self) -> None:
        if self._retention is not None:
            self._over.clear()
            threading.Thread(target=self._go_on, name="retention", daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def look(self) -> int:
        """All that is due, batch by batch; how many turns it was."""
        done = 0
        while self._retention is not None and not self._over.is_set():
            with self._load_database().write() as session:
                some = forget_some(session, self._retention, self._clock())
            done += some
            if some < _BATCH:
                break
        return done

    def _go_on(self) -> None:
        while not self._over.is_set():
            try:
                done = self.look()
                if done:
                    _log.info("%d old turns were forgotten.", done)
            except StoreUnavailableError as error:
                _log.warning("Old turns could not be forgotten now: %s", error)
            except Exception:  # a bug of ours must not end the looking
                _log.exception("Old turns could not be forgotten")
            self._over.wait(self._seconds)
