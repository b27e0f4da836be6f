"""The MCP server itself: what each request of a client leads to. It knows no transport; `identify` says who asks.

On the SDK's low-level server rather than its decorators: those read schemas from Python functions of their own, and
ours are those of the catalogue, word for word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn, TypeVar

import anyio
from mcp import MCPError, types
from mcp.server import Server

from db.clients.calls import client_decider
from db.connection import Database
from db.failures import StoreUnavailableError
from db.tasks.service import Clock
from db.users import User
from domains.catalogues import needs_yes
from domains.deciders import make_engine
from domains.loading import TASKS, list_domains, load_domain
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings
from engine.decision import Decider
from engine.values import ErrorKind, ToolCall, ToolResult
from mcp_door import texts
from mcp_door.answers import invalid, tool_answer, unavailable
from mcp_door.asking import DestructiveCall
from mcp_door.callers import Caller
from mcp_door.confirmations import Confirmations
from mcp_door.questions import Asking
from mcp_door.shelf import all_tools, describe_tools, find_input_schema

USER_MESSAGE = "twolane/user_message"
"""The key in a request's `_meta` under which a client may send the user's own words along."""
_MOST_WORDS = 4000
_THREADS = 16
_INSTRUCTIONS = (
    "The {things} of one person. Call a tool only for what the user asks; `decide` says what the rule-based "
    "engine would do, `compose` completes a call. Deleting is held back until the user has said yes."
)
T = TypeVar("T")
CallAnswer = types.CallToolResult | types.InputRequiredResult


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks, as the transport found out."""

    database: Database
    user: User
    known_as: str
    """What to call a client that does not say its name."""


class NobodyError(Exception):
    """There is nobody to act for, in words for the client."""


@dataclass(frozen=True)
class Door:
    identify: Callable[[Any], Person]
    """From the transport's request to the person. Blocks; may raise StoreUnavailableError or NobodyError."""
    clock: Clock
    confirmations: Confirmations
    decider: Callable[[], Decider] = make_engine
    composer: ComposerSettings = DEFAULT_SETTINGS
    _threads: list[anyio.CapacityLimiter] = field(default_factory=list)

    def make_server(self) -> Server[Any]:
        return Server(
            "twolane",
            title="Twolane",
            version="unreleased",
            instructions=_INSTRUCTIONS.format(things=_name_all()),
            get_tool_input_schema=find_input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def _call_tool(self, ctx: Asking, params: types.CallToolRequestParams) -> CallAnswer:
        try:
            caller = await self._in_thread(partial(self._caller, ctx))
        except (StoreUnavailableError, NobodyError) as error:
            return tool_answer(unavailable(params.name, str(error)))
        words = (params.meta or {}).get(USER_MESSAGE)
        said = words[:_MOST_WORDS] if isinstance(words, str) else ""
        sent = params.arguments or {}
        call = await self._in_thread(partial(caller.prepare, params.name, sent, said))
        if isinstance(call, ToolResult):
            return tool_answer(call)
        if call.tool_name not in all_tools():
            await self._refuse_unknown(caller, call)
        if needs_yes(call.tool_name):
            answer = await DestructiveCall(caller, call, self._in_thread).ask_first(ctx, params)
            return answer if isinstance(answer, types.InputRequiredResult) else tool_answer(answer, call, sent)
        return tool_answer(await self._in_thread(partial(caller.carry_out, call)), call, sent)

    async def _refuse_unknown(self, caller: Caller, call: ToolCall) -> NoReturn:
        message = f"There is no tool '{call.tool_name[:40]}'. The tools are: {', '.join(all_tools())}."
        await self._in_thread(partial(caller.refuse, call, ErrorKind.UNKNOWN_TOOL, message))
        raise MCPError(types.INVALID_PARAMS, message)

    def _caller(self, ctx: Asking) -> Caller:
        person = self.identify(ctx.request)
        info = ctx.session.client_params.client_info if ctx.session.client_params else None
        name = (info.title or info.name) if info else ""
        client = client_decider(name or person.known_as)
        return Caller(
            person.database, person.user, client, self.clock, self.decider(), self.confirmations, self.composer
        )

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """The store blocks. A limit of our own: the threads of the pages are not ours to use up."""
        if not self._threads:
            self._threads.append(anyio.CapacityLimiter(_THREADS))
        return await anyio.to_thread.run_sync(work, limiter=self._threads[0])

    async def _list_tools(self, _ctx: Asking, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(describe_tools()))

    async def _list_resources(self, _ctx: Asking, _params: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=texts.list_documents())

    async def _read_resource(self, _ctx: Asking, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        document = texts.find_document(params.uri)
        if document is None:
            raise invalid(f"There is no resource '{params.uri[:80]}'.")
        text = await self._in_thread(document.read)
        contents = types.TextResourceContents(uri=document.uri, mime_type=document.mime_type, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _list_prompts(self, _ctx: Asking, _params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=texts.list_prompts())

    async def _get_prompt(self, _ctx: Asking, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != texts.PROMPT:
            raise invalid(f"There is no prompt '{params.name[:80]}'.")
        given = params.arguments or {}
        name = given.get("domain") or TASKS
        if name not in list_domains():
            raise invalid(f"domain must be {' or '.join(list_domains())}.")
        domain = load_domain(name)
        language = given.get("language") or domain.languages[0]
        if language not in domain.languages:
            raise invalid(f"language must be {' or '.join(domain.languages)}.")
        text = await self._in_thread(partial(texts.write_prompt, language, domain))
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(messages=[message])


def _name_all() -> str:
    """Whatever there is: "tasks and machines"."""
    *most, last = (load_domain(name).label.lower() for name in list_domains())
    return f"{', '.join(most)} and {last}" if most else last
