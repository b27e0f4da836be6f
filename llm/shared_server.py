"""The one embedded server of this process."""

from __future__ import annotations

import atexit
from pathlib import Path

from llm.embedded import EmbeddedError, EmbeddedServer
from llm.process import find_kept, keep_once
from llm.warming import warm_up
from llm.weights import find_adapter, find_weights


def shared_server() -> EmbeddedServer:
    """The one server of this process, started on first use."""
    weights = find_weights()
    if weights is None:
        raise EmbeddedError("The embedded model is not installed. To get it: make model")
    adapter = find_adapter()
    return keep_once(_name(weights, adapter), lambda: _start(weights, adapter))


def find_shared_server() -> EmbeddedServer | None:
    """The server if somebody has started it; starts nothing."""
    weights = find_weights()
    server: EmbeddedServer | None = find_kept(_name(weights, find_adapter())) if weights else None
    return server


def _name(weights: Path, adapter: Path | None) -> tuple[str, str, str]:
    return "embedded server", str(weights), str(adapter or "")


def _start(weights: Path, adapter: Path | None) -> EmbeddedServer:
    server = EmbeddedServer(weights, warm_up, adapter=adapter)
    atexit.register(server.stop)
    server.start()
    return server
