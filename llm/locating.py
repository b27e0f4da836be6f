"""Which endpoint is asked, and where it is at the moment."""

from __future__ import annotations

from dataclasses import replace

from llm.embedded import MODEL_NAME
from llm.endpoint import OPENAI_URL, Endpoint, take_apart
from llm.shared_server import shared_server
from llm.trace import LaneError
from settings import Settings, load_settings


def make_endpoint(settings: Settings | None = None) -> Endpoint:
    """The endpoint that the settings ask for; LaneError if they turn the lane off."""
    settings = settings or load_settings()
    key, url, seconds = (
        settings.openai_api_key.get_secret_value(),
        settings.openai_base_url.get_secret_value(),
        settings.llm_timeout_seconds,
    )
    choice = settings.llm_endpoint
    if choice == "off":
        raise LaneError(
            "off", "The LLM lane is off. Settings turns it on, or LLM_ENDPOINT as auto, embedded or openai."
        )
    if choice == "embedded" or (choice == "auto" and not key and not url):
        return Endpoint("embedded", "", MODEL_NAME, timeout_seconds=seconds)
    if url:
        address = take_apart(url)
        return Endpoint("custom", address.base_url, settings.openai_model, key, seconds, address.login, address.query)
    return Endpoint("openai", OPENAI_URL, settings.openai_model, key, seconds)


def locate(endpoint: Endpoint, seconds: float) -> Endpoint:
    """The endpoint with its address of the moment; starts the embedded model if nobody has yet."""
    if endpoint.kind == "off":
        raise LaneError("off", "The LLM lane is off in this session. Settings turns it on.")
    if endpoint.kind != "embedded":
        return endpoint
    try:
        address = shared_server().wait_ready(seconds)
    except RuntimeError as error:  # an EmbeddedError, also one of the class that a hot reload has replaced
        raise LaneError("off", str(error), retry=getattr(error, "loading", False)) from None
    return replace(endpoint, base_url=address.base_url, key=address.key)
