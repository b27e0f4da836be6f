"""The Tools page, run by Streamlit's own test runner."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.audit import Origin
from db.clients.calls import client_decider
from db.connection import Database
from db.executor import Executor
from db.tasks.service import TaskService
from db.users import find_user
from domains.catalogues import load_tools
from domains.loading import load_domain, load_policy
from engine.catalogue.guidance import make_guidance
from engine.values import make_call
from mcp_door.shelf import all_tools
from mcp_door.texts import write_guidance
from tests.pages.opening import open_at
from ui.tools.snippets import CLIENTS

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.usefixtures("workbench")


def open_page(**address: str) -> AppTest:
    return open_at("tools", address)


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("door", ["stdio", "http"])
def test_there_is_something_to_copy_for_every_client(client: str, door: str) -> None:
    page = open_page(client=client, door=door)
    (snippet,) = page.code
    assert ("mcp_server.py" if door == "stdio" else "/mcp") in snippet.value
    assert ("Settings page" in page.caption[-2].value + page.caption[-1].value) == (door == "http")


def test_the_latest_calls_of_this_persons_clients_are_listed(workbench: Database) -> None:
    assert "No program has called yet" in open_page().caption[-1].value
    with workbench.read() as session:
        maya, jonas = find_user(session, "maya"), find_user(session, "jonas")
    assert maya
    assert jonas
    for user, title in ((maya, "Seen by Maya"), (jonas, "Seen by Jonas")):
        executor = Executor(workbench, user, lambda: datetime.now().astimezone())
        executor.execute(make_call("add_task", {"title": title}, "llm"), Origin(client_decider("Desk")))
    shown = html(open_page())
    assert "Seen by Maya" in shown
    assert "Seen by Jonas" not in shown


@pytest.mark.parametrize("name", all_tools())
def test_every_tool_is_shown_with_its_schemas(name: str) -> None:
    page = open_page(view="registry", tool=name)
    assert [each.value for each in page.subheader] == [name]
    assert json.loads(page.code[0].value) == all_tools()[name].input_schema
    page.segmented_control(key="tool_schema").set_value("Result").run()
    assert json.loads(page.code[0].value) == all_tools()[name].output_schema
    if name in load_tools():
        page.segmented_control(key="tool_schema").set_value("As OpenAI gets it").run()
        assert json.loads(page.code[0].value) == load_tools()[name].openai


def test_another_tool_can_be_chosen_while_a_schema_is_shown_that_it_has_not() -> None:
    page = open_page(view="registry", tool="add_task")
    page.segmented_control(key="tool_schema").set_value("As OpenAI gets it").run()
    page.pills(key="tool").set_value("decide").run()
    assert not page.exception
    assert json.loads(page.code[0].value) == all_tools()["decide"].input_schema


def test_the_mapping_can_be_tried_with_its_edge_cases() -> None:
    page = open_page(view="mapping")
    assert json.loads(page.code[0].value) == {"tool_name": "add_task"}
    page.button(key="try_Wrong case").click().run()
    assert page.text_input(key="mapping_try").value == '{"intent": "ADD_TASK"}'
    assert json.loads(page.code[0].value) == {"tool_name": None}
    assert "exact spelling" in page.markdown[-1].value
    page.text_input(key="mapping_try").set_value('{"intent": "identity_query"}').run()
    assert json.loads(page.code[0].value) == {"tool_name": "get_user_info"}


def test_the_guidance_is_the_one_that_the_llm_is_told() -> None:
    page = open_page(view="guidance")
    assert page.code[0].value.strip() == make_guidance(load_policy("en"), "task").strip()
    page.segmented_control(key="guidance_language-tasks").set_value("it").run()
    assert page.code[0].value.strip() == make_guidance(load_policy("it"), "task").strip()
    page.toggle(key="guidance_prompt").set_value(True).run()
    assert "confirm_call" in page.code[0].value


def test_the_guidance_of_every_domain_can_be_read() -> None:
    """Over MCP there was one for machines, and nowhere on the page."""
    page = open_page(view="guidance", domain="machines")
    assert page.code[0].value.strip() == write_guidance(load_domain("machines"), "en").strip()
    assert any("twolane://guidance/machines/en" in caption.value for caption in page.caption)


def test_an_address_with_nonsense_opens_the_first_view() -> None:
    page = open_page(view="nothing", client="nobody", door="window", tool="hammer")
    assert page.segmented_control(key="view").value == "connect"


def call_tool(page: AppTest, tool: str, **typed: str) -> AppTest:
    for name, value in typed.items():
        next(each for each in (*page.text_input, *page.selectbox) if each.key == f"call-{tool}-{name}").set_value(value)
    next(each for each in page.button if each.label == "Call").click().run()
    assert not page.exception
    return page


def titles(workbench: Database) -> list[str]:
    with workbench.read() as session:
        user = find_user(session, "maya")
        assert user
        return [task.title for task in TaskService(session, user, lambda: datetime.now().astimezone()).recent(99)]


def test_a_tool_is_called_by_a_form_of_its_schema_and_undone(workbench: Database) -> None:
    page = call_tool(open_page(view="registry"), "add_task", title="Feed the koala", priority="high")
    assert "Feed the koala" in titles(workbench)
    assert json.loads(page.code[0].value)["priority"] == "high"
    page.button(key="call_undo").click().run()
    assert page.success[0].value == "Undone."
    assert "Feed the koala" not in titles(workbench)


def test_what_deletes_asks_first_and_a_refusal_is_told(workbench: Database) -> None:
    page = call_tool(open_page(view="registry", tool="delete_task"), "delete_task", task_identifier="Renew passport")
    assert "would be deleted" in page.warning[0].value
    assert "Renew passport" in titles(workbench)
    page.button(key="call_yes").click().run()
    assert "Renew passport" not in titles(workbench)
    page.button(key="call_undo").click().run()
    assert "Renew passport" in titles(workbench)
    call_tool(page, "delete_task", task_identifier="a unicorn")
    assert page.error


def test_the_doors_own_tools_can_be_called_too() -> None:
    page = call_tool(open_page(view="registry", tool="decide"), "decide", message="show my tasks")
    assert json.loads(page.code[0].value)["intent"] == "list_tasks"
    page.text_area(key="call-decide-history").set_value("[nonsense")
    call_tool(page, "decide", message="hello")
    assert "not valid JSON" in page.error[0].value
