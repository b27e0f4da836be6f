"""A client that is not ours: the MCP Inspector's command line, as it comes from npm."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domains.catalogues import load_all_tools
from mcp_door.own_tools import OWN_TOOLS
from mcp_door.shelf import all_tools
from tests.mcp_door.get_inspector import find_inspector
from tests.mcp_door.workbench import calls, connect, make_token
from tests.workbench import Somebody, Workbench

ROOT = Path(__file__).parent.parent.parent
PATIENCE = ("--connect-timeout", "60000")
"""Milliseconds: a child process that other tests leave little of the cores starts slowly."""


class Inspector:
    def __init__(self, target: list[str], home: Path) -> None:
        command = find_inspector()
        assert command, "Run `make inspector` first."
        self._command, self._environment = [*command, "--cli", *PATIENCE, *target], {**os.environ, "HOME": str(home)}

    def ask(self, method: str, *options: str) -> dict[str, Any]:
        """What it prints. It leaves with another code than 0 where a call failed."""
        command = [*self._command, "--method", method, *options]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, f"{done.stderr}\n{done.stdout}"
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def call(self, name: str, **arguments: object) -> dict[str, Any]:
        pairs = [f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in arguments.items()]
        options = ["--tool-arg", *pairs] if pairs else []
        content: dict[str, Any] = self.ask("tools/call", "--tool-name", name, *options)["structuredContent"]
        return content


@pytest.mark.thorough("tests/mcp_door/test_inspector.py::test_over_http_every_tool_answers")
def test_over_http_it_lists_the_tools_and_calls_them(jonas: Somebody, tmp_path: Path) -> None:
    token = make_token(jonas)
    url = f"{jonas.workbench.url}/mcp"
    inspector = Inspector([url, "--transport", "http", "--header", f"Authorization: Bearer {token}"], tmp_path)

    listed = inspector.ask("tools/list", "--strict")["tools"]  # strict: our schemas suit every client it knows of
    assert [tool["name"] for tool in listed] == list(all_tools())
    functions = {name: tool.openai["function"]["parameters"] for name, tool in load_all_tools().items()}
    assert {tool["name"]: tool["inputSchema"] for tool in listed if tool["name"] not in OWN_TOOLS} == functions

    assert inspector.call("add_task", title="Water the plants", priority="high")["title"] == "Water the plants"
    assert inspector.call("list_tasks", search="plants", limit=5)["count"] == 1
    held = inspector.call("delete_task", task_identifier="water the plants")
    assert held["error_kind"] == "needs_confirmation"
    assert inspector.call("confirm_call", confirmation=held["confirmation"])["title"] == "Water the plants"
    composed = inspector.call("compose", user_message="add a task to buy milk", function_call={"name": "add_task"})
    assert composed["composed_input"] == {"title": "buy milk"}
    assert jonas.tasks(search="plants") == ()
    assert {"inspector" in call.client.lower() for call in calls(jonas)} == {True}


def test_over_http_every_tool_answers(jonas: Somebody) -> None:
    """By the SDK's client: each call of the Inspector's is a process of its own, which takes a core for two seconds."""
    called: set[str] = set()

    async def call_them() -> None:
        async with connect(f"{jonas.workbench.url}/mcp", make_token(jonas), "legacy") as client:

            async def call(name: str, **arguments: object) -> dict[str, Any]:
                called.add(name)
                content: dict[str, Any] = (await client.call_tool(name, arguments)).structured_content
                return content

            assert (await call("add_task", title="Water the plants"))["title"] == "Water the plants"
            changed = await call("update_task", task_identifier="water the plants", new_due_date="2026-03-05")
            assert changed["due_date"] == "2026-03-05"
            assert (await call("list_tasks", search="plants", limit=5))["count"] == 1
            decided = await call("decide", message="mark water the plants as done")
            assert (decided["action"], decided["intent"]) == ("execute", "complete_task")
            assert (await call("complete_task", task_identifier="water the plants"))["completed"] is True
            held = await call("delete_task", task_identifier="water the plants")
            confirmed = await call("confirm_call", confirmation=held["confirmation"])
            assert confirmed["title"] == "Water the plants"
            assert (await call("get_user_info"))["handle"] == jonas.handle
            machine = (await call("machines_list", limit=1))["machines"][0]
            detail = await call("device_detail", device_name=machine["name"])
            assert detail["device_id"] == machine["id"]
            plain = next(each for each in detail["commands"] if not each["name"].startswith("set_"))
            done = await call("machine_command_execute", device_id=machine["id"], command_name=plain["name"])
            assert done["command"] == plain["name"]
            assert (await call("metrics_read", device_id=machine["id"], hours=2))["metrics"]
            composed = await call("compose", user_message="add a task to buy milk", function_call={"name": "add_task"})
            assert composed["composed_input"] == {"title": "buy milk"}

    asyncio.run(call_them())
    assert jonas.tasks(search="plants") == ()
    assert called == set(all_tools())


@pytest.mark.thorough("tests/mcp_door/test_http.py::test_without_a_valid_token_there_are_no_tools")
def test_over_http_it_gets_nothing_without_a_token(workbench: Workbench, tmp_path: Path) -> None:
    inspector = Inspector([f"{workbench.url}/mcp", "--transport", "http"], tmp_path)
    with pytest.raises(AssertionError, match="auth_required"):
        inspector.ask("tools/list")


def test_over_stdio_it_lists_and_calls(tmp_path: Path) -> None:
    database = f"DATABASE_URL=sqlite:///{tmp_path / 'tasks.db'}"
    server = [sys.executable, str(ROOT / "mcp_server.py"), "-e", database, "-e", "DEFAULT_USER=maya"]
    inspector = Inspector(server, tmp_path)
    assert [tool["name"] for tool in inspector.ask("tools/list")["tools"]] == list(all_tools())
    assert inspector.call("add_task", title="Over stdio")["status"] == "success"
