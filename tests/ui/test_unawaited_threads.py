"""The thread of a page's run is started as Streamlit starts it, and nobody waits for it."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner

from ui.unawaited_threads import start_without_waiting

SECONDS = 30


@pytest.fixture(params=[True, False], ids=["mended", "streamlit alone"])
def mended(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(ScriptRunner, "start", ScriptRunner.start)  # put back afterwards
    if request.param:
        start_without_waiting()
    return bool(request.param)


def make_runner(run: Callable[[], None]) -> ScriptRunner:
    return cast("ScriptRunner", SimpleNamespace(_script_thread=None, _run_script_thread=run))


def test_it_is_started_while_it_cannot_begin(mended: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is busy: the thread gets its turn when the one that starts it has gone on."""
    turn, went_on, begun = threading.Event(), list[bool](), list[threading.Thread]()

    def start_late(bootstrap: Callable[[], None], arguments: tuple[()]) -> int:
        def begin() -> None:
            went_on.append(turn.wait(SECONDS if mended else 0))
            bootstrap()

        return _thread.start_new_thread(begin, arguments)

    done = threading.Event()

    def run() -> None:
        begun.append(threading.current_thread())
        done.set()

    runner: Any = make_runner(run)
    monkeypatch.setattr(threading, "_start_new_thread", start_late)
    ScriptRunner.start(runner)
    turn.set()
    assert done.wait(SECONDS)
    assert went_on == [mended]
    # Should this be otherwise with Streamlit alone, it has mended it: `ui/unawaited_threads.py` can go.
    assert begun == [runner._script_thread]
    assert (begun[0].name, begun[0].daemon) == ("ScriptRunner.scriptThread", True)
    begun[0].join(SECONDS)
    assert not begun[0].is_alive()


def test_it_is_started_once(mended: bool) -> None:
    runner = make_runner(lambda: None)
    ScriptRunner.start(runner)
    with pytest.raises(RuntimeError, match="already started"):
        ScriptRunner.start(runner)
