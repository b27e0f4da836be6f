"""A decider as a value that can be kept: all that is needed to make it again, but no key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

DeciderKind = Literal["engine", "baseline", "llm", "router", "engine_first", "llm_guarded"]
DECIDER_KINDS: tuple[DeciderKind, ...] = get_args(DeciderKind)
_LLM_KINDS = ("llm", "router", "engine_first", "llm_guarded")


class DeciderError(ValueError):
    """A decider that cannot be made, in a sentence."""


@dataclass(frozen=True, slots=True)
class DeciderSpec:
    kind: DeciderKind
    label: str = ""
    """How it is called in tables; empty: after its kind."""
    policy: str = ""
    """The text of a policy file for the engine; empty: the policies as they are."""
    saved: tuple[str, ...] = ()
    """Ids of saved policy versions (`db.policies.versions`) for the engine, one a language."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Of the engine, where they are others than the policy's: {"act": 0.8}."""
    endpoint: str = ""
    """Of an LLM: `Endpoint.name`, which holds no key; empty: the one of the settings."""
    model: str = ""
    composed: bool = False
    """Whether the composer completes incomplete calls of the LLM."""
    version: str = ""
    """Which policies it was run under; set when a run begins."""

    @property
    def is_slow(self) -> bool:
        return self.kind in _LLM_KINDS

    @property
    def is_altered(self) -> bool:
        """Whether its engine is another one than that of the project's files."""
        return bool(self.policy or self.saved or self.thresholds)

    @property
    def name(self) -> str:
        return self.label or self.kind


def write_spec(spec: DeciderSpec) -> dict[str, Any]:
    return {**asdict(spec), "label": spec.name, "saved": list(spec.saved), "thresholds": dict(spec.thresholds)}


def read_spec(data: Mapping[str, Any]) -> DeciderSpec:
    known = {name: value for name, value in data.items() if name in DeciderSpec.__dataclass_fields__}
    if known.get("kind") not in DECIDER_KINDS:
        raise DeciderError(f"there is no decider of the kind {known.get('kind')!r}")
    return DeciderSpec(**{**known, "saved": tuple(known.get("saved") or ())})
