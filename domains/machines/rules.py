"""The machines' numbers and tables that no language changes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engine.policy.yaml_text import read_own_yaml

_FILE = Path(__file__).parent / "rules.yaml"


@cache
def load_rules() -> dict[str, Any]:
    return read_own_yaml(_FILE.read_text(encoding="utf-8"))  # type: ignore[no-any-return]
