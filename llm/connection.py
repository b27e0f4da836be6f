"""Is anybody there? What the Settings page shows about an endpoint before it is used."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from llm.border.client import load_sdk, make_client
from llm.border.whole_text import whole
from llm.endpoint import Endpoint
from llm.locating import locate
from llm.trace import FailureKind, LaneError, Path
from llm.warming import choose_path

if TYPE_CHECKING:
    import openai

_MOST_MODELS = 2000
_LONGEST_NAME = 200


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
    load_sdk()
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
    import openai  # late, as where the client is made

    try:
        listed = await client.get("/models", cast_to=object)
        return _read_models(listed)
    except openai.AuthenticationError:
        raise LaneError("refused_key", "The endpoint refused the key.") from None
    except openai.APIStatusError:
        return ()  # not every server has such a list
    except openai.APIConnectionError as error:
        if isinstance(error.__cause__, LaneError):
            raise error.__cause__ from None
        raise LaneError("connection", "The model's server cannot be reached.") from None
    except LaneError:
        raise
    except Exception:  # whatever answers there, a sentence says that it is not what was looked for
        raise _stranger() from None


def _read_models(listed: object) -> tuple[str, ...]:
    entries = listed.get("data") if isinstance(listed, dict) else None
    if not isinstance(entries, list):
        raise _stranger()
    names = [entry.get("id") for entry in entries[:_MOST_MODELS] if isinstance(entry, dict)]
    return tuple(sorted({whole(name[:_LONGEST_NAME]) for name in names if isinstance(name, str) and name}))


def _stranger() -> LaneError:
    return LaneError("unreadable", "What answers there does not speak the OpenAI interface.")
