"""The tools in memory, through the SDK's own client, in both eras of the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp import MCPError

from db.clients.calls import list_client_calls
from db.connection import Database
from db.failures import StoreUnavailableError
from db.machines.seed import seed_machines
from db.tasks.service import Clock
from db.users import User
from domains.catalogues import load_all_tools, load_tools
from domains.tasks.mapping import INTENT_TO_TOOL
from engine.completing.values import ComposerSettings
from engine.values import ErrorKind
from mcp_door.confirmations import Confirmations
from mcp_door.own_tools import OWN_TOOLS
from mcp_door.server import USER_MESSAGE, Door, NobodyError, Person
from tests.conftest import Call
from tests.mcp_door.conftest import Connect

pytestmark = pytest.mark.anyio


async def test_openai_and_mcp_see_the_same_schemas(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    functions = [tool.openai["function"] for tool in load_all_tools().values()]
    assert functions[:6] == [entry["function"] for entry in [tool.openai for tool in load_tools().values()]]
    assert list(listed) == [*(function["name"] for function in functions), *OWN_TOOLS]
    for function in functions:
        tool = listed[function["name"]]
        assert (tool.description, tool.input_schema) == (function["description"], function["parameters"])
        assert tool.output_schema == load_all_tools()[tool.name].output_schema


async def test_no_tool_takes_a_user(connect: Connect) -> None:
    async with connect() as client:
        for tool in (await client.list_tools()).tools:
            assert not {"user", "user_id", "handle"} & set(tool.input_schema.get("properties", {}))


async def test_every_tool_of_the_catalogue_gives_its_structured_result(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        added = await client.call_tool("add_task", {"title": "Buy milk", "due_date": "2026-03-05"})
        assert added.structured_content["title"] == "Buy milk"
        assert json.loads(added.content[0].text) == added.structured_content  # type: ignore[union-attr]
        updated = await client.call_tool("update_task", {"task_identifier": "milk", "new_priority": "high"})
        assert updated.structured_content["priority"] == "high"
        listed = await client.call_tool("list_tasks", {"priority": "high"})
        assert [task["title"] for task in listed.structured_content["tasks"]] == ["Buy milk"]
        done = await client.call_tool("complete_task", {"task_identifier": "#1"})
        assert done.structured_content["completed"] is True
        who = await client.call_tool("get_user_info", {})
        assert (who.structured_content["name"], who.structured_content["completed"]) == ("Ada", 1)


async def test_every_call_is_in_the_audit_trail_with_its_clients_name(
    connect: Connect, database: Database, ada: User, era: str
) -> None:
    async with connect(era) as client:
        await client.call_tool("add_task", {"title": "Buy milk"})
        await client.call_tool("list_tasks", {})
        await client.call_tool("decide", {"message": "complete buy milk"})
        with pytest.raises(MCPError):
            await client.call_tool("drop_tables", {})
    with database.read() as session:
        calls = list_client_calls(session, ada.id, limit=10)
    assert [(call.client, call.tool_name, call.error) for call in calls] == [
        ("Desk", "drop_tables", ErrorKind.UNKNOWN_TOOL),
        ("Desk", "decide", None),
        ("Desk", "list_tasks", None),
        ("Desk", "add_task", None),
    ]


async def test_a_client_without_a_name_goes_by_its_token(database: Database, ada: User, door: Door) -> None:
    class Silent:
        client_params = None

    class Context:
        session, request = Silent(), None

    assert door._caller(Context()).client == "mcp: in memory"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("add_task", {"title": 7}, "wrong_type"),
        ("add_task", {"title": "x", "user_id": "bob"}, "unknown_argument"),
        ("add_task", {}, "missing_argument"),
        ("add_task", {"title": "x" * 1_000_000}, "title_too_long"),
        ("list_tasks", {"limit": "3"}, "wrong_type"),
        ("complete_task", {"task_identifier": "nothing like it"}, "not_found"),
        ("decide", {}, "missing_argument"),
        ("decide", {"message": 5}, "wrong_type"),
        ("decide", {"message": "hi", "history": "hello"}, "wrong_type"),
        ("decide", {"message": "hi", "history": [{"role": "boss", "content": "x"}]}, "invalid_value"),
        ("decide", {"message": "hi", "history": [{"role": "user", "content": "x"}] * 51}, "invalid_value"),
        ("decide", {"message": "hi", "pending": {"kind": "duel"}}, "invalid_value"),
        (
            "decide",
            {
                "message": "hi",
                "pending": {"kind": "fill", "intent": "add_task", "call": {"tool_name": "x", "parameters": [1]}},
            },
            "invalid_value",
        ),
        ("decide", {"message": "x" * 1_000_000}, "invalid_value"),
        ("confirm_call", {"confirmation": "made-up"}, "bad_confirmation"),
        ("confirm_call", {"confirmation": ""}, "missing_argument"),
    ],
)
async def test_a_wrong_call_is_an_error_that_a_model_can_read(
    connect: Connect, era: str, name: str, arguments: dict[str, Any], kind: str
) -> None:
    async with connect(era) as client:
        answer = await client.call_tool(name, arguments)
    assert answer.is_error
    assert answer.structured_content["error_kind"] == kind
    assert answer.structured_content["error_message"].endswith((".", "'", "?"))


async def test_an_unknown_tool_is_refused_with_the_names_of_those_there_are(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        with pytest.raises(MCPError, match=r"no tool 'x{40}'\. The tools are: add_task, .*confirm_call\."):
            await client.call_tool("x" * 5000, {})


async def test_decide_reads_the_live_store_and_changes_nothing(connect: Connect, call: Call, era: str) -> None:
    task = call("add_task", title="Call the plumber").payload
    async with connect(era) as client:
        decided = (await client.call_tool("decide", {"message": "mark call the plumber as done"})).structured_content
        tasks = (await client.call_tool("list_tasks", {})).structured_content["tasks"]
    assert (decided["action"], decided["intent"]) == ("execute", "complete_task")
    assert decided["calls"][0]["task"]["id"] == task["task_id"]
    assert [task["completed"] for task in tasks] == [False]


async def test_decide_follows_the_conversation_and_its_open_question(connect: Connect, call: Call) -> None:
    task = call("add_task", title="Call the plumber").payload
    said = {"role": "assistant", "content": "You have: Call the plumber", "tasks": [task["task_id"]]}
    async with connect() as client:
        asked = (await client.call_tool("decide", {"message": "delete it", "history": [said]})).structured_content
        assert (asked["action"], asked["intent"]) == ("confirm", "delete_task")
        again = {"message": "yes", "history": [said], "pending": asked["pending"]}
        decided = (await client.call_tool("decide", again)).structured_content
    assert decided["calls"][0]["parameters"]["task_identifier"] == task["task_id"]


async def test_the_guidance_and_the_mapping_are_resources(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        uris = [str(each.uri) for each in (await client.list_resources()).resources]
        read = {uri: (await client.read_resource(uri)).contents[0].text for uri in uris}  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="no resource"):
            await client.read_resource("twolane://secrets")
    assert "## Choosing a tool" in read["twolane://guidance/en"]
    assert read["twolane://guidance/it"] != read["twolane://guidance/en"]
    assert json.loads(read["twolane://mapping"]) == dict(INTENT_TO_TOOL)


async def test_the_prompt_sets_an_assistant_up_in_either_language(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["todo_assistant"]
        texts = [
            (await client.get_prompt("todo_assistant", arguments)).messages[0].content.text  # type: ignore[union-attr]
            for arguments in ({}, {"language": "it"})
        ]
        for name, arguments in (("todo_assistant", {"language": "xx"}), ("other", {})):
            with pytest.raises(MCPError, match=r"must be en or it|no prompt"):
                await client.get_prompt(name, arguments)
    assert all("confirm_call" in text for text in texts)
    assert texts[0] != texts[1]


@pytest.mark.parametrize("error", [StoreUnavailableError("The database is busy."), NobodyError("There is nobody.")])
async def test_a_store_that_is_away_is_said_in_the_result(connect: Connect, clock: Clock, error: Exception) -> None:
    def away(_request: object) -> Person:
        raise error

    async with connect(door=Door(away, clock, Confirmations(60))) as client:
        answer = await client.call_tool("list_tasks", {})
    assert answer.is_error
    assert answer.structured_content == {
        "status": "error",
        "error_kind": "unavailable",
        "error_message": str(error),
    }


async def test_an_incomplete_call_is_completed_from_the_users_words_with_provenance(connect: Connect) -> None:
    async with connect() as client:
        done = await client.call_tool("add_task", {}, meta={USER_MESSAGE: "add a task to buy milk tomorrow"})
        asked = await client.call_tool(
            "complete_task", {"task_identifier": "null"}, meta={USER_MESSAGE: "mark it as done"}
        )
        refused = await client.call_tool("complete_task", {}, meta={USER_MESSAGE: "don't complete buy milk"})
        alone = await client.call_tool("add_task", {})
    assert done.structured_content["title"] == "buy milk"
    assert done.meta
    origins = done.meta["twolane/completed"]["provenance"]
    assert {name: origin["source"] for name, origin in origins.items()} == {"title": "words", "due_date": "words"}
    assert (asked.is_error, asked.structured_content["error_kind"]) == (False, "needs_clarification")
    assert refused.is_error
    assert "not" in refused.structured_content["error_message"]
    assert alone.structured_content["error_kind"] == "missing_argument"
    assert not (alone.meta or {}).get("twolane/completed")


async def test_several_tasks_come_back_as_choices_that_can_be_called(connect: Connect) -> None:
    async with connect() as client:
        for title in ("buy milk", "buy bread"):
            await client.call_tool("add_task", {"title": title})
        asked = await client.call_tool("complete_task", {}, meta={USER_MESSAGE: "mark buy as done"})
        choice = asked.structured_content["choices"][0]
        done = await client.call_tool(choice["tool_name"], choice["value"])
    assert len(asked.structured_content["choices"]) == 2
    assert done.structured_content["completed"] is True


async def test_a_sound_call_is_made_as_it_came_whatever_the_words_say(connect: Connect) -> None:
    async with connect() as client:
        for title in ("buy milk", "buy bread"):
            await client.call_tool("add_task", {"title": title})
        arguments = {"task_identifier": "buy bread"}
        done = await client.call_tool("complete_task", arguments, meta={USER_MESSAGE: "mark buy milk as done"})
    assert done.structured_content["title"] == "buy bread"


async def test_switched_off_the_words_change_nothing(
    connect: Connect, database: Database, ada: User, clock: Clock
) -> None:
    person = Person(database, ada, "in memory")
    off = Door(lambda _request: person, clock, Confirmations(60), composer=ComposerSettings(enabled=False))
    async with connect(door=off) as client:
        answer = await client.call_tool("add_task", {}, meta={USER_MESSAGE: "add a task to buy milk"})
    assert answer.structured_content["error_kind"] == "missing_argument"


async def test_machines_are_told_and_read_and_belong_to_one_person(
    connect: Connect, database: Database, ada: User, bob: User, clock: Clock
) -> None:
    seed_machines(database, ada, clock)
    async with connect() as client:
        listed = await client.call_tool("machines_list", {})
        words = "accendi la luce del frigo cucina"
        lit = await client.call_tool("machine_command_execute", {}, meta={USER_MESSAGE: words})
        seen = await client.call_tool("device_detail", {"device_name": "Frigo Cucina"})
        measured = await client.call_tool("metrics_read", {"device_name": "Frigo Cucina", "metrics": ["temperature"]})
        composed = await client.call_tool("compose", {"user_message": "accendi la luce"})
    assert listed.structured_content["total"] > 1
    assert lit.structured_content["state"]["light"] == "on"
    assert seen.structured_content["state"]["light"] == "on"
    assert measured.structured_content["metrics"][0]["unit"] == "°C"
    assert composed.structured_content["outcome"] == "needs_clarification"
    other = Door(lambda _request: Person(database, bob, "in memory"), clock, Confirmations(60))
    async with connect(door=other) as client:
        assert (await client.call_tool("machines_list", {})).structured_content["total"] == 0
        theirs = await client.call_tool("device_detail", {"device_id": lit.structured_content["device_id"]})
        refused = await client.call_tool("compose", {"user_message": words})
    assert theirs.structured_content["error_kind"] == "not_found"
    assert refused.structured_content["outcome"] == "failed"


async def test_a_payload_that_cannot_be_read_is_refused_in_words(connect: Connect) -> None:
    async with connect() as client:
        answer = await client.call_tool("compose", {"user_message": "x", "function_call": {"name": "nonsense"}})
        broken = await client.call_tool("compose", {"user_message": "x", "conversation_history": [{"content": "?"}]})
    assert answer.structured_content["reason"] == "unknown_tool"
    assert broken.is_error
