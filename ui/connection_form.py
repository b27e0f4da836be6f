"""What is typed about a connection, made into an endpoint or refused in a sentence. No drawing here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from llm.embedded import MODEL_NAME
from llm.endpoint import OPENAI_URL, Endpoint
from llm.trace import FailureKind

Kind = Literal["embedded", "openai", "custom", "off"]
KINDS: dict[Kind, str] = {"embedded": "Embedded", "openai": "OpenAI", "custom": "Another address", "off": "Off"}
PRESETS = {
    "Ollama": "http://localhost:11434/v1",
    "LM Studio": "http://localhost:1234/v1",
    "vLLM": "http://localhost:8000/v1",
    "llama.cpp": "http://localhost:8080/v1",
}
"""The addresses that these servers listen on as they come."""
LEAST_SECONDS, MOST_SECONDS = 1.0, 600.0
_LOCAL = ("localhost", "127.0.0.1", "::1")


class FormError(ValueError):
    """What was typed cannot be used, in a sentence for the person who typed it."""


@dataclass(frozen=True, slots=True)
class ConnectionDraft:
    kind: Kind
    base_url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    timeout_seconds: float = 30.0


def make_endpoint_of(draft: ConnectionDraft, known: Sequence[Endpoint], *, model_needed: bool = True) -> Endpoint:
    """The endpoint that was typed. An empty key field stands for the key already known for this very address:
    a key never goes to another address than the one it was given for."""
    if draft.kind == "off":
        return Endpoint("off", "", "", timeout_seconds=draft.timeout_seconds)
    if draft.kind == "embedded":
        return Endpoint("embedded", "", MODEL_NAME, timeout_seconds=draft.timeout_seconds)
    url = OPENAI_URL if draft.kind == "openai" else check_address(draft.base_url)
    key = check_key(draft.key) or find_known_key(url, known)
    if draft.kind == "openai" and not key:
        raise FormError("OpenAI needs a key. Paste one from your account there.")
    if model_needed and not draft.model.strip():
        raise FormError("Which model? Test the connection to list them, or type a name.")
    # An address out of the environment keeps the secrets that were taken out of it.
    own = next((each for each in known if each.base_url == url), Endpoint("custom", "", ""))
    return Endpoint(draft.kind, url, draft.model.strip(), key, draft.timeout_seconds, own.login, own.query)


def find_known_key(url: str, known: Sequence[Endpoint]) -> str:
    return next((each.key for each in known if each.key and each.base_url == url), "")


def check_address(typed: str) -> str:
    address = typed.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host or any(char.isspace() for char in address):
        raise FormError("The address must look like http://localhost:11434/v1 or https://example.com/v1.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise FormError("Keys and options do not belong into the address: it is shown. Use the key field.")
    return address


def check_key(typed: str) -> str:
    key = typed.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise FormError("The key holds characters that no key has. Copy it again.")
    return key


def travels_in_the_open(endpoint: Endpoint) -> bool:
    """Whether a key would go over a network without encryption."""
    parts = urlsplit(endpoint.base_url)
    return bool(endpoint.key) and parts.scheme == "http" and parts.hostname not in _LOCAL


_ADVICE: dict[FailureKind, str] = {
    "connection": "Is the server running? Check the address; it usually ends in /v1.",
    "refused_key": "Paste the key again, and check that it belongs to this address.",
    "timeout": "A model that is still loading may need a moment: try again, or raise the time limit.",
    "rate_limit": "Wait a minute, or look at your quota there.",
    "server": "The fault is on the server's side: look at its log, or try again.",
    "request": "Check the name of the model and the address.",
    "unreadable": "Check the address; it usually ends in /v1.",
    "cut_off": "Try again; if it happens every time, look at the server's log.",
}


def advise(failure: FailureKind | None) -> str:
    """What to do about it; empty where the sentence itself says so."""
    return _ADVICE.get(failure, "") if failure else ""
