"""Long work of the pages, each in a thread of its own: no page waits for it, and none interrupts it.

Streamlit ends a script run as soon as the next one starts; work in a thread goes on, and a page that is opened again
finds it by its id.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Literal, Protocol

from evals.progress import Progress

Ending = Literal["done", "cancelled", "failed"]

_log = logging.getLogger(__name__)
_THREAD_NAME = "work-"
_running: dict[str, Work] = {}


class Work(Protocol):
    @property
    def progress(self) -> Progress: ...

    def run(self) -> None: ...

    def cancel(self) -> None: ...


def start(work_id: str, work: Work, finish: Callable[[Ending], None]) -> None:
    """Returns at once. `finish` hears how it ended: done, cancelled or failed."""
    _running[work_id] = work
    threading.Thread(target=_do, args=(work_id, work, finish), name=f"{_THREAD_NAME}{work_id[:8]}", daemon=True).start()


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith(_THREAD_NAME)]


def find(work_id: str | None) -> Work | None:
    return _running.get(work_id) if work_id else None


def running_ids() -> frozenset[str]:
    """What is under way. Take it before reading what is kept: what has gone from it by then has kept its end."""
    return frozenset(_running)


def cancel(work_id: str) -> None:
    work = find(work_id)
    if work:
        work.cancel()


def _do(work_id: str, work: Work, finish: Callable[[Ending], None]) -> None:
    ending: Ending = "failed"
    try:
        work.run()
        ending = "cancelled" if work.progress.cancelled else "done"
    except Exception:
        _log.exception("Work %s ended with an error", work_id)
    finally:
        try:
            finish(ending)
        except Exception:
            _log.exception("The end of work %s could not be kept", work_id)
        if _running.get(work_id) is work:  # another may have taken its place: the same run, gone on with
            del _running[work_id]
