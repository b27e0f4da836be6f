"""What is kept of an evaluation, as values that the rooms above pass on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

RunStatus = Literal["running", "done", "cancelled", "failed"]
Severity = Literal["minor", "normal", "critical"]
SEVERITIES: tuple[Severity, ...] = ("minor", "normal", "critical")
CaseChange = Literal["fixed", "broken", "changed", "unchanged"]
"""Against another run: right now and wrong then; the other way round; as right or wrong as then, but decided otherwise;
decided alike."""
Tile = Literal["both", "first", "second", "neither"]
"""Who of two deciders is right."""


@dataclass(frozen=True, slots=True)
class KeptCase:
    """One case of a set, as it is kept."""

    position: int
    """From 0, in the order of the set."""
    key: str
    case_id: str
    text: str
    label: str
    """The intent that counts as right; of several the first."""
    severity: Severity
    slices: Mapping[str, tuple[str, ...]]
    """language -> (en,); tag -> (spec1, urgent); …"""
    body: Mapping[str, Any] = field(default_factory=dict)
    loaded: Any = field(default=None, compare=False, repr=False)
    """What the body says, where somebody has it already; it is not kept."""


@dataclass(frozen=True, slots=True)
class KeptRun:
    id: str
    set_id: str
    domain: str
    name: str
    status: RunStatus
    deciders: tuple[Mapping[str, Any], ...]
    """One entry a decider, in the order of their numbers: `label`, and what is needed to make it again."""
    total: int
    """Cases times deciders."""
    done: int
    problems: tuple[str, ...]
    is_baseline: bool
    part_of: str | None
    owner: str | None
    seen_at: datetime | None
    created_at: datetime
    finished_at: datetime | None
    set_name: str
    fingerprint: str
    size: int
    """Cases of the set."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(str(each["label"]) for each in self.deciders)


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """What one decider made of one case: all that figures are computed from."""

    position: int
    key: str
    verdict: str
    """One of `evals.evaluate.verdicts.VERDICTS`."""
    passed: bool
    label: str
    """What was meant: the intent that was read where that is accepted, or else the first accepted one."""
    final: str
    """What came of it: the intent that is acted on or confirmed, `asks`, `unknown`, `broken` or `none`."""
    behind: str
    """The intent behind a question or refusal; where something is called, that intent."""
    reading_right: bool
    """Whether the intent behind is an accepted one."""
    action: str | None
    outcome: str
    """call, broken, abstention, or none where there was no answer."""
    confidence: float | None
    milliseconds: float
    signature: str
    """Equal for equal decisions: action and calls."""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    cost: float | None = None
    arguments: tuple[tuple[str, str, bool], ...] = ()
    """Of each expected argument: the intent, the argument's name, whether it is right."""
    weighing: Mapping[str, Any] | None = None
    """For thresholds: see `evals.evaluate.thresholds`. None where no threshold decides."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """The decision in short, what is wrong with it, and which message of the case it is about. Left out where all
    results are loaded at once."""


@dataclass(frozen=True, slots=True)
class ListedCase:
    """One line of a table: the case, and what a decider made of it."""

    case: KeptCase
    scored: ScoredCase
    other: ScoredCase | None = None
    """The decider or run that it is held against."""


@dataclass(frozen=True, slots=True)
class Against:
    """Another decider of the same run, or one of another run: matched case by case."""

    run_id: str
    decider: int
    change: CaseChange | None = None
    """Only cases that changed so from the other one to this one."""
    tile: Tile | None = None
    """Only cases where this one ("first") and the other ("second") are right so."""


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """Which cases of a run a table shows. Everything that is set must hold."""

    decider: int = 0
    verdict: str = ""
    passed: bool | None = None
    label: str = ""
    final: str = ""
    behind: str = ""
    severity: str = ""
    slice: tuple[str, str] | None = None
    """A slice's name and value."""
    text: str = ""
    """Words of the message, in any case and without accents, or of the case's id."""
    against: Against | None = None
