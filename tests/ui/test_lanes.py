"""The lanes follow what this browser session has set up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from db.connection import Database
from db.policies.in_force import activate
from db.policies.saving import save_draft
from domains.drafts import begin_draft
from engine.decision import Context
from engine.editing.edits import AddPhrase
from engine.targets.memory_index import MemoryIndex
from llm.endpoint import Endpoint
from settings import load_settings
from tests.llm.fault_server import call, serve, stream
from ui import lanes
from ui.resources import load_database, open_once
from ui.state.lanes import keep_ask_llm, keep_endpoint, keep_thresholds
from ui.state.policy import get_scope, keep_trial

CONTEXT = Context(MemoryIndex(), datetime(2026, 3, 4, 10))  # noqa: DTZ001 - a person's own clock
HOLLERED = "holler at me to water the plants"
KEY = "sk-nobody-may-see-this-key-0000"


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch, database: Database) -> Iterator[dict[str, object]]:
    """A browser session that has chosen nothing, in an environment that says nothing."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "LLM_ENDPOINT"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("DATABASE_URL", database.url)
    for kept_once in (load_settings, open_once):
        kept_once.cache_clear()
    kept: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", kept)
    yield kept
    load_database().close()
    for kept_once in (load_settings, open_once):
        kept_once.cache_clear()


def test_a_session_that_chose_nothing_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lanes.llm_label() == "smollm2-135m-instruct · embedded"
    assert lanes.is_llm_on()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    load_settings.cache_clear()
    assert lanes.llm_label() == "gpt-4.1-mini · OpenAI"
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()
    assert lanes.llm_label() == "off"
    assert not lanes.is_llm_on()
    assert lanes.current_llm().ask("hi", CONTEXT).trace.failure == "off"


def test_the_model_that_was_chosen_is_the_one_that_is_asked() -> None:
    with serve(stream(call("add_task", '{"title": "tea"}'))) as server:
        keep_endpoint(Endpoint("openai", server.url, "mine", KEY, 10))
        turn = lanes.current_llm().ask("add tea", CONTEXT)
        assert server.requests[0]["model"] == "mine"
        assert any(KEY in line for line in server.headers)
    assert turn.decision.intent == "add_task"
    assert KEY not in repr(turn) + lanes.llm_label()


def test_a_custom_address_is_named_by_its_host() -> None:
    keep_endpoint(Endpoint("custom", "http://localhost:11434/v1", "llama3", KEY))
    assert lanes.llm_label() == "llama3 · localhost:11434"


def test_a_lane_that_is_off_says_so_and_is_not_asked() -> None:
    keep_endpoint(Endpoint("off", "", ""))
    assert not lanes.is_llm_on()
    turn = lanes.current_llm().ask("add tea", CONTEXT)
    assert (turn.trace.failure, turn.decision.action) == ("off", "reply")
    assert "Settings" in turn.decision.message


def test_a_lane_that_is_paused_keeps_its_connection() -> None:
    keep_ask_llm(False)
    assert not lanes.is_llm_on()
    assert lanes.llm_label() == "smollm2-135m-instruct · embedded"


def test_the_engine_follows_the_sessions_thresholds_and_is_made_once() -> None:
    plain = lanes.current_engine()
    assert plain.decide("add a task to buy tea", CONTEXT).action == "execute"
    keep_thresholds({"act": 1.0})
    strict = lanes.current_engine()
    assert strict.decide("add a task to buy tea", CONTEXT).action == "clarify"
    assert lanes.current_engine() is strict
    keep_thresholds({})
    assert lanes.current_engine() is plain


def test_the_engine_decides_by_the_version_in_force_for_all_or_for_this_session(database: Database) -> None:
    def acts() -> bool:
        return lanes.current_engine().decide(HOLLERED, CONTEXT).action == "execute"

    begun = begin_draft("tasks", "en")
    draft = begun.edit(AddPhrase("remind_me", "holler at me"))
    assert not acts()
    with database.write() as session:
        version = save_draft(session, draft, author="Ada", since=0, in_force=True, scope=get_scope())
    assert acts()
    assert lanes.shared_engine().decide(HOLLERED, CONTEXT).action == "reply"
    with database.write() as session:
        activate(session, "tasks", "en", version.id, author="Ada")
    decided = lanes.shared_engine().decide(HOLLERED, CONTEXT)
    assert (decided.action, decided.policy_version) == ("execute", version.name)
    keep_trial(("tasks", "en"), begun.policy)
    assert not acts()


def test_another_session_is_not_touched(database: Database, session: dict[str, object]) -> None:
    draft = begin_draft("tasks", "en").edit(AddPhrase("remind_me", "holler at me"))
    with database.write() as writing:
        save_draft(writing, draft, author="Ada", since=0, in_force=True, scope=get_scope())
    assert lanes.current_engine().decide(HOLLERED, CONTEXT).action == "execute"
    session.clear()
    assert lanes.current_engine().decide(HOLLERED, CONTEXT).action == "reply"
