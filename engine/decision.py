"""What a decider takes and what it returns. Both lanes, the baseline and the tests speak these values.

What is made by the dozen for each message (evidence, factors, steps) is a named tuple: it is made three times
as quickly as a frozen dataclass.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from engine.values import SPARE, Id, Span, Task, ToolCall, called

Action = Literal["execute", "confirm", "clarify", "reply"]
Language = str
"""A language by its code: the name of its folder in a domain."""
Act = Literal["request", "answer", "correct", "continue", "narrow", "ask", "undo", "redo", "chat"]
"""What a message does: asks for something by itself; answers a question; does the last call again with other arguments;
does the last kind of call with another object; shows the last list with another filter; asks about a thing or how
things stand; takes the last change back, or makes it again; or asks for nothing."""
Intent = str
"""As the domain names it; `engine.domain.UNKNOWN` where nothing is asked for."""


class Reason(enum.StrEnum):
    """Why the decision is what it is. The set is closed: pages and reports switch on it."""

    MATCHED_RULE = "matched_rule"
    ANSWERED = "answered"
    """The message answered the question that was waiting."""
    BELOW_THRESHOLD = "below_threshold"
    NARROW_MARGIN = "narrow_margin"
    LEARNED = "learned"
    """Several targets fit, and the user's repeated choice settles which."""
    MISSING_PARAMETER = "missing_parameter"
    INVALID_PARAMETER = "invalid_parameter"
    AMBIGUOUS_TARGET = "ambiguous_target"
    NO_TARGET = "no_target"
    UNABLE = "unable"
    """What is asked for is nothing that the target can do."""
    CONTRADICTION = "contradiction"
    """Two parts of the request, or the words and the call, say two things."""
    UNCERTAIN_TARGET = "uncertain_target"
    """A fuzzy match may suggest, not act."""
    DESTRUCTIVE = "destructive"
    BATCH = "batch"
    """Deleting or completing many at once is answered, not done."""
    NEGATED = "negated"
    CANCELLED = "cancelled"
    HYPOTHETICAL = "hypothetical"
    QUESTION_ABOUT_TOOL = "question_about_tool"
    REMARK = "remark"
    """The words might be a request, and were found to tell something only; the ledger says by what."""
    NOT_ABOUT_TASKS = "not_about_tasks"
    SWITCHED_OFF = "switched_off"
    """What would have decided is switched off in the settings."""
    EMPTY = "empty"
    TOO_LONG = "too_long"
    MODEL_CALLED = "model_called"
    """The LLM asked for a tool, and the call is sound."""
    MODEL_REPLIED = "model_replied"
    """The LLM answered without a call."""
    BROKEN_CALL = "broken_call"
    """The LLM asked for a call that breaks the catalogue."""
    UNAVAILABLE = "unavailable"
    """The LLM gave no answer."""


class TaskIndex(Protocol):
    """The tasks in reach. A list in memory and the store's index serve alike; the engine never
    asks for all of them, so a million tasks need not be loaded."""

    def find_by_id(self, task_id: str) -> Task | None: ...

    def find_by_number(self, number: int) -> Task | None: ...

    def recent(self, limit: int) -> tuple[Task, ...]:
        """The tasks touched last, newest first."""
        ...

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        """Tasks whose title may be meant by the mention (exact, partial, misspelt), unscored, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["user", "assistant"]
    content: str = ""
    tasks: tuple[Id, ...] = ()
    """Ids of the tasks it named, in the order named."""
    calls: tuple[ToolCall, ...] = ()
    """Of the assistant's: what it had carried out, where that is known."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A call that is offered: as the answer to a question, or as something to do next."""

    label: str
    tool_name: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict)
    """As far as they are known; what is missing is asked for once it is chosen."""
    then: tuple[ToolCall, ...] = field(default=(), metadata=SPARE)
    """What else is done, where the choice stands for several calls."""


class Learned(NamedTuple):
    """How often in a row the user chose this target for these words."""

    key: str
    target_id: Id
    times: int


class Seen(NamedTuple):
    """A thing as it was shown: a mark that changes when the thing does."""

    task_id: Id
    mark: str


