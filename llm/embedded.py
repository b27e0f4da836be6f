"""The embedded model's server as a supervised child process: one for all sessions, warm, restarted when it dies."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

MODEL_NAME = "smollm2-135m-instruct"
_ROOT = Path(__file__).parent.parent
TEMPLATE = Path(__file__).parent / "chat_template.jinja"
START_LIMIT_SECONDS = 120.0
_STOP_LIMIT_SECONDS = 5.0
_MOST_FAILURES = 4
"""Deaths in a row, each soon after the start, until it is given up."""
_STEADY_SECONDS = 20.0
_FIRST_PAUSE_SECONDS = 0.1


class EmbeddedError(RuntimeError):
    """The embedded model cannot answer, in a sentence that says what to do.

    A built-in base, for `locate` to catch: after a hot reload the server that lives on raises the class of before.
    """

    def __init__(self, sentence: str, *, loading: bool = False) -> None:
        super().__init__(sentence)
        self.loading = loading


@dataclass(frozen=True, slots=True)
class Address:
    base_url: str
    key: str = field(repr=False)
    pid: int = 0


WarmUp = Callable[[Address], None]


class Readiness:
    """Whether a model can be asked, and where; known to all threads that wait for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._address: Address | None = None
        self._problem = ""

    def wait_ready(self, seconds: float) -> Address:
        with self._changed:
            self._changed.wait_for(lambda: self._address or self._problem, seconds)
            if self._address:
                return self._address
            if self._problem:
                raise EmbeddedError(self._problem)
            raise EmbeddedError("The embedded model is still loading. Try again in a moment.", loading=True)

    @property
    def is_getting_ready(self) -> bool:
        """Neither ready nor given up."""
        with self._changed:
            return not self._address and not self._problem

    @property
    def problem(self) -> str:
        """Why it was given up; empty where it was not."""
        return self._problem


class EmbeddedServer(Readiness):
    """Starts the child, watches over it, and knows its address of the moment."""

    def __init__(
        self,
        weights: Path,
        warm_up: WarmUp | None = None,
        child: str = "llm.embedded_child",
        adapter: Path | None = None,
        slots_folder: Path | None = None,
    ) -> None:
        """`slots_folder`: where what a slot has read may be kept (`llm.kept_prompt`); None: nowhere."""
        super().__init__()
        self._slots_folder = slots_folder
        self._weights, self._warm_up, self._child, self._adapter = weights, warm_up, child, adapter
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    def start(self) -> None:
        """Returns at once; the model loads and warms up in the background."""
        with self._changed:
            if self._thread is None:
                # The child is born of this very thread, which outlives it: Linux ends a child
                # with the thread that started it, and a session's thread ends with its page.
                self._thread = threading.Thread(target=self._supervise, name="embedded-model", daemon=True)
                self._thread.start()

    def look(self) -> tuple[Address | None, str]:
        """Where it is now, or why it was given up; neither while it loads."""
        with self._changed:
            return self._address, self._problem

    def stop(self) -> None:
        self._stopping.set()
        with self._changed:
            self._problem = self._problem or "The embedded model was stopped."
            process, thread = self._process, self._thread
            self._changed.notify_all()
        if process:
            _end(process)
        if thread:
            thread.join(_STOP_LIMIT_SECONDS)

    def _supervise(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            problem = self._run_once()
            steady = time.monotonic() - began > _STEADY_SECONDS
            failures = 0 if steady else failures + 1
            if failures >= _MOST_FAILURES:
                self._publish(None, f"The embedded model does not start: {problem}")
                return
            if failures > 1:
                self._stopping.wait(_FIRST_PAUSE_SECONDS * 2**failures)

    def _run_once(self) -> str:
        """One life of the child; what went wrong with it."""
        try:
            process = self._spawn()
        except OSError as error:
            return f"no process could be started ({error.strerror})."
        try:
            address, problem = self._read_address(process)
            if address:
                self._warm(address)
                self._publish(address, "")
                process.wait()
                return f"it ended with status {process.returncode}."
            return problem
        finally:
            self._publish(None, "")
            _end(process)

    def _spawn(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", self._child]
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, cwd=_ROOT, text=True)  # noqa: S603
        with self._changed:
            self._process = process
        if self._stopping.is_set():  # stop() came between and did not see this one
            _end(process)
        return process

    def _read_address(self, process: subprocess.Popen[str]) -> tuple[Address | None, str]:
        key = secrets.token_urlsafe(24)
        orders = {"model": str(self._weights), "name": MODEL_NAME, "key": key, "parent": os.getpid()}
        orders["template"] = TEMPLATE.read_text(encoding="utf-8")
        orders["adapter"] = str(self._adapter or "")
        orders["slots_folder"] = str(self._slots_folder or "")
        limit = threading.Timer(START_LIMIT_SECONDS, process.kill)
        limit.start()
        try:
            assert process.stdin is not None  # noqa: S101 - a pipe
            assert process.stdout is not None  # noqa: S101 - a pipe
            process.stdin.write(json.dumps(orders) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or "{}")
        except (OSError, ValueError):
            answer = {}
        finally:
            limit.cancel()
        if "url" in answer:
            return Address(f"{answer['url']}/v1", key, process.pid), ""
        return None, str(answer.get("error") or "it ended before it could answer.")

    def _warm(self, address: Address) -> None:
        if self._warm_up:
            with contextlib.suppress(Exception):  # a cold start is slower, not wrong
                self._warm_up(address)

    def _publish(self, address: Address | None, problem: str) -> None:
        with self._changed:
            self._address = address
            self._problem = problem or ("The embedded model was stopped." if self._stopping.is_set() else "")
            self._changed.notify_all()


def _end(process: subprocess.Popen[str]) -> None:
    """Kill and reap it: it holds nothing that would have to be saved."""
    process.kill()
    process.wait(_STOP_LIMIT_SECONDS)
    for stream in (process.stdin, process.stdout):
        if stream:
            with contextlib.suppress(OSError):  # the pipe broke with the child
                stream.close()
