"""Every trigger phrase and keyword of the specification is understood in a sentence of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.policy.yaml_text import read_own_yaml
from tests.engine.talking import decide

_TABLE: dict[str, dict[str, str]] = read_own_yaml((Path(__file__).parent / "triggers.yaml").read_text(encoding="utf-8"))
_ROWS = [(intent, trigger, message) for intent, rows in _TABLE.items() for trigger, message in rows.items()]


@pytest.mark.parametrize(("intent", "trigger", "message"), _ROWS)
def test_a_trigger_is_understood(intent: str, trigger: str, message: str) -> None:
    """Done, or offered: the call that is made or waits for a yes is the one that the trigger stands for."""
    decision = decide("anything", message, "en")
    waiting = decision.pending.call.tool_name if decision.pending else ""
    assert intent in [*(call.tool_name for call in decision.calls), waiting]
