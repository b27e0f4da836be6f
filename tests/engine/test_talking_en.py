"""What is said after something was done, shown or asked, in English."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.talking import come_to, decide, rows


@pytest.mark.parametrize(("situation", "message", "act", "intent", "arguments"), rows("en"))
def test_a_message_comes_to(situation: str, message: str, act: str, intent: str, arguments: dict[str, Any]) -> None:
    assert come_to(decide(situation, message, "en")) == (act, intent, arguments)
