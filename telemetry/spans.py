"""OpenTelemetry spans of turns, questions to models and tool calls, named by the conventions for generative AI.

Where no exporter is configured all of this is a few no-ops. Spans hold models, tools, tokens, times and kinds of
errors; what was said, asked and answered is in none of them (the conventions leave that to whoever wants it).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from opentelemetry import context, trace
from opentelemetry.context import Context
from opentelemetry.trace import Span as Span  # a re-export: other rooms import no opentelemetry
from opentelemetry.trace import SpanKind, Status, StatusCode

_log = logging.getLogger(__name__)
_ASKED_FOR: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROVIDERS: Final = {"openai": "openai", "embedded": "llama_cpp"}
_AGENT: Final = "twolane"
Here = Context
"""Where in a trace one is, to go on there in another thread."""


def start_exporting() -> bool:
    """Send spans to where the environment says (OTEL_EXPORTER_OTLP_ENDPOINT). False: nobody asked, or it cannot be."""
    if not any(os.environ.get(name) for name in _ASKED_FOR):
        return False
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        _log.warning("Spans are asked for (OTEL_EXPORTER_OTLP_ENDPOINT), but not what sends them: make tracing")
        return False
    provider = TracerProvider(resource=Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", _AGENT)}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return True


def here() -> Here:
    return context.get_current()


@contextmanager
def under(place: Here | None) -> Iterator[None]:
    """What is begun in the block belongs to that place, whichever thread this is."""
    token = context.attach(place or Context())
    try:
        yield
    finally:
        context.detach(token)


@contextmanager
def turn(conversation_id: str, *, domain: str, driver: str) -> Iterator[None]:
    """A message: the agent is asked for something."""
    told = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": _AGENT,
        "gen_ai.conversation.id": conversation_id,
        "twolane.domain": domain,
        "twolane.driver": driver,
    }
    with _span(f"invoke_agent {_AGENT}", SpanKind.INTERNAL, told):
        yield


@contextmanager
def chat(kind: str, model: str, base_url: str) -> Iterator[Span]:
    """A question to a model; `tell_answer` says what came of it."""
    told: dict[str, str | int] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _PROVIDERS.get(kind, "custom"),
        "gen_ai.request.model": model,
    }
    place = _place_of(base_url)
    with _span(f"chat {model}", SpanKind.CLIENT, {**told, **place}) as span:
        yield span


def tell_answer(
    span: Span, *, finish_reason: str, failure: str | None, prompt_tokens: int | None, answer_tokens: int | None
) -> None:
    if failure:
        _fail(span, failure)
    if finish_reason:
        span.set_attribute("gen_ai.response.finish_reasons", (finish_reason,))
    if prompt_tokens is not None:
        span.set_attribute("gen_ai.usage.input_tokens", prompt_tokens)
    if answer_tokens is not None:
        span.set_attribute("gen_ai.usage.output_tokens", answer_tokens)


@contextmanager
def tool(name: str) -> Iterator[Span]:
    """A tool call; `tell_error` says what went wrong."""
    told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.type": "function"}
    with _span(f"execute_tool {name}", SpanKind.INTERNAL, told) as span:
        yield span


def tell_error(span: Span, kind: str | None) -> None:
    if kind:
        _fail(span, kind)


@contextmanager
def _span(name: str, kind: SpanKind, told: dict[str, str | int] | dict[str, str]) -> Iterator[Span]:
    tracer = trace.get_tracer("twolane")
    # An exception's words may hold what somebody said: its type alone is told.
    with tracer.start_as_current_span(
        name, kind=kind, attributes=told, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except BaseException as error:
            _fail(span, type(error).__name__)
            raise


def _fail(span: Span, kind: str) -> None:
    span.set_attribute("error.type", kind)
    span.set_status(Status(StatusCode.ERROR))


def _place_of(base_url: str) -> dict[str, str | int]:
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError:
        return {}
    if not parts.hostname:
        return {}
    return {"server.address": parts.hostname, "server.port": port or (443 if parts.scheme == "https" else 80)}
