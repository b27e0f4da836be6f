"""Where the model is: embedded, at OpenAI, or at any OpenAI-compatible address."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from urllib.parse import unquote

OPENAI_URL = "https://api.openai.com/v1"


class AddressParts(NamedTuple):
    """An address without its secrets, and those."""

    base_url: str
    login: str
    query: str


def take_apart(address: str) -> AddressParts:
    """Also of an address that is none: whatever was typed, what could be a password is not shown."""
    rest, _, _fragment = address.strip().partition("#")
    rest, _, query = rest.partition("?")
    scheme, mark, rest = rest.rpartition("://")
    # A password may hold a slash that should have been written otherwise: all up to the last @ counts as secret.
    login, _, rest = rest.rpartition("@")
    return AddressParts(f"{scheme}{mark}{rest}".rstrip("/"), unquote(login), query)


@dataclass(frozen=True, slots=True)
class Endpoint:
    kind: Literal["embedded", "openai", "custom", "off"]
    """off: asked for an answer, it says that the lane is off."""
    base_url: str
    """Never holds a secret: it is shown and kept. Empty for the embedded model until `locate` has found it: its port
    changes with every start."""
    model: str
    key: str = field(default="", repr=False)
    timeout_seconds: float = 30.0
    """For a whole turn, retries and later rounds included."""
    login: str = field(default="", repr=False)
    """What stood before the @ of the address (name:password): as secret as a key, and sent as one."""
    query: str = field(default="", repr=False)
    """What stood behind its ?, where some endpoints want their key."""

    @property
    def name(self) -> str:
        """For people and records; never holds the key."""
        return self.kind if self.kind in ("embedded", "off") else self.base_url

    @property
    def masked_key(self) -> str:
        """Enough to tell two keys apart, too little to use."""
        return f"…{self.key[-4:]}" if len(self.key) >= 20 else "…" if self.key else ""
