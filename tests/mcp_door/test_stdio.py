"""A real child process on standard input and output, as a desktop assistant starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, types
from mcp.client.stdio import stdio_client

import mcp_server
from db.clients.calls import list_client_calls
from db.connection import Database
from db.users import User
from mcp_door.shelf import all_tools
from settings import load_settings
from tests.mcp_door.conftest import answering

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.anyio


def environment(database_url: str, handle: str) -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": database_url, "DEFAULT_USER": handle, "DATABASE_PATIENCE_SECONDS": "2"}


def connect(database_url: str, handle: str, era: str, **options: object) -> Client:
    # From another folder than the project's, as clients do; the server finds its own.
    parameters = StdioServerParameters(
        command=sys.executable, args=[str(ROOT / "mcp_server.py")], env=environment(database_url, handle), cwd="/"
    )
    info = types.Implementation(name="desk", title="The Desk", version="1")
    return Client(stdio_client(parameters), mode=era, client_info=info, **options)  # type: ignore[arg-type]


async def test_a_child_process_acts_for_the_person_of_the_settings(
    database: Database, database_url: str, ada: User, bob: User, era: str
) -> None:
    async with connect(database_url, "bob", era, elicitation_callback=answering("accept", yes=True)) as client:
        assert "delete_task" in [tool.name for tool in (await client.list_tools()).tools]
        await client.call_tool("add_task", {"title": "Bob's own"})
        decided = await client.call_tool("decide", {"message": "complete bob's own"})
        assert decided.structured_content["intent"] == "complete_task"
        deleted = await client.call_tool("delete_task", {"task_identifier": "own"})
        assert deleted.structured_content["status"] == "success"
        who = await client.call_tool("get_user_info", {})
        mapping = await client.read_resource("twolane://mapping")
        prompt = await client.get_prompt("todo_assistant")
    assert who.structured_content["handle"] == "bob"
    assert "add_task" in mapping.contents[0].text
    assert "confirm_call" in prompt.messages[0].content.text
    with database.read() as session:
        assert {call.client for call in list_client_calls(session, bob.id, limit=10)} == {"The Desk"}
        assert list_client_calls(session, ada.id, limit=10) == ()


Reach = Callable[[str, str], Client]
"""A client of the server that acts for this person on this database."""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reach]:
    """In this process: a child takes a core for three seconds, and what is said does not depend on the pipe."""

    def reach(database_url: str, handle: str) -> Client:
        for name, value in environment(database_url, handle).items():
            monkeypatch.setenv(name, value)
        forget()
        return Client(mcp_server.make_door().make_server(), mode="auto")

    def forget() -> None:
        load_settings.cache_clear()
        mcp_server.load_database.cache_clear()

    yield reach
    monkeypatch.undo()
    forget()


async def say_that_there_is_nobody(client: Client) -> None:
    async with client:
        answer = await client.call_tool("list_tasks", {})
    assert answer.is_error
    assert "nobody called 'carol'" in answer.structured_content["error_message"]


async def say_that_it_cannot_be_opened(client: Client) -> None:
    async with client:
        answer = await client.call_tool("list_tasks", {})
        assert len((await client.list_tools()).tools) == len(all_tools())  # the server itself is well
    assert answer.structured_content["error_kind"] == "unavailable"
    assert "Database connection failed" in answer.structured_content["error_message"]


def break_database(folder: Path) -> str:
    (folder / "broken.db").write_bytes(b"this is no database at all" * 100)
    return f"sqlite:///{folder / 'broken.db'}"


async def test_nobody_by_that_handle_is_said_and_nobody_else_is_used(here: Reach, database_url: str, ada: User) -> None:
    await say_that_there_is_nobody(here(database_url, "carol"))


async def test_a_database_that_cannot_be_opened_is_said_in_the_result(here: Reach, tmp_path: Path) -> None:
    await say_that_it_cannot_be_opened(here(break_database(tmp_path), "ada"))


@pytest.mark.thorough(
    "tests/mcp_door/test_stdio.py::test_nobody_by_that_handle_is_said_and_nobody_else_is_used",
    "tests/mcp_door/test_stdio.py::test_a_database_that_cannot_be_opened_is_said_in_the_result",
    "tests/mcp_door/test_stdio.py::test_a_child_process_acts_for_the_person_of_the_settings",
)
async def test_a_child_process_says_both_as_well(database_url: str, ada: User, tmp_path: Path) -> None:
    await say_that_there_is_nobody(connect(database_url, "carol", "auto"))
    await say_that_it_cannot_be_opened(connect(break_database(tmp_path), "ada", "auto"))


def test_malformed_lines_are_answered_or_passed_over_and_nothing_but_messages_is_written(tmp_path: Path) -> None:
    """A new database is made and seeded at the first call; nothing of that may stand between the messages."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "raw", "version": "1"},
        },
    }
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "get_user_info", "arguments": {}}}
    lines = [json.dumps(hello), json.dumps(ready), "{not json", "[]", '"text"', '{"jsonrpc": "1.0"}', json.dumps(call)]
    with subprocess.Popen(
        [sys.executable, str(ROOT / "mcp_server.py")],
        env=environment(f"sqlite:///{tmp_path / 'new' / 'tasks.db'}", "maya"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write("\n".join(lines) + "\n")
        server.stdin.flush()
        answers = {}
        while 2 not in answers:
            line = server.stdout.readline()
            assert line, "the server ended"
            answers[json.loads(line).get("id")] = json.loads(line)
        server.stdin.close()
        assert server.stdout.read() == ""
        assert server.wait(timeout=20) == 0  # a client that is gone ends it
    assert answers[2]["result"]["structuredContent"]["handle"] == "maya"
