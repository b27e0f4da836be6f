"""The one embedded server of this process."""

from __future__ import annotations

import atexit
from pathlib import Path

from llm.embedded import EmbeddedError, EmbeddedServer
from llm.process import find_kept, keep_once
from llm.warming import warm_up
from llm.weights import find_adapter, find_merged, find_weights


def shared_server() -> EmbeddedServer:
    """The one server of this process, started on first use."""
    found = _find()
    if found is None:
        raise EmbeddedError("The embedded model is not installed. To get it: make model")
    return keep_once(_name(*found), lambda: _start(*found))


def find_shared_server() -> EmbeddedServer | None:
    """The server if somebody has started it; starts nothing."""
    found = _find()
    server: EmbeddedServer | None = find_kept(_name(*found)) if found else None
    return server


def _find() -> tuple[Path, Path | None] | None:
    """Weights and adapter; the adapter is None where it is merged into them, or not wanted."""
    merged = find_merged()
    if merged:
        return merged, None
    weights = find_weights()
    return (weights, find_adapter()) if weights else None


def is_installed() -> bool:
    return _find() is not None


def is_starting() -> bool:
    """Whether the model is there, and not ready yet; starts nothing."""
    server = find_shared_server()
    return server.is_getting_ready if server else _find() is not None


def _name(weights: Path, adapter: Path | None) -> tuple[str, str, str]:
    return "embedded server", str(weights), str(adapter or "")


def _start(weights: Path, adapter: Path | None) -> EmbeddedServer:
    server = EmbeddedServer(weights, warm_up, adapter=adapter)
    atexit.register(server.stop)
    server.start()
    return server
