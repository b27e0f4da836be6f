"""Ready-made settings for MCP clients, over stdio and over HTTP. Pure text: no token is ever written into one."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from domains.loading import load_domain
from mcp_door.texts import PROMPT

DoorKind = Literal["stdio", "http"]
TOKEN_VARIABLE = "TWOLANE_TOKEN"  # noqa: S105 - the name of a variable
TOKEN_HERE = "YOUR_TOKEN"  # noqa: S105 - stands where the token goes
_VERSION = "2026-07-28"
INSPECTOR = "npx -y @modelcontextprotocol/inspector"


@dataclass(frozen=True, slots=True)
class WorkbenchPlace:
    """Where this workbench is, seen from a client on the same machine."""

    python: str
    script: str
    url: str
    database_url: str
    handle: str

    @property
    def environment(self) -> dict[str, str]:
        return {"DATABASE_URL": self.database_url, "DEFAULT_USER": self.handle}

    @property
    def command(self) -> dict[str, Any]:
        return {"command": self.python, "args": [self.script], "env": self.environment}


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str
    language: str
    where: str
    """Where it goes, in words."""


def _json(value: Mapping[str, Any]) -> str:
    """Indented, with lists of plain values on one line."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return re.sub(r"\[\s+([^\[\]{}]+?)\s+\]", lambda found: "[" + re.sub(r",\s+", ", ", found[1]) + "]", text)


def _claude(place: WorkbenchPlace, door: DoorKind) -> Snippet:
    where = "Into Settings → Developer → Edit Config: `claude_desktop_config.json`"
    if door == "stdio":
        return Snippet(_json({"mcpServers": {"twolane": place.command}}), "json", where)
    args = ["-y", "mcp-remote", place.url, "--header", "Authorization:${AUTHORIZATION}"]
    entry = {"command": "npx", "args": args, "env": {"AUTHORIZATION": f"Bearer {TOKEN_HERE}"}}
    return Snippet(_json({"mcpServers": {"twolane": entry}}), "json", f"{where}. `mcp-remote` from npm carries it over")


def _vscode(place: WorkbenchPlace, door: DoorKind) -> Snippet:
    where = "Into `.vscode/mcp.json` in a folder, or *MCP: Open User Configuration*"
    if door == "stdio":
        return Snippet(_json({"servers": {"twolane": {"type": "stdio", **place.command}}}), "json", where)
    asked = {"type": "promptString", "id": "twolane-token", "description": "Twolane token", "password": True}
    header = {"Authorization": "Bearer ${input:twolane-token}"}
    server = {"type": "http", "url": place.url, "headers": header}
    text = _json({"inputs": [asked], "servers": {"twolane": server}})
    return Snippet(text, "json", f"{where}. It asks for the token once and keeps it")


def _cursor(place: WorkbenchPlace, door: DoorKind) -> Snippet:
    where = "Into `~/.cursor/mcp.json`, or `.cursor/mcp.json` in a project"
    header = {"Authorization": f"Bearer ${{env:{TOKEN_VARIABLE}}}"}
    entry = place.command if door == "stdio" else {"url": place.url, "headers": header}
    return Snippet(_json({"mcpServers": {"twolane": entry}}), "json", where)


def _codex(place: WorkbenchPlace, door: DoorKind) -> Snippet:
    lines = ["[mcp_servers.twolane]"]
    if door == "stdio":
        environment = ", ".join(f"{name} = {json.dumps(value)}" for name, value in place.environment.items())
        lines += [f"command = {json.dumps(place.python)}", f"args = [{json.dumps(place.script)}]"]
        lines += [f"env = {{ {environment} }}"]
    else:
        lines += [f"url = {json.dumps(place.url)}", f'bearer_token_env_var = "{TOKEN_VARIABLE}"']
    return Snippet("\n".join(lines), "toml", "Into `~/.codex/config.toml`")


