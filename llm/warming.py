"""Before the first message: which way a model is asked, and its prompt read in advance."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from llm.border.client import make_client
from llm.embedded import MODEL_NAME, Address
from llm.endpoint import Endpoint
from llm.kept_prompt import KeptPrompt
from llm.prompt import make_request
from llm.trace import LaneError, Path
from llm.transport import exchange
from llm.weights import find_adapter

_PROBE = "Add a task called buy milk."
_WARM_UP_SECONDS = 60.0
_known: dict[tuple[str, str], Path] = {}
"""What the probe found, by address and model: one probe for all sessions."""


async def choose_path(endpoint: Endpoint, seconds: float) -> Path:
    """Native tools if the model uses them when asked plainly; otherwise an answer in a JSON schema."""
    if endpoint.kind == "openai":
        return "tools"
    if endpoint.kind == "embedded":
        return embedded_path()
    key = (endpoint.base_url, endpoint.model)
    if key not in _known:
        _known[key] = "tools" if await _uses_tools(endpoint, seconds) else "schema"
    return _known[key]


def is_raw(endpoint: Endpoint, path: Path) -> bool:
    """Whether the model is asked for plain text, in which we find the calls: that way it says how sure it is."""
    return endpoint.kind == "embedded" and path == "tools"


def embedded_path() -> Path:
    """As it comes, SmolLM2-135M never calls a native tool (0 of 5 plain requests); its adapter was trained to."""
    return "tools" if find_adapter() else "schema"


async def _uses_tools(endpoint: Endpoint, seconds: float) -> bool:
    request = make_request(_PROBE, _nothing(), endpoint, "tools")
    request.pop("logprobs", None)
    try:
        async with make_client(endpoint, seconds) as client:
            return bool((await exchange(client, request)).calls)
    except LaneError as error:
        if error.kind == "request":  # "this model does not support tools"
            return False
        raise


def warm_up(address: Address, kept: KeptPrompt) -> None:
    """Every slot of the embedded model has the prompt in its cache, where later messages find it. Asked at once, one
    slot would read it for both and the other one nothing."""
    endpoint = Endpoint("embedded", address.base_url, MODEL_NAME, address.key)
    path = embedded_path()
    request: dict[str, Any] = {**make_request("hello", _nothing(), endpoint, path), "max_tokens": 1}
    raw = is_raw(endpoint, path)

    async def read(slot: int) -> None:
        async with make_client(endpoint, _WARM_UP_SECONDS) as client:
            await exchange(client, {**request, "id_slot": slot}, raw=raw)

    asyncio.run(kept.fill_slots(endpoint, request, read))


def _nothing() -> Context:
    return Context(tasks=MemoryIndex(), now=datetime.now())  # noqa: DTZ005 - only words, no times
