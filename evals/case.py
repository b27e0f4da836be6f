"""A labelled case: what is said, in which situation, and what a careful human would have the assistant do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict
from pydantic.dataclasses import dataclass

from db.evaluation.run_values import Severity
from domains.loading import TASKS, load_domain
from engine.decision import Action, Intent, Language, Pending, Reason
from engine.values import Task


def _as_tuple(value: object) -> object:
    return value if isinstance(value, list | tuple) else (value,)


_STRICT = ConfigDict(extra="forbid")

Intents = Annotated[tuple[Intent, ...], BeforeValidator(_as_tuple)]
Actions = Annotated[tuple[Action, ...], BeforeValidator(_as_tuple)]
Reasons = Annotated[tuple[Reason, ...], BeforeValidator(_as_tuple)]
Keys = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]


@dataclass(frozen=True, slots=True, config=_STRICT)
class ExpectedCall:
    """One call. Every value may be a list of accepted values; what is not named is not looked at."""

    intent: Intents
    parameters: Mapping[str, object] = field(default_factory=dict)
    absent: Keys = ()
    """Arguments that must not be there, for example a date that belongs to the title."""
    task: Keys = ()
    """Keys of the task set: the call must be about one of them."""


@dataclass(frozen=True, slots=True, config=_STRICT)
class Turn:
    """A message and what should come of it."""

    say: str
    intent: Intents
    """What the message means. A decision that only replies has read `unknown`."""
    action: Actions = ()
    """Empty: any action that goes with the intent."""
    reason: Reasons = ()
    parameters: Mapping[str, object] = field(default_factory=dict)
    absent: Keys = ()
    task: Keys = ()
    options: Keys = ()
    """Keys of the tasks that a question must offer."""
    calls: tuple[ExpectedCall, ...] = ()
    """For messages that ask for several things; replaces parameters, absent and task."""
    repeat: int = 1
    """The message is `say` this many times, so that a huge input need not be written out."""

    @property
    def text(self) -> str:
        return self.say * self.repeat


@dataclass(frozen=True, slots=True, config=_STRICT)
class EarlierMessage:
    """A message before the case begins, with the keys of the tasks that it named."""

    role: Literal["user", "assistant"]
    content: str
    tasks: Keys = ()


@dataclass(frozen=True, slots=True, config=_STRICT)
class Case:
    id: str
    turns: tuple[Turn, ...]
    tasks: tuple[Task, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    """Task ids by key."""
    history: tuple[EarlierMessage, ...] = ()
    pending: Pending | None = None
    """The question that waits when the first message is said."""
    lookups: Mapping[str, list[str]] = field(default_factory=dict)
    """For a case from a recorded turn: what was asked of its tasks, and the ids that answered."""
    reach: Mapping[str, Any] = field(default_factory=dict)
    """For a domain with a reading of its own: what is in reach, as a line of the batch interface says it."""
    now: datetime = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
    domain: str = TASKS
    language: Language = field(default_factory=lambda: load_domain().languages[0])
    user: str = "alex"
    pair: str = ""
    """Cases with the same pair differ in little and must not be decided alike."""
    tags: tuple[str, ...] = ()
    severity: Severity = "normal"
    """How bad it is to get this one wrong: a gate lets no critical case break."""
    source: str = ""
    """Where it stands: `cases/en/add.yaml:12`."""
