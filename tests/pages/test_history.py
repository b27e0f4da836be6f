"""The History page in every state, and replays under a policy file that somebody really edited."""

from __future__ import annotations

import csv
import io
import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from assistant import Assistant, Lanes
from db.audit import Origin
from db.clients.calls import client_decider
from db.connection import Database
from db.executor import Executor
from db.logins import Login, begin_login
from db.policies.saving import save_draft
from db.roles import Role
from db.turns.conversations import start_conversation
from db.turns.query import TurnQuery
from db.turns.turns import find_turn
from domains.deciders import make_engine
from domains.drafts import begin_draft
from domains.loading import find_folder
from engine.editing.edits import AddPhrase
from engine.values import make_call
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from tests.assistant.conftest import calls, says
from tests.llm.fault_server import Answer, serve, status
from tests.pages.test_inspect_turns import CONVERSATION
from tests.pages.test_tasks import here, person
from ui import background
from ui.history.export import export_csv, export_jsonl

ROOT = Path(__file__).parent.parent.parent


def converse(database: Database, texts: tuple[str, ...], *answers: Answer, handle: str = "maya") -> list[str]:
    """The ids of the turns; with answers an LLM that gives them in order."""
    user = person(database, handle)
    with database.write() as session:
        conversation = start_conversation(session, user.id)
    assistant = Assistant(database, user, here)
    if not answers:
        return [assistant.run_turn(conversation, text, "engine", Lanes(make_engine())) for text in texts]
    with serve(*answers) as server:
        endpoint = Endpoint("openai", server.url, "m", key="sk-test-key-never-shown", timeout_seconds=5)
        lanes = Lanes(make_engine(), LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01))
        return [assistant.run_turn(conversation, text, "engine", lanes) for text in texts]


def open_page(**address: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "history.py"), default_timeout=60)
    for name, value in address.items():
        page.query_params[name] = value
    return checked(page.run())


def checked(page: AppTest) -> AppTest:
    assert not page.exception, page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def words(page: AppTest) -> str:
    return "\n".join(element.value for kind in (page.markdown, page.caption) for element in kind)


def button(page: AppTest, label: str) -> Any:
    return next(each for each in page.button if each.label.startswith(label))


def replay(page: AppTest) -> AppTest:
    checked(button(page, "Replay").click().run())
    for thread in background.threads():
        thread.join(60)
    return checked(page.run())


