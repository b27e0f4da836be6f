"""LLM parts that are under way: each in a thread of its own, so that no page and no other person waits for it.

What they come to is in the store; this only knows what is not there yet: the words so far, and how to stop.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from assistant import Assistant, OpenTurn
from db.connection import Session
from db.failures import StoreUnavailableError, ToolFailure
from db.turns.turns import StoredTurn, waits_for_nobody
from llm.patience import Cancel

_log = logging.getLogger(__name__)
_LONGEST = timedelta(minutes=5)
"""Longer than every time limit together: a turn that waits since then waits for nobody."""
_UNFINISHED = "Something went wrong, and this message was not finished. The details are in the log."
_THREAD_NAME = "llm-turn-"
_running: dict[str, LiveTurn] = {}


@dataclass
class LiveTurn:
    id: str
    cancel: Cancel = field(default_factory=Cancel)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts)


def start(assistant: Assistant, turn: OpenTurn) -> None:
    """Returns at once; the turn's record in the store says when it is done."""
    live = LiveTurn(turn.id)
    _running[turn.id] = live
    name = f"{_THREAD_NAME}{turn.id[:8]}"
    threading.Thread(target=_finish, args=(assistant, turn, live), name=name, daemon=True).start()


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith(_THREAD_NAME)]


def count_running() -> int:
    """Those that are asked, and those that stand in a model's queue."""
    return len(_running)


def find(turn_id: str) -> LiveTurn | None:
    return _running.get(turn_id)


def is_lost(session: Session, turn: StoredTurn) -> bool:
    """Whether the turn waits for an answer that nobody will bring: its process was stopped."""
    if turn.llm_status != "waiting" or turn.id in _running:
        return False
    now = datetime.now(UTC)
    return waits_for_nobody(session, turn, now) or now - turn.created_at > _LONGEST


def _finish(assistant: Assistant, turn: OpenTurn, live: LiveTurn) -> None:
    try:
        assistant.finish_turn(turn, live.texts.append, live.cancel)
    except ToolFailure:
        _log.info("Turn %s was cleared while the LLM was asked.", turn.id)
    except Exception as error:
        _log.exception("Turn %s could not be finished", turn.id)
        _end(assistant, turn, error)
    finally:
        _running.pop(turn.id, None)


def _end(assistant: Assistant, turn: OpenTurn, error: Exception) -> None:
    """The store may be back by now. If not, the turn waits, and its Stop ends it."""
    sentence = str(error) if isinstance(error, StoreUnavailableError) else _UNFINISHED
    try:
        assistant.end_turn(turn, sentence)
    except Exception:
        _log.exception("Turn %s could not be ended either", turn.id)
