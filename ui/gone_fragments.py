"""A page has the fragments of its newest run: those of what stood there before go with it, also where it ends early.

Streamlit forgets them only at the end of a run that reached it. After `st.stop()` or an error it still runs one that
the browser asked for a moment ago, at a place that the shorter page no longer has: the browser answers "Bad delta path
index" and shows nothing at all until the page is loaded anew.

A run that was told to stop, because a newer one takes its place, draws on until it notices. On a busy server that is
after the newer one has ended, and by forgetting all but its own it took the fragments of the page that is shown: what
was typed there was then heard by nobody. Here it has no say any more. `tests/ui/test_gone_fragments.py` holds what this
relies on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

_keep_only = MemoryFragmentStorage.clear
_register = MemoryFragmentStorage.register


def let_newest_run_say_which_fragments() -> None:
    """Called once, as the server starts."""
    MemoryFragmentStorage.clear = _keep_only_if_newest  # type: ignore[method-assign]
    MemoryFragmentStorage.register = _register_if_newest  # type: ignore[method-assign]


@contextmanager
def forgetting_gone_fragments() -> Iterator[None]:
    """Around what draws a whole page."""
    try:
        yield
    except (StopException, Exception):
        _forget_others()
        raise


def _forget_others() -> None:
    """All but those that this run has drawn."""
    context = get_script_run_ctx(suppress_warning=True)
    if context and not context.fragment_ids_this_run:
        context.fragment_storage.clear(new_fragment_ids=context.shared.new_fragment_ids.snapshot())


class _Kept:
    """Those named, and every one as soon as the run is told to stop. The storage asks while nobody else may change it:
    what a newer run registers comes after it."""

    def __init__(self, named: frozenset[str]) -> None:
        self._named = named

    def __contains__(self, fragment_id: str) -> bool:
        return fragment_id in self._named or _is_told_to_stop()


def _keep_only_if_newest(self: MemoryFragmentStorage, new_fragment_ids: frozenset[str] | None = None) -> None:
    _keep_only(self, cast("frozenset[str]", _Kept(new_fragment_ids or frozenset())))


def _register_if_newest(self: MemoryFragmentStorage, *which: Any, **options: Any) -> None:
    if not _is_told_to_stop():
        _register(self, *which, **options)


def _is_told_to_stop() -> bool:
    """The run of this thread. `st.stop()` in the page itself is not meant."""
    context = get_script_run_ctx(suppress_warning=True)
    requests = context.script_requests if context else None
    return requests is not None and requests._state is ScriptRequestType.STOP