@dataclass(frozen=True, slots=True)
class Pending:
    """The question that waits for an answer. It travels in the Context; the engine keeps nothing."""

    kind: Literal["confirm", "choose", "fill"]
    intent: Intent
    call: ToolCall
    """The call so far: what is asked for is still missing from it, or waits for a yes."""
    parameter: str | None = None
    """For `fill` and `choose`: the argument that the answer supplies."""
    options: tuple[Id, ...] = ()
    """For `choose`: task ids in the order shown."""
    question: str = ""
    then: tuple[ToolCall, ...] = ()
    """Further requests of the same message, complete already: they run once this one is settled."""
    choices: tuple[Choice, ...] = field(default=(), metadata=SPARE)
    """For `choose` and `confirm`: where an answer is more than one of the `options`, the calls it may stand for."""
    text: str = field(default="", metadata=SPARE)
    """The words of the request that waits, where the answer is read together with them."""
    learns: str = field(default="", metadata=SPARE)
    """Under which key the choice is remembered; empty: nothing to learn here."""
    seen: tuple[Seen, ...] = field(default=(), metadata=SPARE)
    """How that which it is about was when it was asked, where somebody noted it."""
    named: int = field(default=0, metadata=SPARE)
    """How many of `then`, the first ones, the question names: a no is one to them, too."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything from outside. The same text and Context give an equal Decision."""

    tasks: TaskIndex = field(metadata=SPARE)
    now: datetime
    history: tuple[Message, ...] = ()
    pending: Pending | None = None
    user: Id = ""
    language: Language | None = field(default=None, metadata=called("lang"))
    """None: the engine picks the language by the words."""
    learned: tuple[Learned, ...] = field(default=(), metadata=SPARE)
    """Choices that the user made before, for words that fit several targets."""
    offered: tuple[Choice, ...] = field(default=(), metadata=SPARE)
    """What the last turn offered to do next: a message that is exactly a label asks for it."""


class Evidence(NamedTuple):
    """One piece of evidence for (or against) an intent, with the rule that gave it."""

    rule: str
    """The rule's id in the policy file."""
    weight: float
    span: Span


class IntentScore(NamedTuple):
    intent: Intent
    score: float
    evidence: tuple[Evidence, ...] = ()


class Factor(NamedTuple):
    """One line of the confidence ledger. The factors of a Decision add up to its confidence."""

    name: str
    amount: float
    span: Span | None = None
    detail: str = ""


class Candidate(NamedTuple):
    task_id: str
    score: float
    how: str
    """id, number, exact, partial, fuzzy, pronoun, ordinal, recent; or as the domain calls its ways."""
    lost: str = ""
    """Why it is out of the running, in a few words; empty: it is not, or its score says so."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a mention was resolved to; candidates that lost stay in, with their scores."""

    mention: str
    span: Span | None
    candidates: tuple[Candidate, ...]
    task_id: str | None


@dataclass(frozen=True, slots=True)
class Slot:
    """A value found in the text before it became an argument."""

    name: str
    value: str | int
    span: Span
    alternatives: tuple[str, ...] = ()
    """Other readings, for example of a date."""


class Step(NamedTuple):
    """What one stage of the pipeline produced, for Inspect and `explain`."""

    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where on a policy acts, reads and takes a target for the one that is meant."""

    act: float = 0.7
    read: float = 0.5
    margin: float = 0.1
    target: float = 0.6
    sure_target: float = 0.82
    target_margin: float = 0.12


class Sentence(NamedTuple):
    """One part of what a decision says."""

    kind: Literal["plan", "note", "question", "reply", "answer"]
    """What will be done, which the result replaces; something to know besides; a question; words without a call; or
    the answer to a question about what is shown, which is told in place of the result."""
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    decider: str
    action: Action
    intent: Intent
    """What the message was read as, also when the decision only asks back."""
    reason: Reason
    calls: tuple[ToolCall, ...] = ()
    call_confidences: tuple[float | None, ...] = ()
    """One per call: in a message with several requests each has its own."""
    scores: tuple[IntentScore, ...] = ()
    confidence: float | None = None
    """None where the decider states none; never a made-up number."""
    ledger: tuple[Factor, ...] = ()
    references: tuple[Reference, ...] = ()
    slots: tuple[Slot, ...] = ()
    message: str = ""
    """What to say to the user, in their language."""
    sentences: tuple[Sentence, ...] = ()
    """The parts of the message, in its order."""
    pending: Pending | None = None
    steps: tuple[Step, ...] = ()
    policy_version: str = ""
    """Which policy it was decided under, with the digest of its files and weights."""
    language: Language = ""
    thresholds: Thresholds | None = None
    """Those it was held to; None where the decider has none."""
    taught: tuple[str, str] | None = None
    """What the user's choice teaches: the key, and the target chosen for it."""
    act: Act = "request"
    """What the message does in the conversation."""
    asks: str = ""
    """What about the things that are shown was asked: a kind of argument, `count`, `next`, …"""
    undoes: bool = False
    """Whether the last change is taken back before anything else is done."""
    doubt: float | None = None
    """How likely the change is wrong, by what was learned of such changes; None where nothing is changed, or known."""
    elapsed_ms: float | None = field(default=None, compare=False)
    """Set by whoever measures, outside the comparison: two equal decisions may differ in it."""


class Decider(Protocol):
    def decide(self, text: str, context: Context) -> Decision: ...
