"""What comes of one request."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.decision import Act, Action, Factor, Intent, IntentScore, Pending, Reason, Reference, Sentence, Slot, Step
from engine.reading.read import with_evidence
from engine.reading.weighing import Weighed, describe
from engine.slots.draft import Draft
from engine.values import ToolCall

_KINDS: dict[Action, Literal["plan", "reply"]] = {"execute": "plan", "reply": "reply"}


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
    shares: tuple[IntentScore, ...] = ()
    references: tuple[Reference, ...] = ()
    slots: tuple[Slot, ...] = ()
    seen: tuple[Weighed, Draft | None, Reference | None] | None = None
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
        """The shares with what speaks for them."""
        return with_evidence(self.shares, self.seen[0].reading) if self.seen and self.seen[0].observed else self.shares

    @property
    def steps(self) -> tuple[Step, ...]:
        """What each stage made of the request. Told of what is decided: most outcomes are weighed and dropped."""
        return describe(*self.seen) if self.seen else ()

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        said = (Sentence(_KINDS.get(self.action, "question"), self.message),) if self.message else ()
        if self.answer:
            said = (Sentence("answer", self.answer),)
        return (*said, Sentence("note", self.note)) if self.note else said
