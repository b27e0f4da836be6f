"""What somebody types or presses is handled, also where the part of the page that it belongs to is not known.

Streamlit ignores a request for a fragment that the session does not have, with the message that was typed there, and so
does a run that finds it gone; the page then says nothing and waits until it is loaded anew. A request that waits for a
run to end is forgotten with that run as soon as the whole page is asked for. Here the page is run as a whole instead,
with everything that came with such a request, and the browser gets the fragments that there are. What a timer asks for
alone is worth a run only where none is going on, and nothing asks for a page that was left.
`tests/ui/test_no_request_lost.py` holds what this relies on.
"""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

_request = AppSession.request_rerun
_start_runner = AppSession._create_scriptrunner
_run = ScriptRunner._run_script
_join_requests = ScriptRequests._request_rerun_locked
_left_over: WeakKeyDictionary[AppSession, RerunData] = WeakKeyDictionary()
"""What a run that is about to be replaced was asked for and has not begun. Only the event loop looks here."""


def lose_no_request() -> None:
    """Called once, as the server starts."""
    AppSession.request_rerun = _request_all  # type: ignore[method-assign]
    AppSession._create_scriptrunner = _start_runner_with_left_over  # type: ignore[method-assign]
    ScriptRunner._run_script = _run_known  # type: ignore[method-assign]
    ScriptRequests._request_rerun_locked = _join_requests_of_people  # type: ignore[method-assign]


def _request_all(self: AppSession, client_state: ClientState | None) -> None:
    if client_state and client_state.fragment_id and not self.has_fragment(client_state.fragment_id):
        is_here = client_state.page_script_hash == self._pages_manager.current_page_script_hash
        if is_here and (self._scriptrunner is None or not client_state.is_auto_rerun):
            whole = ClientState()
            whole.CopyFrom(client_state)
            whole.fragment_id, whole.is_auto_rerun = "", False
            client_state = whole
    if self._scriptrunner and _replaces_runner(self, client_state):
        waiting = _take_waiting(self._scriptrunner._requests)
        if waiting:
            _left_over[self] = waiting
    try:
        _request(self, client_state)
    finally:
        _left_over.pop(self, None)


def _replaces_runner(session: AppSession, client_state: ClientState | None) -> bool:
    if session._state is AppSessionState.SHUTDOWN_REQUESTED or not config.get_option("runner.fastReruns"):
        return False
    return client_state is None or not client_state.fragment_id


def _take_waiting(requests: ScriptRequests) -> RerunData | None:
    with requests._lock:
        if requests._state is not ScriptRequestType.RERUN:
            return None
        requests._state = ScriptRequestType.CONTINUE
        return requests._rerun_data


def _start_runner_with_left_over(self: AppSession, initial_rerun_data: RerunData) -> None:
    left_over = _left_over.pop(self, None)
    if left_over:  # joined as Streamlit joins two that wait for the same run
        both = ScriptRequests()
        both.request_rerun_batch([left_over, initial_rerun_data])
        initial_rerun_data = both.on_scriptrunner_ready().rerun_data
    _start_runner(self, initial_rerun_data)


def _run_known(self: ScriptRunner, rerun_data: RerunData) -> None:
    """In the thread of the run. A whole run that has just ended may have taken what was asked for meanwhile."""
    is_gone = not all(self._fragment_storage.contains(each) for each in rerun_data.fragment_id_queue)
    is_here = rerun_data.page_script_hash == self._pages_manager.current_page_script_hash
    if is_gone and is_here and not rerun_data.is_auto_rerun:
        rerun_data = replace(rerun_data, fragment_id_queue=[], is_fragment_scoped_rerun=False)
    _run(self, rerun_data)


def _join_requests_of_people(self: ScriptRequests, new_data: RerunData) -> bool:
    """Two that wait together are a timer's only where both are: Streamlit goes by the newer."""
    was_asked = self._state is ScriptRequestType.RERUN and not self._rerun_data.is_auto_rerun
    taken = _join_requests(self, new_data)
    if taken and was_asked:
        self._rerun_data = replace(self._rerun_data, is_auto_rerun=False)
    return taken
