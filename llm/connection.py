"""Is anybody there? What the Settings page shows about an endpoint before it is used."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

import openai

from llm.endpoint import Endpoint
from llm.locating import locate
from llm.trace import FailureKind, LaneError, Path
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
    failure: FailureKind | None = None


def check_connection(endpoint: Endpoint) -> Connection:
    """Ask the endpoint for its models and find out how its model takes tools. Never raises for what it answers.

    Where no model is named, the first that the endpoint lists is tried.
    """
    began = time.monotonic()
    try:
        found = asyncio.run(_check(locate(endpoint, endpoint.timeout_seconds)))
    except LaneError as error:
        return Connection(endpoint.name, endpoint.model, problem=error.sentence, failure=error.kind)
    milliseconds = round((time.monotonic() - began) * 1000, 1)
    return replace(found, endpoint=endpoint.name, milliseconds=milliseconds)


async def _check(endpoint: Endpoint) -> Connection:
    try:
        async with asyncio.timeout(endpoint.timeout_seconds), make_client(endpoint, endpoint.timeout_seconds) as client:
            models = await _list_models(client)
            if not endpoint.model and not models:
                raise LaneError("request", "The endpoint lists no models: type the name of one.")
            endpoint = replace(endpoint, model=endpoint.model or models[0])
            path = await choose_path(endpoint, endpoint.timeout_seconds)
            return Connection(endpoint.name, endpoint.model, models, path)
    except TimeoutError:
        raise LaneError("timeout", f"Nothing answered within {endpoint.timeout_seconds:g} seconds.") from None


async def _list_models(client: openai.AsyncOpenAI) -> tuple[str, ...]:
    try:
        return tuple(sorted([model.id async for model in client.models.list()]))
    except openai.AuthenticationError:
        raise LaneError("refused_key", "The endpoint refused the key.") from None
    except openai.APIStatusError:
        return ()  # not every server has such a list
    except openai.APIConnectionError:
        raise LaneError("connection", "The model's server cannot be reached.") from None
    except (ValueError, TypeError, AttributeError):
        raise LaneError("unreadable", "What answers there does not speak the OpenAI interface.") from None
