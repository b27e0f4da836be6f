"""The deciders that can be named on the command line: whatever scores one lane scores the others."""

from __future__ import annotations

from pathlib import Path

from domains.deciders import load_decider
from domains.loading import TASKS, load_domain
from engine.completing.values import ComposerSettings
from engine.decision import Decider

DECIDER_NAMES = ("engine", "baseline", "llm", "llm_composed")


def make_decider(name: str, policy: Path | None = None, domain: str = TASKS) -> Decider:
    """A policy file is for the engine; the others have none. `llm` is the model that the settings name, as it answers;
    `llm_composed` the same model with its incomplete calls completed by the composer."""
    if name in ("llm", "llm_composed"):
        from llm.decider import LLMDecider  # late: the SDK takes half a second, and most runs need none

        return LLMDecider(composer=ComposerSettings(enabled=name == "llm_composed"), domain=load_domain(domain))
    return load_decider(name, policy if name == "engine" else None, domain)
