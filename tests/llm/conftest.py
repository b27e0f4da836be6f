"""What the tests of the LLM lane share: the real weights and the real embedded server."""

from __future__ import annotations

from pathlib import Path

import pytest

from llm.weights import get_weights


@pytest.fixture(scope="session")
def weights_file() -> Path:
    """Downloads them on a bare machine."""
    return get_weights()
