"""The running workbench and a real browser in front of it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.listing import TaskQuery
from db.tasks import TaskService
from db.users import find_user
from engine.values import Task, ToolResult, make_call
from tests.browser.get_browser import FLAGS, find_browser

ROOT = Path(__file__).parent.parent.parent
START_SECONDS = 60

expect.set_options(timeout=15_000)


@dataclass(frozen=True)
class Workbench:
    """A running server with its store."""

    url: str
    database_url: str

    @cached_property
    def database(self) -> Database:
        return Database(self.database_url)

    def call(self, handle: str, tool_name: str, **arguments: object) -> ToolResult:
        """A change made elsewhere: by another process, as the chat or an MCP client would."""
        with self.database.read() as session:
            user = find_user(session, handle)
        assert user
        executor = Executor(self.database, user, lambda: datetime.now().astimezone())
        return executor.execute(make_call(tool_name, arguments, "llm"), Origin("llm"))

    def tasks(self, handle: str, **query: object) -> tuple[Task, ...]:
        with self.database.read() as session:
            user = find_user(session, handle)
            assert user
            service = TaskService(session, user, lambda: datetime.now().astimezone())
            return service.find_all(TaskQuery(**query))  # type: ignore[arg-type]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_workbench(
    folder: Path, *, healthy: bool = True, llm: str = "off", root: Path = ROOT, **settings: str
) -> Iterator[Workbench]:
    """Starts the server the way the README says, on a free port and with an empty folder for its data.

    `root` may be a copy of the project, for a test that edits one of its files.

    Without `llm="embedded"` no model is loaded: most tests need none, and it would take a core from them.
    """
    port = free_port()
    database_url = f"sqlite:///{folder / 'tasks.db'}"
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "DATABASE_PATIENCE_SECONDS": "3",
        "REFRESH_SECONDS": "0.5",
        "DEFAULT_USER": "maya",
        "LLM_ENDPOINT": llm,
        "OPENAI_API_KEY": "",
        "OPENAI_BASE_URL": "",
        **settings,
    }
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    log = (folder / "server.log").open("wb")
    server = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
    try:
        wait_until_answering(f"http://localhost:{port}", server, folder / "server.log", healthy=healthy)
        yield Workbench(f"http://localhost:{port}", database_url)
    finally:
        server.terminate()
        server.wait(timeout=30)
        log.close()


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


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    with running_workbench(tmp_path) as workbench:
        yield workbench


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the session: Playwright keeps an event loop running in this thread, and tests that start
    # one of their own would fail while it does.
    path = find_browser()
    assert path, "Run `make browser` first."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, workbench: Workbench) -> Iterator[OpenPage]:
    """`open_page("/tasks?user=jonas")`: a new browser session on that address."""
    contexts = []

    def open_one(path: str = "/tasks", width: int = 1440, height: int = 900) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.goto(workbench.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=30_000)
        return page

    yield open_one
    for context in contexts:
        context.close()
