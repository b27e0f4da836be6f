"""A domain that is only a folder, over MCP: its tools, its guidance, and what the engine makes of a message."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from mcp import MCPError

from db.clients.calls import list_client_calls
from db.connection import Database
from db.items.service import ItemService
from db.machines.seed import seed_machines
from db.users import User
from domains import catalogues
from domains.loading import load_domain
from engine.values import ErrorKind
from mcp_door.server import USER_MESSAGE
from tests.conftest import NOW
from tests.mcp_door.conftest import Connect, answering

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("parcels")]


@pytest.fixture(autouse=True)
def own_parcels(parcels: str, database: Database, ada: User) -> None:
    with database.write() as session:
        items = ItemService(session, ada, load_domain(parcels))
        for title in ("Garden chairs", "Running shoes"):
            items.add(title, {"address": "12 Mill Lane", "place": "the depot"})


async def test_its_tools_are_listed_and_called(connect: Connect, database: Database, ada: User, era: str) -> None:
    async with connect(era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        listed = await client.call_tool("list_parcels", {})
        sent = await client.call_tool("redirect_parcel", {"parcel": "#2", "address": "Elm Street 5"})
        missing = await client.call_tool("track_parcel", {"parcel": "teapot"})
    assert tools["track_parcel"].annotations
    assert tools["track_parcel"].annotations.read_only_hint
    assert listed.structured_content["total"] == 2
    assert (sent.structured_content["address"], sent.structured_content["changed"]) == ("Elm Street 5", True)
    assert missing.is_error
    with database.read() as session:
        made = [(call.tool_name, call.error) for call in list_client_calls(session, ada.id, limit=9)]
    assert made[0] == ("track_parcel", ErrorKind.NOT_FOUND)


async def test_decide_reads_its_messages_and_follows_its_questions(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        asked = await client.call_tool("decide", {"message": "redirect the chairs", "domain": "parcels"})
        pending = asked.structured_content["pending"]
        answer = {"message": "Elm Street 5", "pending": pending, "domain": "parcels"}
        decided = (await client.call_tool("decide", answer)).structured_content
        about_tasks = await client.call_tool("decide", {"message": "where are the garden chairs?"})
    assert asked.structured_content["action"] == "clarify"
    assert (decided["action"], decided["intent"]) == ("execute", "redirect_parcel")
    assert decided["calls"][0]["parameters"]["address"] == "Elm Street 5"
    assert about_tasks.structured_content["intent"] != "track_parcel"


async def test_decide_reads_a_message_about_machines(connect: Connect, database: Database, ada: User) -> None:
    seed_machines(database, ada, lambda: NOW)
    async with connect() as client:
        decided = await client.call_tool(
            "decide", {"message": "accendi la luce del frigo cucina", "domain": "machines"}
        )
    assert (decided.structured_content["action"], decided.structured_content["intent"]) == ("execute", "run_command")


async def test_a_domain_that_is_not_there_is_an_error_that_a_model_can_read(connect: Connect) -> None:
    async with connect() as client:
        answer = await client.call_tool("decide", {"message": "hi", "domain": "letters"})
    assert answer.structured_content["error_kind"] == "invalid_value"
    assert "there are: tasks, machines, parcels." in answer.structured_content["error_message"]


async def test_its_guidance_and_mapping_are_resources_and_the_prompt_takes_it(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        uris = [str(each.uri) for each in (await client.list_resources()).resources]
        read = {uri: (await client.read_resource(uri)).contents[0].text for uri in uris}  # type: ignore[union-attr]
        prompt = await client.get_prompt("todo_assistant", {"domain": "parcels"})
        for wrong in ({"domain": "letters"}, {"domain": "parcels", "language": "it"}):
            with pytest.raises(MCPError, match="must be"):
                await client.get_prompt("todo_assistant", wrong)
    assert uris[:3] == ["twolane://guidance/en", "twolane://guidance/it", "twolane://mapping"]
    assert "twolane://guidance/machines/it" in uris
    assert "redirect_parcel" in read["twolane://guidance/parcels/en"]
    assert json.loads(read["twolane://mapping/parcels"])["track_parcel"] == "track_parcel"
    text = prompt.messages[0].content.text  # type: ignore[union-attr]
    assert text.startswith("You help one person with their parcels")
    assert "confirm_call" not in text


async def test_its_calls_are_completed_from_the_users_words(connect: Connect) -> None:
    async with connect() as client:
        sound = await client.call_tool("track_parcel", {"parcel": "#1"}, meta={USER_MESSAGE: "turn on the light"})
        bare = await client.call_tool("track_parcel", {}, meta={USER_MESSAGE: "where are the chairs?"})
    assert sound.structured_content["title"] == "Garden chairs"
    assert bare.structured_content["title"] == "Garden chairs"


async def test_a_tool_of_it_that_needs_a_yes_is_held_back(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, era: str
) -> None:
    """No example tool is destructive; here redirecting is made so."""
    domain = load_domain("parcels")
    tools = tuple(replace(each, needs_yes=each.name == "redirect_parcel") for each in domain.catalogue.tools)
    careful = replace(domain, catalogue=replace(domain.catalogue, tools=tools))
    known = {"parcels": careful, **{name: load_domain(name) for name in ("tasks", "machines")}}
    monkeypatch.setattr(catalogues, "load_domain", known.__getitem__)
    sent = {"parcel": "chairs", "address": "Elm Street 5"}
    person = answering("accept", yes=True)
    async with connect(era, elicitation_callback=person) as client:
        done = await client.call_tool("redirect_parcel", sent)
    async with connect(era) as client:
        held = await client.call_tool("redirect_parcel", {**sent, "address": "Oak Street 1"})
        late = await client.call_tool("confirm_call", {"confirmation": held.structured_content["confirmation"]})
        lost = await client.call_tool("redirect_parcel", {"parcel": "teapot", "address": "Oak Street 1"})
    assert person.asked == ["Redirect parcel #1 'Garden chairs'?"]  # type: ignore[attr-defined]
    assert done.structured_content["address"] == "Elm Street 5"
    assert (held.is_error, held.structured_content["error_kind"]) == (False, "needs_confirmation")
    assert late.structured_content["address"] == "Oak Street 1"
    assert lost.structured_content["error_kind"] == "not_found"
