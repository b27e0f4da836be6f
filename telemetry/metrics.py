"""The figures behind `/metrics`: how often, how long, how many wait. Counted where it happens, read by Prometheus.

Labels come from closed lists of ours (lanes, actions, tools of the catalogue, kinds of failure), never from what
somebody wrote: a figure must not tell a text or a name, and a label with many values makes a time series each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_SLOW: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0)

_registry = CollectorRegistry()
"""One of our own: Streamlit's hot reload imports this module again, and the shared one refuses a name twice."""

_turns = Counter("twolane_turns", "Messages that came to their end.", ("domain", "driver", "lane"), registry=_registry)
_turn_seconds = Histogram(
    "twolane_turn_seconds",
    "From a message to its end, the LLM's part included where it drove.",
    ("lane",),
    buckets=_SLOW,
    registry=_registry,
)
_decisions = Counter("twolane_decisions", "Decisions in chats.", ("lane", "action"), registry=_registry)
_decision_seconds = Histogram(
    "twolane_decision_seconds", "How long a lane took to decide.", ("lane",), buckets=(*_QUICK, *_SLOW[5:]),
    registry=_registry,
)  # fmt: skip
_llm_requests = Counter(
    "twolane_llm_requests", "Questions to a model, by what came back.", ("endpoint", "outcome"), registry=_registry
)
_llm_failures = Counter(
    "twolane_llm_failures", "Questions to a model without an answer, by why.", ("endpoint", "failure"),
    registry=_registry,
)  # fmt: skip
_llm_seconds = Histogram(
    "twolane_llm_request_seconds", "How long a model took to answer.", ("endpoint",), buckets=_SLOW, registry=_registry
)
_llm_tokens = Counter("twolane_llm_tokens", "Tokens sent and answered.", ("endpoint", "kind"), registry=_registry)
_calls = Counter(
    "twolane_tool_calls", "Tool calls that were carried out or refused.", ("tool", "outcome"), registry=_registry
)
_call_seconds = Histogram(
    "twolane_tool_call_seconds", "How long a tool call took, its row in the audit trail included.", ("tool",),
    buckets=_QUICK, registry=_registry,
)  # fmt: skip
_mcp = Counter("twolane_mcp_requests", "Requests at /mcp, by status.", ("status",), registry=_registry)


def turn_ended(*, domain: str, driver: str, lane: str, seconds: float) -> None:
    _turns.labels(domain, driver, lane).inc()
    _turn_seconds.labels(lane).observe(seconds)


def decided(*, lane: str, action: str, seconds: float) -> None:
    _decisions.labels(lane, action).inc()
    _decision_seconds.labels(lane).observe(seconds)


def llm_answered(
    *,
    endpoint: str,
    outcome: str,
    failure: str | None,
    seconds: float,
    prompt_tokens: int | None = None,
    answer_tokens: int | None = None,
) -> None:
    """`endpoint`: its kind, never its address."""
    _llm_requests.labels(endpoint, outcome).inc()
    if failure:
        _llm_failures.labels(endpoint, failure).inc()
    else:
        _llm_seconds.labels(endpoint).observe(seconds)
    _llm_tokens.labels(endpoint, "prompt").inc(prompt_tokens or 0)
    _llm_tokens.labels(endpoint, "answer").inc(answer_tokens or 0)


def call_ended(*, tool: str, outcome: str, seconds: float) -> None:
    """`tool`: a name of the catalogue, or `unknown`; `outcome`: `ok`, or the kind of the error."""
    _calls.labels(tool, outcome).inc()
    _call_seconds.labels(tool).observe(seconds)


def mcp_answered(status: int) -> None:
    _mcp.labels(str(status)).inc()


_watched: dict[str, Gauge] = {}


def watch(name: str, about: str, read: Callable[[], float]) -> None:
    """A figure that is read when it is asked for: a queue's length, whether the store is there."""
    if name not in _watched:
        _watched[name] = Gauge(f"twolane_{name}", about, registry=_registry)
    _watched[name].set_function(read)


def write() -> bytes:
    """All of it, in Prometheus' own text."""
    return generate_latest(_registry)
