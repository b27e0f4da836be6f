"""The event loop does not wait until the thread of a page's run has begun.

Starting a thread, Python waits until it runs. Where many chat at once, all cores of Python are taken and that is 14 ms
(measured with twenty sessions), in which the loop, which all sessions share, sends nothing to anybody. Nobody here asks
whether such a thread has begun: what it does comes back as events. `tests/ui/test_unawaited_threads.py` holds what this
relies on.
"""

from __future__ import annotations

import threading

from streamlit.runtime.scriptrunner import ScriptRunner


class _Unawaited(threading.Event):
    def wait(self, timeout: float | None = None) -> bool:
        return True


class _Thread(threading.Thread):
    def start(self) -> None:
        self._started = _Unawaited()
        super().start()


def start_without_waiting() -> None:
    """Called once, as the server starts."""
    ScriptRunner.start = _start  # type: ignore[method-assign]


def _start(self: ScriptRunner) -> None:
    if self._script_thread is not None:
        raise RuntimeError("ScriptRunner was already started")
    self._script_thread = _Thread(target=self._run_script_thread, name="ScriptRunner.scriptThread", daemon=True)
    self._script_thread.start()
