"""How a scenario of the demo is written down. No streamlit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from domains.loading import TASKS
from engine.outcome.routing import Driver
from engine.values import Priority

MOST_SCENARIOS, MOST_STEPS, MOST_TASKS = 40, 20, 40
SpokenLine = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Arguments = dict[str, str | int | float | bool | None]
WhichLLM = Literal["yours", "embedded", "nobody"]
"""yours: the one under Settings; nobody: an address of this machine where nothing listens."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StageTask(_Strict):
    title: Title
    due: Annotated[int, Field(ge=-365, le=365)] | None = None
    """Days from today."""
    priority: Priority = "medium"
    note: Annotated[str, StringConstraints(max_length=1000)] = ""

    def arguments(self, today: date) -> dict[str, object]:
        due = (today + timedelta(days=self.due)).isoformat() if self.due is not None else None
        given: dict[str, object] = {"title": self.title, "priority": self.priority, "due_date": due}
        return {**given, "description": self.note} if self.note else given


class StageCall(_Strict):
    """A call that is right: its tool, and of its arguments those that matter."""

    tool: str
    arguments: Arguments = {}


def _read_calls(given: Any) -> Any:
    """A tool with its arguments, several of them in one mapping, or a list of such mappings."""
    listed = given if isinstance(given, list) else [given]
    calls = []
    for each in listed:
        if isinstance(each, str):
            each = {each: {}}
        if not isinstance(each, dict):
            raise ValueError("a tool with its arguments is expected here, or nothing, undo, ask")  # noqa: TRY004 - pydantic asks for it
        calls += [{"tool": tool, "arguments": arguments or {}} for tool, arguments in each.items()]
    return calls


Calls = Annotated[tuple[StageCall, ...], BeforeValidator(_read_calls)]


class Right(_Strict):
    """What a careful person would have the assistant do about a message."""

    kind: Literal["nothing", "undo", "ask", "call"]
    calls: Calls = ()
    """For `ask`: what it should ask about; empty: any question is right."""


def _read_right(given: Any) -> Any:
    if given in ("nothing", "undo", "ask"):
        return {"kind": given}
    if isinstance(given, dict) and set(given) == {"ask"}:
        return {"kind": "ask", "calls": given["ask"]}
    return given if isinstance(given, Right) else {"kind": "call", "calls": given}


class ScenarioStep(_Strict):
    say: SpokenLine
    point: str = ""
    """The words of the message that the note is about."""
    note: SpokenLine
    """What the presenter would say; it stands beside those words."""
    right: Annotated[Right, BeforeValidator(_read_right)]


class Scenario(_Strict):
    name: Title
    about: SpokenLine
    driver: Driver = "engine"
    llm: WhichLLM = "yours"
    domain: str = TASKS
    tasks: Annotated[tuple[StageTask, ...], Field(max_length=MOST_TASKS)] = ()
    steps: Annotated[tuple[ScenarioStep, ...], Field(min_length=1, max_length=MOST_STEPS)]

    def expected(self) -> Iterator[tuple[int, StageCall]]:
        """Every call that would be right, with the place of its step."""
        for place, step in enumerate(self.steps):
            yield from ((place, call) for call in step.right.calls)
