"""What a decider made of a message, as shards keep it and figures count it."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Decision
from evals.bulk.rows import BulkMessage
from evals.evaluate.slices import length_of


class BulkAnswer(NamedTuple):
    decision: Decision | None
    """None where the decider failed. It does not leave the worker."""
    action: str | None
    intent: str
    """What was read."""
    final: str
    behind: str
    reason: str
    outcome: str
    confidence: float | None
    calls: str
    """As JSON; empty: none."""
    rules: tuple[str, ...]
    language: str
    problem: str


class LabelMark(NamedTuple):
    """An answer held against a label."""

    verdict: str
    label: str
    """What was meant: the intent that was read where that is accepted, or else the first accepted one."""
    reading_right: bool

    @property
    def right(self) -> bool:
        return self.verdict == "right"


class DecidedMessage(NamedTuple):
    message: BulkMessage
    answers: tuple[BulkAnswer, ...]
    marks: tuple[LabelMark, ...]
    """One an answer; none where nobody said what was meant."""
    sort: str | None
    """In which way the first is another decision than the second; None: it is none, or there is no second."""
    draw: int
    parts: tuple[tuple[str, str], ...]
    """The slices that it is in: of each its name and value."""

    @property
    def change(self) -> str | None:
        """From the second, which is how it was, to the first; None without both."""
        if len(self.answers) < 2:
            return None
        if self.marks and self.marks[0].right != self.marks[1].right:
            return "fixed" if self.marks[0].right else "broken"
        return "changed" if self.sort else "unchanged"


def find_parts(message: BulkMessage, language: str) -> tuple[tuple[str, str], ...]:
    """As Evaluate calls the parts of a set; without those that need a reading of their own, such as dates."""
    context = message.context or {}
    follows = context.get("history") or context.get("pending")
    return (
        ("language", language or message.language or "none"),
        ("length", length_of(message.text)),
        ("place", "follow-up" if follows else "first"),
        *((("source", message.source),) if message.source else ()),
        *(("tag", tag) for tag in message.tags),
    )