@pytest.fixture
def policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of policies that a test may edit."""
    folder = tmp_path / "tasks"
    shutil.copytree(find_folder("tasks"), folder)
    with (folder / "en" / "language.yaml").open("a", encoding="utf-8") as language:
        language.write("thresholds:\n  act: 0.7\n")
    monkeypatch.setattr("domains.files.find_folder", lambda name: folder)
    return folder


def edit(policies: Path, before: str, after: str) -> None:
    path = policies / "en" / "language.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_without_a_turn_the_page_says_where_they_come_from(workbench: Database) -> None:
    assert "No turns yet" in words(open_page())


def test_turns_are_listed_newest_first_each_with_its_card_and_a_link(workbench: Database) -> None:
    first, second = converse(workbench, ("who am i", "delete the passport task"))
    shown = html(open_page())
    assert shown.index(f"turn-{second}") < shown.index(f"turn-{first}")
    assert shown.count('class="tl-card"') == 2
    assert f"/inspect?turn={first}&amp;user=maya" in shown


def test_the_lanes_of_each_turn_are_compared_when_the_llm_has_answered(workbench: Database) -> None:
    ids = converse(workbench, ("show my tasks", "who am i", "add a task to buy tea"), calls("list_tasks"), says("Hm."))
    (failed,) = converse(workbench, ("show my tasks",), status(401))
    (broken,) = converse(workbench, ("show my tasks",), calls("list_tasks", filter="sideways"))
    maya = person(workbench)
    with workbench.read() as session:
        found = [find_turn(session, maya.id, turn_id) for turn_id in (*ids, failed, broken)]
    kinds = [turn.agreement for turn in found if turn]
    assert kinds[1:] == ["second_silent", "second_silent", None, "broken"]
    page = open_page(standing="broken")
    assert html(page).count('class="tl-card"') == 2
    assert "Broken or failed 2" in page.segmented_control(key="standing").options


def test_filters_search_and_order_are_kept_in_the_address(workbench: Database) -> None:
    converse(workbench, ("add a task to buy tea", "who am i", "hello"))
    page = open_page(q="tea")
    assert html(page).count('class="tl-card"') == 1
    page.text_input(key="q").set_value("").run()
    page.selectbox(key="intent").set_value("identity_query").run()
    assert "who am i" in html(checked(page))
    assert page.query_params["intent"] == "identity_query"
    page.selectbox(key="reason").set_value("destructive").run()
    assert "Nothing fits" in words(checked(page))
    page.selectbox(key="reason").set_value("any").run()
    page.selectbox(key="span").set_value("days").run()
    assert html(checked(page)).count('class="tl-card"') == 1


def test_nobody_sees_anothers_turns(workbench: Database) -> None:
    converse(workbench, ("who am i",), handle="jonas")
    assert "No turns yet" in words(open_page())
    assert "who am i" in html(open_page(user="jonas"))


def test_a_maintainer_reads_anybodys_history_and_others_their_own(
    workbench: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = Login("first", "https://id.example", "123", "Mel", here() + timedelta(hours=1), "member")
    with workbench.write() as session:
        mel = begin_login(session, login, here())
    converse(workbench, ("add a task to buy milk",), handle=mel.handle)
    for role, has_turns in (("viewer", False), ("member", False), ("maintainer", True)):
        acting = workbench.acting_as(cast(Role, role))
        monkeypatch.setattr("ui.history.whose.load_database", lambda acting=acting: acting)
        assert ("add a task to buy milk" in html(open_page(whose=mel.handle))) is has_turns, role


def test_a_replay_under_an_unchanged_policy_changes_nothing(workbench: Database, policies: Path) -> None:
    converse(workbench, CONVERSATION)
    page = replay(open_page())
    assert f"Of {len(CONVERSATION)} turns, **0 would be decided otherwise**" in words(page)


def test_a_replay_finds_what_an_edited_policy_file_would_change(workbench: Database, policies: Path) -> None:
    converse(workbench, ("mark the passport task as done", "who am i", "hello"))
    edit(policies, "  act: 0.7", "  act: 1.0")
    page = replay(open_page())
    assert "**2 would be decided otherwise** and 1 as they were" in words(page)
    assert page.pills[0].options == ["Would no longer act 2"]
    assert "Complete a task" in html(page)
    assert "not sure enough to act" in html(page)
    edit(policies, "  act: 1.0", "  act: 0.7")
    assert "**0 would be decided otherwise**" in words(replay(page))


@pytest.mark.thorough("tests/pages/test_history.py::test_a_replay_under_an_unchanged_policy_changes_nothing")
def test_a_replay_under_a_version_that_is_not_in_force(workbench: Database, policies: Path) -> None:
    converse(workbench, ("holler at me to feed the cat", "who am i"))
    draft = begin_draft("tasks", "en").edit(AddPhrase("remind_me", "holler at me"))
    with workbench.write() as session:
        version = save_draft(session, draft, author="Ada", since=0)
    page = open_page()
    assert "**0 would be decided otherwise**" in words(replay(page))
    page.selectbox(key="replay_under").set_value(version.id).run()
    assert "**1 would be decided otherwise**" in words(replay(page))
    assert page.pills[0].options == ["Would act now 1"]


def test_a_replay_takes_only_the_turns_that_the_filters_show(workbench: Database, policies: Path) -> None:
    converse(workbench, ("mark the passport task as done", "who am i", "hello"))
    edit(policies, "  act: 0.7", "  act: 1.0")
    page = open_page(q="who")
    assert button(page, "Replay").label == "Replay 1 turn"
    assert "Of 1 turn, **1 would be decided otherwise**" in words(replay(page))


def test_a_broken_policy_file_is_told_with_its_line_and_the_chat_goes_on(workbench: Database, policies: Path) -> None:
    converse(workbench, ("who am i",))
    edit(policies, "  act: 0.7", "  act: 7")
    page = replay(open_page())
    (error,) = page.error
    assert "en/language.yaml, line" in error.value.replace("\\", "")


def test_exports_hold_every_turn_of_the_filter(workbench: Database) -> None:
    converse(workbench, ("=1+1", "add a task to buy tea", "who am i"))
    maya = person(workbench)
    rows = list(csv.DictReader(io.StringIO(export_csv(maya, TurnQuery()).decode("utf-8-sig"))))
    assert [row["text"] for row in rows] == ["who am i", "add a task to buy tea", "'=1+1"]
    assert rows[1]["engine_call"].startswith("add_task ")
    (line,) = export_jsonl(maya, TurnQuery(text="tea")).splitlines()
    data = json.loads(line)
    assert (data["text"], data["decisions"]["engine"]["intent"]) == ("add a task to buy tea", "add_task")
    assert data["lookups"] is not None


def test_markup_in_a_message_is_shown_and_not_run(workbench: Database) -> None:
    converse(workbench, ("add a task to <img src=x onerror=alert(1)>",))
    assert "<img src=x" not in html(open_page())


def test_calls_of_mcp_clients_have_a_view_of_their_own(workbench: Database) -> None:
    assert "No program has called yet" in words(open_page(view="clients"))
    executor = Executor(workbench, person(workbench, "maya"), here)
    executor.execute(make_call("add_task", {"title": "From the desk"}, "llm"), Origin(client_decider("Desk")))
    executor.execute(make_call("machines_list", {}, "llm"), Origin(client_decider("Desk")))
    shown = html(open_page(view="clients"))
    assert "From the desk" in shown
    assert "machines" in shown
    assert "From the desk" not in html(open_page(user="jonas", view="clients"))
