"""What a domain with a reading of its own does in its own way. A domain without one goes the common way everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from engine.completing.values import ComposerSettings, Composition, Request
from engine.decision import Choice, Context, Decision, Language, TaskIndex
from engine.values import ToolCall, ToolResult

if TYPE_CHECKING:
    from engine.explaining.values import OwnDecider
    from engine.policy.values import Policy


class Ran(NamedTuple):
    """A call that was carried out, or was tried."""

    call: ToolCall
    result: ToolResult
    name: str = ""
    """What it acts on, where the call has one: a failed result does not say it."""


class MakeOwnDecider(Protocol):
    def __call__(self, settings: ComposerSettings = ..., *policies: Policy) -> OwnDecider:
        """A policy that is given stands in for the domain's own of its language."""
        ...


@dataclass(frozen=True)
class Conduct:
    make_decider: MakeOwnDecider
    read_index: Callable[[Mapping[str, Any]], TaskIndex]
    """What is in reach, from an input line or a recorded turn."""
    request: Callable[[str, str, Mapping[str, object], Context, ComposerSettings], Request]
    """What completing a call takes: the words, the tool, its arguments as they came, and all from outside."""
    complete: Callable[[Request, dict[str, Any], Language], Composition]
    """A call whose arguments were looked at, or the words alone, completed."""
    hear_language: Callable[[str], Language | None]
    """Which language the words are in, where no small word tells it: "temperatura?"."""
    judge: Callable[[Composition, str, ComposerSettings], Decision]
    """What comes of a call that was looked at for completing."""
    tell: Callable[[Sequence[Ran], Language], str]
    """What to say once calls were carried out: one answer for all of them."""
    suggest: Callable[[Sequence[Ran], Context, Language], tuple[Choice, ...]]
    """What people often do next. Nothing of it runs by itself."""
    guide: Callable[[Language], str]
    """What a model is told about the tools beside their schemas."""
    describe: Callable[[Context], str]
    """What is in reach, for a model."""
    name_values: Callable[[Context], Mapping[str, str]]
    """What ids in arguments stand for, beside those of targets: a command by its name."""
    plan: Callable[[Sequence[ToolCall], Context, Language], str] | None = None
    """What calls would change, in a few words that a question can take up."""
    brief: Callable[[str, Context], str] | None = None
    """How things stand, in a few lines, for a model that was trained on this very form; None: none was."""
