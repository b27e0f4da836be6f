"""Is anybody there? What the Settings page shows about an endpoint before it is used."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

import openai

from llm.endpoint import Endpoint, locate
from llm.trace import LaneError, Path
from llm.transport import make_client
from llm.warming import choose_path


@dataclass(frozen=True, slots=True)
class Connection:
    """What answered, or why nothing did."""

    endpoint: str
    model: str
    models: tuple[str, ...] = ()
    """What the endpoint lists; empty where it lists nothing."""
    path: Path | None = None
    milliseconds: float | None = None
    problem: str = ""


def check_connection(endpoint: Endpoint) -> Connection:
    """Ask the endpoint for its models and find out how its model takes tools. Never raises for what it answers."""
    began = time.monotonic()
    try:
        models, path = asyncio.run(_check(locate(endpoint, endpoint.timeout_seconds)))
    except LaneError as error:
        return Connection(endpoint.name, endpoint.model, problem=error.sentence)
    milliseconds = round((time.monotonic() - began) * 1000, 1)
    return Connection(endpoint.name, endpoint.model, models, path, milliseconds)


async def _check(endpoint: Endpoint) -> tuple[tuple[str, ...], Path]:
    try:
        async with asyncio.timeout(endpoint.timeout_seconds), make_client(endpoint, endpoint.timeout_seconds) as client:
            return await _list_models(client), await choose_path(endpoint, endpoint.timeout_seconds)
    except TimeoutError:
        raise LaneError("timeout", f"Nothing answered within {endpoint.timeout_seconds:g} seconds.") from None


async def _list_models(client: openai.AsyncOpenAI) -> tuple[str, ...]:
    try:
        return tuple(sorted([model.id async for model in client.models.list()]))
    except openai.AuthenticationError:
        raise LaneError("refused_key", "The endpoint refused the key. Check OPENAI_API_KEY.") from None
    except openai.APIStatusError:
        return ()  # not every server has such a list
    except openai.APIConnectionError:
        raise LaneError("connection", "The model's server cannot be reached.") from None
    except (ValueError, TypeError, AttributeError):
        raise LaneError("unreadable", "What answers there does not speak the OpenAI interface.") from None
