"""Which processes of the workbench are there. Several may serve one store: what one began, the others must be able to
tell from what nobody works on any more."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlmodel import Session, col, delete, select

from db.connection import Database
from db.failures import StoreUnavailableError
from db.process_models import ProcessRow

_log = logging.getLogger(__name__)
OWN_ID: Final = str(uuid.uuid4())
"""This process, to those who look at what it began."""
BEAT_SECONDS: Final = 5.0
SILENCE: Final = timedelta(seconds=20)
"""A process that has said nothing for so long is gone."""
_FORGOTTEN: Final = timedelta(days=1)


def say_here(session: Session, now: datetime, process_id: str = OWN_ID) -> None:
    moment = now.astimezone(UTC)
    row = session.get(ProcessRow, process_id)
    if row is None:
        session.exec(delete(ProcessRow).where(col(ProcessRow.seen_at) < moment - _FORGOTTEN))
        session.add(ProcessRow(id=process_id, started_at=moment, seen_at=moment))
    else:
        row.seen_at = moment
    session.flush()


def say_goodbye(session: Session, now: datetime, process_id: str = OWN_ID) -> None:
    """From now on it is gone: nobody need wait until its silence shows."""
    say_here(session, now - 2 * SILENCE, process_id)


def is_gone(session: Session, process_id: str, now: datetime, since: datetime) -> bool:
    """Whether nobody will come back for what this process began at that moment. One that was never heard of may not
    have spoken yet."""
    seen = session.exec(select(ProcessRow.seen_at).where(ProcessRow.id == process_id)).first()
    return now.astimezone(UTC) - _in_utc(seen or since) > SILENCE


def _in_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class Presence:
    """Says every few seconds that this process is there, and lets others look after what dead ones left behind."""

    def __init__(
        self, load_database: Callable[[], Database], clock: Callable[[], datetime], look_after: Callable[[], None]
    ) -> None:
        self._load_database, self._clock, self._look_after = load_database, clock, look_after
        self._over = threading.Event()

    def start(self) -> None:
        self._over.clear()
        threading.Thread(target=self._go_on, name="presence", daemon=True).start()

    def stop(self) -> None:
        self._over.set()
        self._try(self._leave)

    def beat(self) -> None:
        with self._load_database().write() as session:
            say_here(session, self._clock())

    def _leave(self) -> None:
        with self._load_database().write() as session:
            say_goodbye(session, self._clock())

    def _go_on(self) -> None:
        while not self._over.is_set():
            self._try(self.beat)
            self._try(self._look_after)
            self._over.wait(BEAT_SECONDS)

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (StoreUnavailableError, OSError) as error:  # it is tried again in a moment
            _log.info("The store could not be told that this process is here: %s", error)
        except Exception:  # a bug of ours must not end the beat
            _log.exception("Looking after the other processes failed")
