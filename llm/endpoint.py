"""Where the model is: embedded, at OpenAI, or at any OpenAI-compatible address."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Endpoint:
    kind: Literal["embedded", "openai", "custom", "off"]
    """off: asked for an answer, it says that the lane is off."""
    base_url: str
    """Empty for the embedded model until `locate` has found it: its port changes with every start."""
    model: str
    key: str = field(default="", repr=False)
    timeout_seconds: float = 30.0
    """For a whole answer, retries included."""

    @property
    def name(self) -> str:
        """For people and records; never holds the key."""
        return self.kind if self.kind in ("embedded", "off") else self.base_url

    @property
    def masked_key(self) -> str:
        """Enough to tell two keys apart, too little to use."""
        return f"…{self.key[-4:]}" if len(self.key) >= 20 else "…" if self.key else ""
