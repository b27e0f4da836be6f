"""What the Tools page gives to copy can be read by the program it is for, and never holds a token."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from db.connection import Database
from db.users import User
from tests.mcp_door.get_inspector import find_inspector
from tests.mcp_door.test_inspector import PATIENCE
from ui.tools.snippets import CLIENTS, INSPECTOR, DoorKind, Snippet, WorkbenchPlace, make_snippet

ROOT = Path(__file__).parents[3]
PLACE = WorkbenchPlace(
    "/opt/a b/python", "/opt/it's/mcp_server.py", "http://localhost:8501/mcp", "sqlite:////x/t.db", "maya"
)
DOORS: tuple[DoorKind, ...] = ("stdio", "http")


def read(snippet: Snippet) -> Any:
    if snippet.language == "json":
        return json.loads(snippet.text)
    if snippet.language == "toml":
        return tomllib.loads(snippet.text)
    if snippet.language == "python":
        return compile(snippet.text, "snippet", "exec")
    return subprocess.run(["bash", "-n", "-c", snippet.text], check=True)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("client", CLIENTS)
def test_every_snippet_is_well_formed_and_names_this_place(client: str, door: DoorKind) -> None:
    snippet = make_snippet(client, PLACE, door)
    assert read(snippet)
    assert snippet.where
    expected = [PLACE.url] if door == "http" else [PLACE.database_url, "maya", "a b/python"]
    assert [part for part in expected if part not in snippet.text] == []


@pytest.mark.parametrize("client", CLIENTS)
def test_a_token_is_left_to_the_reader(client: str) -> None:
    text = make_snippet(client, PLACE, "http").text
    assert "twl_" not in text
    assert any(mark in text for mark in ("YOUR_TOKEN", "TWOLANE_TOKEN", "${input:twolane-token}"))


@pytest.mark.parametrize("client", ["Claude Desktop", "Cursor", "Other"])
def test_the_command_in_a_snippet_is_the_one_of_this_place(client: str) -> None:
    entry = read(make_snippet(client, PLACE, "stdio"))["mcpServers"]["twolane"]
    assert (entry["command"], entry["args"], entry["env"]) == (PLACE.python, [PLACE.script], PLACE.environment)


def test_the_shell_line_over_stdio_really_answers(database: Database, database_url: str, ada: User) -> None:
    place = WorkbenchPlace(sys.executable, str(ROOT / "mcp_server.py"), "", database_url, "ada")
    inspector = find_inspector()
    assert inspector, "Run `make inspector` first."
    line = make_snippet("Shell", place, "stdio").text.replace(INSPECTOR, shlex.join(inspector))
    line = f"{line} {shlex.join(PATIENCE)}"  # other tests take the cores, too
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["structuredContent"]["handle"] == "ada"
