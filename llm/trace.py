"""What an exchange with a model leaves behind: the request, the raw answer, what became of it, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.decision import Decision

TraceOutcome = Literal["valid_call", "broken_call", "no_call", "failed"]
"""The first three are answers, and never mixed up; `failed` means that there was no answer."""
Path = Literal["tools", "schema"]
"""Native tool calls, or an answer in a JSON schema for models that have none."""
FailureKind = Literal[
    "off", "connection", "refused_key", "rate_limit", "server", "request", "timeout", "cut_off", "unreadable",
    "too_long", "cancelled", "resting", "busy",
]  # fmt: skip


class LaneError(Exception):
    """The lane gave no answer, in one plain sentence."""

    def __init__(
        self, kind: FailureKind, sentence: str, *, retry: bool = False, after_seconds: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.kind: FailureKind = kind
        self.sentence = sentence
        self.retry = retry
        """Whether the same request may well succeed a moment later."""
        self.after_seconds = after_seconds
        """How long the endpoint asked to wait."""


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call as the model wrote it."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class BrokenCall:
    name: str
    arguments: str
    kind: str
    """An `ErrorKind`, or `not_json`."""
    message: str


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What came over the wire."""

    text: str = ""
    calls: tuple[RawCall, ...] = ()
    finish_reason: str = ""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    log_probabilities: tuple[float, ...] = ()
    first_token_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """Calls that the model made and what came of them: it reads both before it goes on."""

    calls: tuple[RawCall, ...]
    results: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ComposerNote:
    """What the composer made of a call: its arguments before and after, and why."""

    tool_name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    status: str
    why: str
    message: str
    confidence: float


@dataclass(frozen=True, slots=True)
class LLMTrace:
    endpoint: str
    """What answered, without its key."""
    model: str
    path: Path
    request: Mapping[str, Any]
    outcome: TraceOutcome
    answer: ModelAnswer = ModelAnswer()
    broken: tuple[BrokenCall, ...] = ()
    failure: FailureKind | None = None
    problem: str = ""
    """Why the outcome is not a valid call, in a sentence."""
    attempts: tuple[str, ...] = ()
    """What went wrong before the last attempt, one sentence each."""
    confidence_source: str = ""
    total_ms: float = 0.0
    composer: tuple[ComposerNote, ...] = ()
    """One entry for each call that the composer changed, asked about or refused."""


@dataclass(frozen=True, slots=True)
class LLMTurn:
    decision: Decision
    trace: LLMTrace
