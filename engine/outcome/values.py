"""What comes of one request."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from engine.decision import Act, Action, Factor, Intent, IntentScore, Pending, Reason, Reference, Sentence, Slot, Step
from engine.values import ToolCall

_KINDS: dict[Action, Literal["plan", "reply"]] = {"execute": "plan", "reply": "reply"}


class MadeOf(Protocol):
    """What an outcome was made of. It is told of what is decided: most outcomes are weighed and dropped."""

    @property
    def scores(self) -> tuple[IntentScore, ...]: ...

    @property
    def steps(self) -> tuple[Step, ...]: ...


class Outcome(NamedTuple):
    """What would be called, or what has to be asked."""

    action: Action
    intent: Intent
    reason: Reason
    message: str
    """Of an outcome that acts: the plan; else the question or the reply."""
    call: ToolCall | None = None
    pending: Pending | None = None
    confidence: float = 0.0
    ledger: tuple[Factor, ...] = ()
    references: tuple[Reference, ...] = ()
    slots: tuple[Slot, ...] = ()
    seen: MadeOf | None = None
    """What it was made of."""
    note: str = ""
    """Something to know besides, also once it is done."""
    act: Act = "request"
    asks: str = ""
    """What about the things that are shown was asked."""
    answer: str = ""
    """What there is to say to that, where it is known before anything is called."""
    undoes: bool = False
    """Whether the last change is taken back first."""

    @property
    def scores(self) -> tuple[IntentScore, ...]:
        """What each intent has of it, with what speaks for that."""
        return self.seen.scores if self.seen else ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """What each stage made of the request."""
        return self.seen.steps if self.seen else ()

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        said = (Sentence(_KINDS.get(self.action, "question"), self.message),) if self.message else ()
        if self.answer:
            said = (Sentence("answer", self.answer),)
        return (*said, Sentence("note", self.note)) if self.note else said
