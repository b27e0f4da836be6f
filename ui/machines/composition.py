"""A composition as HTML: what came of it, the hints on the words, who was in the running, the confidence.

Pure: no streamlit, nothing decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.completing.values import Composition, MachineCandidate
from ui.machines.words import LEVEL_WORDS, STATUS_WORDS, STEP_NAMES, describe_hint, tell_step
from ui.templates import draw
from ui.turns.marked_text import Chip, chipped_message
from ui.words import WHY_WORDS

_TEMPLATE = "machines/composition"
_SHOWN_CANDIDATES = 12
_TARGETS = ("device", "serial", "misspelt", "described")


class FactorScale(NamedTuple):
    low: bool
    label: str
    width: str
    tick: str


class Entry(NamedTuple):
    name: str
    lowest: bool
    scale: FactorScale
    amount: str
    detail: str


class Ledger(NamedTuple):
    rows: tuple[Entry, ...]
    confidence: str
    threshold: str


class CandidateView(NamedTuple):
    label: str
    found: str
    worth: str
    standing: str
    lost: bool


class Candidates(NamedTuple):
    rows: tuple[CandidateView, ...]
    hidden: int


class CompositionVerdict(NamedTuple):
    code: str
    mark: str
    words: str
    why: str


def verdict_html(composition: Composition) -> str:
    return draw(_TEMPLATE, "verdict", read_verdict(composition))


def read_verdict(composition: Composition) -> CompositionVerdict:
    mark = {"completed": "agree", "needs_clarification": "differ", "failed": "silent"}[composition.status]
    code = f"{composition.status}, {composition.why}"
    return CompositionVerdict(code, mark, STATUS_WORDS[composition.status], WHY_WORDS[composition.why])


def message_html(composition: Composition) -> str:
    return draw(_TEMPLATE, "message", composition.message) if composition.message else ""


def hints_html(text: str, composition: Composition) -> str:
    """The message with what each stretch of it means underneath."""
    return chipped_message(text, read_hints(composition))


def read_hints(composition: Composition) -> list[Chip]:
    return [
        Chip(hint.span, describe_hint(hint.kind, hint.meaning), "target" if hint.kind in _TARGETS else "value")
        for hint in composition.hints
    ]


def candidates_html(candidates: Sequence[MachineCandidate]) -> str:
    """Level by level, those in the running first; who lost says why."""
    return draw(_TEMPLATE, "candidates", read_candidates(candidates))


def read_candidates(candidates: Sequence[MachineCandidate]) -> Candidates:
    rows = tuple(_candidate(each) for each in candidates[:_SHOWN_CANDIDATES])
    return Candidates(rows, len(candidates) - len(rows))


def _candidate(each: MachineCandidate) -> CandidateView:
    standing = f"✗ {each.lost}" if each.lost else f"✓ {each.command or 'in the running'}"
    return CandidateView(each.label, LEVEL_WORDS[each.level], f"{each.confidence:.2f}", standing, bool(each.lost))


def ledger_html(composition: Composition, threshold: float) -> str:
    """Each factor as a bar with the threshold across; the lowest is the confidence."""
    ledger = read_ledger(composition, threshold)
    return draw(_TEMPLATE, "ledger", ledger) if ledger else ""


def read_ledger(composition: Composition, threshold: float) -> Ledger | None:
    if not composition.ledger:
        return None
    lowest = min(each.amount for each in composition.ledger)
    rows = tuple(
        Entry(each.name, each.amount == lowest, _scale(each.amount, threshold), f"{each.amount:.2f}", each.detail)
        for each in composition.ledger
    )
    return Ledger(rows, f"{composition.confidence:.2f}", f"{threshold:.2f}")


def _scale(amount: float, threshold: float) -> FactorScale:
    label = f"{amount:.2f} of 1, threshold {threshold:.2f}"
    return FactorScale(amount < threshold, label, _share(amount), _share(threshold))


def _share(value: float) -> str:
    return f"{min(1.0, max(0.0, value)):.0%}"


class StepView(NamedTuple):
    name: str
    told: str
    code: str


def steps_html(composition: Composition) -> str:
    steps = [
        StepView(STEP_NAMES.get(step.name, step.name), tell_step(step, composition), f"{step.name}: {step.summary}")
        for step in composition.steps
    ]
    return draw(_TEMPLATE, "steps", steps) if steps else ""
