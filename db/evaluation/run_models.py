"""The tables of evaluations; see `db.models` for the others."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field

from db.models import Base


class EvaluationSetRow(Base, table=True):
    """Labelled cases that runs were made over, kept once for all of them."""

    __tablename__ = "evaluation_sets"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    domain: str = "tasks"
    fingerprint: str
    """Equal for sets with the same cases, in whatever order."""
    layout: str
    """Equal for sets with the same cases in the same order, under the same ids and tags."""
    name: str
    size: int
    created_at: datetime


class EvaluationCaseRow(Base, table=True):
    __tablename__ = "evaluation_cases"

    set_id: str = Field(primary_key=True, foreign_key="evaluation_sets.id")
    position: int = Field(primary_key=True)
    case_key: str
    """Of what is said, in which situation, and what is expected: the same case in another set has the same."""
    case_id: str
    text: str
    text_key: str
    """The text as it is searched: case, accents and spacing folded."""
    label: str
    severity: str = "normal"
    body: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """The whole case, so that a run can go on after a restart."""


class EvaluationSliceRow(Base, table=True):
    __tablename__ = "evaluation_slices"

    set_id: str = Field(primary_key=True, foreign_key="evaluation_sets.id")
    name: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    position: int = Field(primary_key=True)


class EvaluationRunRow(Base, table=True):
    __tablename__ = "evaluation_runs"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    set_id: str = Field(foreign_key="evaluation_sets.id")
    domain: str = "tasks"
    name: str
    status: str
    deciders: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """What is needed to make each of them again, without any key."""
    total: int
    """Cases times deciders."""
    done: int = 0
    problems: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    is_baseline: bool = False
    part_of: str | None = None
    """The run of which this one repeats a part."""
    owner: str | None = None
    """The process that works on it."""
    seen_at: datetime | None = None
    """When that process last said that it does."""
    wants_end: bool = False
    """Whether somebody has cancelled it, maybe in another process."""
    created_at: datetime
    finished_at: datetime | None = None


class EvaluationResultRow(Base, table=True):
    """What one decider made of one case."""

    __tablename__ = "evaluation_results"

    run_id: str = Field(primary_key=True, foreign_key="evaluation_runs.id")
    decider: int = Field(primary_key=True)
    position: int = Field(primary_key=True)
    case_key: str
    verdict: str
    passed: bool
    label: str
    final: str
    behind: str
    reading_right: bool
    action: str | None = None
    outcome: str
    confidence: float | None = None
    milliseconds: float
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    cost: float | None = None
    signature: str
    arguments: list[list[Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    weighing: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    detail: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class SettledLabelRow(Base, table=True):
    """What somebody said about a label that deciders agreed against."""

    __tablename__ = "settled_labels"

    user_id: str = Field(primary_key=True, foreign_key="users.id")
    case_key: str = Field(primary_key=True)
    verdict: str
    text: str
    note: str = ""
    created_at: datetime
