"""The deciders that can be named on the command line. Lanes with an LLM will join here."""

from __future__ import annotations

from pathlib import Path

from engine.decider import load_decider
from engine.decision import Decider

DECIDER_NAMES = ("engine", "baseline")


def make_decider(name: str, policy: Path | None = None) -> Decider:
    """A policy file is for the engine; the baseline has none."""
    return load_decider(name, policy if name == "engine" else None)
