"""The prepared scenarios of the demo menu, as data."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from engine.outcome.routing import Driver
from engine.values import Priority

_FILE = Path(__file__).parent / "scenarios.yaml"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StageTask(_Strict):
    title: str
    due: int | None = None
    """Days from today."""
    priority: Priority = "medium"
    note: str = ""

    def arguments(self, today: date) -> dict[str, object]:
        due = (today + timedelta(days=self.due)).isoformat() if self.due is not None else None
        given: dict[str, object] = {"title": self.title, "priority": self.priority, "due_date": due}
        return {**given, "description": self.note} if self.note else given


class ScenarioStep(_Strict):
    say: str
    watch: str
    """What the presenter points at."""


class Scenario(_Strict):
    name: str
    about: str
    driver: Driver
    llm: Literal["normal", "down"] = "normal"
    tasks: tuple[StageTask, ...]
    steps: tuple[ScenarioStep, ...]


@cache
def load_scenarios() -> dict[str, Scenario]:
    scenarios = TypeAdapter(tuple[Scenario, ...]).validate_python(yaml.safe_load(_FILE.read_text(encoding="utf-8")))
    return {scenario.name: scenario for scenario in scenarios}