def _other(place: WorkbenchPlace, door: DoorKind) -> Snippet:
    header = {"Authorization": f"Bearer {TOKEN_HERE}"}
    http = {"type": "streamable-http", "url": place.url, "headers": header}
    entry = {"type": "stdio", **place.command} if door == "stdio" else http
    return Snippet(_json({"mcpServers": {"twolane": entry}}), "json", "Most clients read a file of this form")


def _agents(place: WorkbenchPlace, door: DoorKind) -> Snippet:
    if door == "stdio":
        server, params = "MCPServerStdio", json.dumps(place.command, indent=4)
    else:
        server = "MCPServerStreamableHttp"
        params = (
            "{\n"
            f'    "url": {json.dumps(place.url)},\n'
            f'    "headers": {{"Authorization": f"Bearer {{os.environ[\'{TOKEN_VARIABLE}\']}}"}},\n'
            "}"
        )
    text = f"""\
import asyncio
import os

from agents import Agent, Runner
from agents.mcp import {server}

PARAMS = {params}


async def main() -> None:
    async with {server}(name="twolane", params=PARAMS) as twolane:
        guide = await twolane.get_prompt("{PROMPT}")
        agent = Agent(name="Tasks", instructions=guide.messages[0].content.text, mcp_servers=[twolane])
        print((await Runner.run(agent, "What is due this week?")).final_output)


asyncio.run(main())"""
    return Snippet(text, "python", "After `pip install openai-agents`, run it")


def _shell(place: WorkbenchPlace, door: DoorKind) -> Snippet:
    if door == "stdio":
        variables = " ".join(f"-e {shlex.quote(f'{name}={value}')}" for name, value in place.environment.items())
        server = f"{shlex.quote(place.python)} {shlex.quote(place.script)}"
        lines = [f"{INSPECTOR} --cli {server}", variables, f"--method tools/call --tool-name {_plainest()}"]
        return Snippet(" \\\n  ".join(lines), "bash", "In a shell: the Inspector from npm starts the server")
    headers, body = curl_request(*_list_call())
    parts = [f"curl {shlex.quote(place.url)}", f'-H "Authorization: Bearer ${TOKEN_VARIABLE}"']
    parts += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in headers.items()]
    parts.append(f"-d {shlex.quote(json.dumps(body))}")
    return Snippet(" \\\n  ".join(parts), "bash", f"In a shell, with the token in `{TOKEN_VARIABLE}`")


def _plainest() -> str:
    """A tool that only reads and takes no arguments; else the first that only reads."""
    reading = [facts for facts in load_domain().catalogue.tools if not facts.changes_something]
    return next((facts.name for facts in reading if not facts.reads and not facts.target), reading[0].name)


def _list_call() -> tuple[str, dict[str, Any]]:
    """A list of the first few that are not settled."""
    catalogue = load_domain().catalogue
    facts = next(each for each in catalogue.tools if each.intent in catalogue.lists)
    given = {facts.argument("state_filter"): catalogue.states[0], facts.argument("limit"): 5}
    return facts.name, {name: value for name, value in given.items() if name}


def curl_request(tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """One call without a session: headers and body of the protocol of 2026-07-28."""
    prefix = "io.modelcontextprotocol"
    meta = {
        f"{prefix}/protocolVersion": _VERSION,
        f"{prefix}/clientCapabilities": {},
        f"{prefix}/clientInfo": {"name": "curl", "version": "1"},
    }
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": _VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
    }
    params = {"name": tool, "arguments": dict(arguments), "_meta": meta}
    return headers, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


CLIENTS: dict[str, Callable[[WorkbenchPlace, DoorKind], Snippet]] = {
    "Claude Desktop": _claude,
    "VS Code": _vscode,
    "Cursor": _cursor,
    "Codex": _codex,
    "Other": _other,
    "OpenAI Agents SDK": _agents,
    "Shell": _shell,
}


def make_snippet(client: str, place: WorkbenchPlace, door: DoorKind) -> Snippet:
    return CLIENTS[client](place, door)
