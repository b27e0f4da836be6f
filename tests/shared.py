"""What the processes of one test run share: a folder, the one workbench that most tests use, and one PostgreSQL server.

The first test that asks starts the server, whichever process it is in; the process that began the run ends it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import PostgresServer, start_server, stop_server
from tests.quick_folder import use_memory
from tests.workbench import Somebody, Workbench, make_somebody, running, start_workbench

VARIABLE = "TWOLANE_TEST_RUN"
"""Names the folder to the workers, and to a run that a test starts."""
STOP_SECONDS = 30

_started: list[subprocess.Popen[bytes]] = []


def begin_run() -> Path | None:
    """The folder of a new run; nothing where this process belongs to a run already."""
    if VARIABLE in os.environ:
        return None
    use_memory()
    folder = Path(tempfile.mkdtemp(prefix="twolane-tests-"))
    os.environ[VARIABLE] = str(folder)
    return folder


def end_run(folder: Path) -> None:
    file = folder / "workbench.json"
    if file.exists():
        _stop(json.loads(file.read_text(encoding="utf-8"))["pid"])
    server = folder / "postgres.txt"
    if server.exists():
        stop_server(_read_server(server))
    os.environ.pop(VARIABLE, None)
    shutil.rmtree(folder, ignore_errors=True)


def _stop(pid: int) -> None:
    """The server is a child of a worker that is gone, or of this process."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    for server in _started:
        server.wait(timeout=STOP_SECONDS)


def run_folder() -> Path:
    return Path(os.environ[VARIABLE])


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """One process of the run at a time."""
    with (run_folder() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def shared_workbench() -> Workbench:
    file = run_folder() / "workbench.json"
    with alone("workbench"):
        if not file.exists():
            file.write_text(json.dumps(_start()), encoding="utf-8")
    address = json.loads(file.read_text(encoding="utf-8"))
    workbench = Workbench(address["url"], address["database_url"])
    running[workbench.url] = workbench.folder / "server.log"
    return workbench


def _start() -> dict[str, str | int]:
    folder = run_folder() / "workbench"
    folder.mkdir()
    # Patient: here nobody locks the database on purpose, but several processes write to it.
    workbench, server = start_workbench(folder, DATABASE_PATIENCE_SECONDS="60")
    _started.append(server)
    return {"url": workbench.url, "database_url": workbench.database_url, "pid": server.pid}


def shared_postgres() -> PostgresServer:
    file = run_folder() / "postgres.txt"
    with alone("postgres"):
        if not file.exists():
            file.write_text(str(start_server().folder), encoding="utf-8")
    return _read_server(file)


def _read_server(file: Path) -> PostgresServer:
    return PostgresServer(Path(file.read_text(encoding="utf-8")))


def pytest_configure(config: pytest.Config) -> None:
    folder = begin_run()
    if folder:
        config.add_cleanup(lambda: end_run(folder))


@pytest.fixture(scope="session")
def workbench() -> Workbench:
    """The running workbench of this test run."""
    return shared_workbench()


@pytest.fixture
def maya(workbench: Workbench) -> Somebody:
    """Somebody new with Maya's tasks and machines, whom no other test knows."""
    return make_somebody(workbench, "maya")


@pytest.fixture
def jonas(workbench: Workbench) -> Somebody:
    return make_somebody(workbench, "jonas")
