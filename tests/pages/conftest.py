"""Pages run for real, without a browser, on a database of their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from db.connection import Database
from db.seed import seed_empty_database
from domains.loading import TASKS
from engine.explaining.flips import find_flips
from evals.conversations.reading import FOLDER, load_conversations
from evals.effect.conversations import probe_conversations
from evals.effect.gathering import probe_project
from evals.effect.probes import Probe
from llm.embedded import EmbeddedError
from settings import load_settings
from ui import background
from ui.resources import load_database, now_here, open_once

SECONDS = 120
FEW_TRIES = 40
"""Enough for a flip of the first kinds, and for the sentence that the search stopped."""


@pytest.fixture(scope="session", autouse=True)
def _components_looked_for_once() -> Iterator[None]:
    """Each page opened reads the metadata of every installed package for components: most of what opening costs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def _runs_are_waited_for() -> Iterator[None]:
    """Streamlit asks a thousand times a second whether the page is done, which takes a part of the page's own core."""

    def wait(runner: LocalScriptRunner, timeout: float) -> None:
        assert runner._script_thread
        runner._script_thread.join(timeout)
        if not runner.script_stopped():
            runner.request_stop()
            runner.join()
            raise RuntimeError(f"The page was not done after {timeout} seconds")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture(scope="session", autouse=True)
def _what_would_flip_it_is_looked_for_in_few_tries() -> Iterator[None]:
    """Inspect tries hundreds of decisions, for half of what opening it takes. `tests/engine/test_flips.py` looks at
    what is found in all of them, and the browser's tests have the whole page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.inspect.flips.find_flips", partial(find_flips, most_runs=FEW_TRIES))
        yield


@cache
def every_thirtieth(domain: str) -> tuple[Probe, ...]:
    return probe_project(domain, conversations=False)[::30]


@cache
def a_few_of_every_thirtieth_file(domain: str) -> tuple[Probe, ...]:
    """Reading all conversations takes seconds, and so does playing a file of them."""
    files = sorted(FOLDER.rglob("*.yaml"))[::30] if domain == TASKS else []
    return probe_conversations([each for path in files for each in load_conversations([path])[::10]])


@pytest.fixture(scope="session", autouse=True)
def _drafts_are_tried_on_every_thirtieth_message() -> Iterator[None]:
    """Trying them on all takes most of a minute; `tests/browser/test_policy.py` does that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.policy.bases._project_messages", every_thirtieth)
        patch.setattr("ui.policy.bases._project_conversations", a_few_of_every_thirtieth_file)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_page_starts_the_embedded_model() -> Iterator[None]:
    """As where it is not installed. The demo starts it for whoever comes next, and nobody here asks it anything: it
    would load and read its prompt on every core, beside all tests that come after in this process."""

    def not_here() -> None:
        raise EmbeddedError("no model in the tests of pages")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.resources.shared_server", not_here)
        yield


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new store with the demo people, made once: that takes fifty times as long as a copy."""
    path = tmp_path_factory.mktemp("store") / "demo.db"
    store = Database(f"sqlite:///{path}")
    seed_empty_database(store, now_here)
    store.close()
    return path


@pytest.fixture
def workbench(database_url: str, demo_store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """The store as the app opens it, with the demo people."""
    shutil.copy(demo_store, database_url.removeprefix("sqlite:///"))
    monkeypatch.setenv("DATABASE_URL", database_url)
    load_settings.cache_clear()
    open_once.cache_clear()
    yield load_database()
    end_background_work()
    load_database().close()
    load_settings.cache_clear()
    open_once.cache_clear()


def end_background_work() -> None:
    """What a page has begun goes on without it. The effect of a draft on all conversations takes a core for minutes,
    from all tests that come after in this process, and whoever waits for work to end would wait for that, too."""
    for work_id in background.running_ids():
        background.cancel(work_id)
    for thread in background.threads():
        thread.join(SECONDS)
        assert not thread.is_alive(), f"{thread.name} does not end when it is cancelled"
