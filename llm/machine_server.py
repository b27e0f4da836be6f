"""One embedded model for all processes of a machine: whoever holds the lock runs it, the others use it.

The lock is the kernel's and goes with its process, however that ends; so does the model. Then the next process takes
both. Where the model is, and the key that opens it, stand in a file that only this user can read.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Protocol

from llm.embedded import Address, EmbeddedServer, Readiness

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: there each process has a model of its own
    fcntl = None  # type: ignore[assignment]

CAN_SHARE: Final = fcntl is not None
_LOOK_SECONDS: Final = 0.3
_STOP_SECONDS: Final = 10.0


class ModelServer(Protocol):
    """What the lane knows of the embedded model, whoever runs it."""

    def start(self) -> None: ...

    def wait_ready(self, seconds: float) -> Address: ...

    @property
    def is_getting_ready(self) -> bool: ...

    @property
    def problem(self) -> str: ...

    def stop(self) -> None: ...


class MachineServer(Readiness):
    def __init__(self, make_own: Callable[[], EmbeddedServer], place: Path) -> None:
        """`place`: where lock and address stand; the ending is added."""
        super().__init__()
        self._make_own = make_own
        self._lock_file, self._address_file = place.with_suffix(".lock"), place.with_suffix(".json")
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self.runs_it = False
        """Whether the model is this process's own."""

    def start(self) -> None:
        """Returns at once; the model is found, or started, in the background."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._go_on, name="machine-model", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread:
            self._thread.join(_STOP_SECONDS)

    def _go_on(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._try_lock() as locked:
                    if locked:
                        self._run_own()
                        continue
                self._publish(*self._read())
            except OSError as error:
                self._publish(None, f"The embedded model cannot be shared here ({error.strerror}).")
            self._stopping.wait(_LOOK_SECONDS)
        self._publish(None, "The embedded model was stopped.")

    @contextmanager
    def _try_lock(self) -> Iterator[bool]:
        self._lock_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._lock_file.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True  # closing the file gives the lock back

    def _run_own(self) -> None:
        """Until this process ends. What another one left behind says nothing any more."""
        self._forget()
        self._publish(None, "")
        told: tuple[Address | None, str] = (None, "")
        own = self._make_own()
        own.start()
        self.runs_it = True
        try:
            while not self._stopping.is_set():
                now = own.look()
                if now != told:
                    self._write(*now)
                    self._publish(*now)
                    told = now
                self._stopping.wait(_LOOK_SECONDS)
        finally:
            self.runs_it = False
            self._forget()
            own.stop()

    def _publish(self, address: Address | None, problem: str) -> None:
        with self._changed:
            if (address, problem) != (self._address, self._problem):
                self._address, self._problem = address, problem
                self._changed.notify_all()

    def _write(self, address: Address | None, problem: str) -> None:
        told = {"problem": problem}
        if address:
            told |= {"url": address.base_url, "key": address.key, "pid": str(address.pid)}
        half = self._address_file.with_suffix(".new")
        with _private(half) as file:
            json.dump(told, file)
        half.replace(self._address_file)

    def _read(self) -> tuple[Address | None, str]:
        """What the process that has the lock says; nothing yet while the model loads."""
        try:
            told = json.loads(self._address_file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None, ""
        address = Address(told["url"], told["key"], int(told["pid"])) if "url" in told else None
        return address, str(told.get("problem", ""))

    def _forget(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._address_file.unlink()


@contextmanager
def _private(path: Path) -> Iterator[IO[str]]:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        yield file
