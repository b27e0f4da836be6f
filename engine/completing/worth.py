"""What each way of finding something is worth, and which words of an argument say nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engine.policy.yaml_text import read_own_yaml

_FILE = Path(__file__).parent / "rules.yaml"


@cache
def _load() -> dict[str, Any]:
    return read_own_yaml(_FILE.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def factor(name: str) -> float:
    return float(_load()["factors"][name])


@cache
def says_nothing() -> frozenset[str]:
    """What an LLM writes into an argument that it does not know."""
    return frozenset(_load()["says_nothing"])
