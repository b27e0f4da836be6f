"""What a press does is done to its end, although the browser sends the next thing meanwhile.

Streamlit interrupts a run where it draws or looks up what the session remembers, as soon as something newer was asked
for. In a callback that is a loss: the edit is in the store, but what the page was to remember of it is not, or the
press does nothing at all, and nobody is told. Here a newer request waits until the callbacks have run; then the page is
drawn for it, as ever. `tests/ui/test_whole_callbacks.py` holds what this relies on.
"""

from __future__ import annotations

import threading
from typing import Any

from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests
from streamlit.runtime.state import SafeSessionState

_thread = threading.local()
_run_callbacks = SafeSessionState.on_script_will_rerun
_take_newer_request = ScriptRequests.on_scriptrunner_yield


def let_callbacks_finish() -> None:
    """Called once, as the server starts."""
    SafeSessionState.on_script_will_rerun = _run_callbacks_whole  # type: ignore[method-assign]
    ScriptRequests.on_scriptrunner_yield = _take_newer_request_after_callbacks  # type: ignore[method-assign]


def _run_callbacks_whole(self: SafeSessionState, *states: Any, **options: Any) -> None:
    _thread.is_calling_back = True
    try:
        _run_callbacks(self, *states, **options)
    finally:
        _thread.is_calling_back = False


def _take_newer_request_after_callbacks(self: ScriptRequests) -> ScriptRequest | None:
    return None if getattr(_thread, "is_calling_back", False) else _take_newer_request(self)
