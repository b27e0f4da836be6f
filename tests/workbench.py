"""The running workbench: the server as the README starts it, its store, and people who have it to themselves."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

import pytest

from db.audit import SETUP, Origin
from db.connection import Database
from db.executor import Executor
from db.seed import load_people, seed_person
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.users import create_user, find_user
from engine.values import Task, ToolResult, make_call
from tests.one_core import one_core

ROOT = Path(__file__).parent.parent
START_SECONDS = 120
PATIENCE_SECONDS = "3"
"""How long a server of a test's own waits for a locked database."""

running: dict[str, Path] = {}
"""The servers that this process uses now: where they answer, and where their logs are."""


def now() -> datetime:
    return datetime.now().astimezone()


@dataclass(frozen=True)
class Workbench:
    """A running server with its store."""

    url: str
    database_url: str

    @property
    def folder(self) -> Path:
        return Path(self.database_url.removeprefix("sqlite:///")).parent

    @cached_property
    def database(self) -> Database:
        return Database(self.database_url)

    def call(self, handle: str, tool_name: str, **arguments: object) -> ToolResult:
        """A change made elsewhere: by another process, as the chat or an MCP client would."""
        with self.database.read() as session:
            user = find_user(session, handle)
        assert user
        return Executor(self.database, user, now).execute(make_call(tool_name, arguments, "llm"), Origin("llm"))

    def tasks(self, handle: str, **query: object) -> tuple[Task, ...]:
        with self.database.read() as session:
            user = find_user(session, handle)
            assert user
            return TaskService(session, user, now).find_all(TaskQuery(**query))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Somebody:
    """A person of one test, with the tasks and machines of a demo person."""

    workbench: Workbench
    id: str
    handle: str
    name: str

    def call(self, tool_name: str, **arguments: object) -> ToolResult:
        return self.workbench.call(self.handle, tool_name, **arguments)

    def tasks(self, **query: object) -> tuple[Task, ...]:
        return self.workbench.tasks(self.handle, **query)


def make_somebody(workbench: Workbench, like: str) -> Somebody:
    """A new person like `maya` or `jonas`, with a name that nobody else has."""
    person, token = next(each for each in load_people() if each["handle"] == like), uuid.uuid4().hex[:8]
    with workbench.database.write() as session:
        user = create_user(session, f"{person['name']} {token}", handle=f"{like}-{token}")
        seed_person(session, user, person, now, decider=SETUP)  # as in a new store: nothing to undo
    return Somebody(workbench, user.id, user.handle, user.name)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_workbench(
    folder: Path, *, healthy: bool = True, llm: str = "off", root: Path = ROOT, port: int | None = None, **settings: str
) -> Iterator[Workbench]:
    """Starts a server of the caller's own, on a free port and with its data in this folder.

    `root` may be a copy of the project, for a test that edits one of its files.

    Without `llm="embedded"` no model is loaded: most tests need none, and it would take a core from them.
    """
    workbench, server = start_workbench(folder, healthy=healthy, llm=llm, root=root, port=port, **settings)
    running[workbench.url] = folder / "server.log"
    try:
        yield workbench
    finally:
        server.terminate()
        server.wait(timeout=30)
        del running[workbench.url]


def start_workbench(
    folder: Path, *, healthy: bool = True, llm: str = "off", root: Path = ROOT, port: int | None = None, **settings: str
) -> tuple[Workbench, subprocess.Popen[bytes]]:
    """The server the way the README says, as soon as it answers."""
    port = port or free_port()
    database_url = f"sqlite:///{folder / 'tasks.db'}"
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "BULK_FOLDER": str(folder / "bulk"),
        "DATABASE_PATIENCE_SECONDS": PATIENCE_SECONDS,
        "REFRESH_SECONDS": "2",  # an open page takes a tenth of a core with one look a second
        "DEFAULT_USER": "maya",
        "LLM_ENDPOINT": llm,
        "OPENAI_API_KEY": "",
        "OPENAI_BASE_URL": "",
        **settings,
    }
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with (folder / "server.log").open("ab") as log, one_core() if llm == "embedded" else nullcontext():
        server = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
    url = f"http://localhost:{port}"
    try:
        wait_until_answering(url, server, folder / "server.log", healthy=healthy)
    except BaseException:
        server.kill()
        server.wait()
        raise
    return Workbench(url, database_url), server


def wait_until_answering(url: str, server: subprocess.Popen[bytes], log: Path, *, healthy: bool) -> None:
    """Asks until the server answers; the request itself waits, so this needs no sleep of its own."""
    for _ in range(START_SECONDS * 10):
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=START_SECONDS) as answer:
                assert answer.status == 200
                return
        except urllib.error.HTTPError as refused:
            if refused.code == 503 and not healthy:
                return
            raise
        except (urllib.error.URLError, ConnectionError):
            try:
                server.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                continue
            pytest.fail(f"The server stopped: {log.read_text(errors='replace')[-2000:]}")
    pytest.fail(f"The server did not answer: {log.read_text(errors='replace')[-2000:]}")
