"""What the tests of the LLM lane share: the real weights and the real embedded server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from llm.embedded import EmbeddedServer, shared_server
from llm.weights import get_weights


@pytest.fixture(scope="session")
def weights_file() -> Path:
    """Downloads them on a bare machine."""
    return get_weights()


@pytest.fixture(scope="session")
def embedded(weights_file: Path) -> Iterator[EmbeddedServer]:
    """The one server of the process, as the workbench uses it."""
    server = shared_server()
    server.wait_ready(120)
    yield server
    server.stop()
