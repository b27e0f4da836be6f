"""What the composer takes and what it returns."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from engine.decision import Context, Factor, Language, Learned, Message, Step
from engine.targets.memory_index import MemoryIndex
from engine.values import SPARE, Span, ToolCall, called

_ANY_TIME = datetime(2000, 1, 1)  # noqa: DTZ001 - where no time was told, none is read either
Status = Literal["completed", "needs_clarification", "failed"]
Level = Literal["id", "serial", "name", "partial", "keyword", "description", "conversation", "only", "any"]
"""How a machine was found. The first six are levels of match with words, best first; then: named earlier in the
conversation, the only one there is, and: one of all."""


class Why(enum.StrEnum):
    """Why a composition is what it is. The set is closed: pages and reports switch on it."""

    SWITCHED_OFF = "switched_off"
    """The call passed through as it came."""
    NOTHING_MISSING = "nothing_missing"
    ONE_WAY = "one_way"
    LEARNED = "learned"
    """Several ways, and the user's repeated choice settles which."""
    SEVERAL_MACHINES = "several_machines"
    SEVERAL_COMMANDS = "several_commands"
    SEVERAL_METRICS = "several_metrics"
    SEVERAL_TASKS = "several_tasks"
    NO_COMMAND_SAID = "no_command_said"
    NO_VALUE_SAID = "no_value_said"
    NOTHING_SAID = "nothing_said"
    """A required argument of a task's call is nowhere in the words, the conversation or the store."""
    NOT_SURE_ENOUGH = "not_sure_enough"
    """One way, but below the threshold: offered, not taken."""
    CONTRADICTION = "contradiction"
    """What the call says and what the user said are two things."""
    BATCH = "batch"
    NO_MACHINE = "no_machine"
    NO_COMMAND = "no_command"
    NO_METRIC = "no_metric"
    NO_TASK = "no_task"
    VALUE_OUT_OF_RANGE = "value_out_of_range"
    NEGATED = "negated"
    QUESTION = "question"
    """The words ask something; the call would do something."""
    CONDITIONAL = "conditional"
    LATER = "later"
    """The words want it at another time; nothing here can wait."""
    NOT_A_REQUEST = "not_a_request"
    UNKNOWN_TOOL = "unknown_tool"
    BROKEN_CALL = "broken_call"
    EMPTY = "empty"


class Hint(NamedTuple):
    """A stretch of the message that means something to the composer."""

    kind: str
    """machine, place, action, object, metric, detail, value, …: as the classes of words.txt are called."""
    meaning: str
    """What it stands for: `turn_on`, `light`, `temperature`, a serial number, a number."""
    span: Span


class MachineCandidate(NamedTuple):
    machine_id: str
    label: str
    level: Level
    confidence: float
    command: str = ""
    """The command that it would be told, where one is asked for."""
    lost: str = ""
    """Empty: still in the running; otherwise why not, in a few words."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to complete the call, for the user to choose."""

    label: str
    value: Mapping[str, object]
    """The arguments to call again with."""
    confidence: float
    tool_name: str = ""


@dataclass(frozen=True, slots=True)
class ComposedCall:
    call: ToolCall
    """Every argument has its provenance."""
    confidence: float
    before: Mapping[str, object] = field(default_factory=dict)
    """The arguments as they came."""
    added: bool = False
    """Whether the words asked for this call beside the one that came."""


@dataclass(frozen=True, slots=True)
class ComposerSettings:
    enabled: bool = True
    threshold: float = 0.9
    max_suggestions: int = 5


DEFAULT_SETTINGS = ComposerSettings()


@dataclass(frozen=True, slots=True)
class Request:
    """Spec 5's payload."""

    text: str
    tool_name: str | None = None
    """None: the words alone say which tool; the Machines page's chat comes this way."""
    arguments: Mapping[str, object] = field(default_factory=dict)
    fleet: Sized | None = None
    """What a domain with a reading of its own finds its targets in, for example the machines in reach."""
    history: tuple[Message, ...] = ()
    tasks: Context | None = None
    """For calls about tasks: the tasks in reach, the question that waits, now."""
    learned: tuple[Learned, ...] = ()
    language: Language | None = None
    domain: str = ""
    """What the words are about, where no tool says it; empty: whatever reads a request in them."""
    settings: ComposerSettings = DEFAULT_SETTINGS

    @property
    def context(self) -> Context:
        """For the engine; without tasks, where none are in reach."""
        return self.tasks or Context(MemoryIndex(), _ANY_TIME, self.history)


@dataclass(frozen=True, slots=True)
class Composition:
    status: Status
    why: Why = field(metadata=called("reason"))
    message: str = ""
    """What to say to the user, in their language."""
    calls: tuple[ComposedCall, ...] = field(default=(), metadata=SPARE)
    """For `completed`: what to run, in this order. For a choice: what is known already, see `suggestions`."""
    suggestions: tuple[Suggestion, ...] = field(default=(), metadata=SPARE)
    more: int = 0
    """How many further ways there are beyond the suggestions."""
    confidence: float = 0.0
    ledger: tuple[Factor, ...] = ()
    """What the confidence rests on: the lowest of these is the confidence."""
    hints: tuple[Hint, ...] = ()
    candidates: tuple[MachineCandidate, ...] = ()
    steps: tuple[Step, ...] = ()
    choice_key: str = ""
    """Under which a choice among the suggestions is remembered; empty: nothing to learn here."""
    language: Language = field(default="", metadata=called("lang"))
    tool_name: str = ""
    """The tool that was called, where one was."""
    partial: Mapping[str, object] = field(default_factory=dict)
    """For a question: the arguments that are known already."""
    asked_for: str = ""
    """For a question: the argument that the answer supplies."""
    read_as: str = ""
    """The tool that the words ask for, also where nothing came of it."""
    settled: Mapping[str, object] = field(default_factory=dict)
    """For the question about a value: what it is for is settled already."""
    offer: ToolCall | None = None
    """For one way below the threshold: the call that a yes would run."""
