"""The score of a demo: for each lane what was right and wrong, how often it asked, its time and its cost. No
streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from ui.demo.judging import MARK_WORDS, Judge, LaneMark, describe_right
from ui.demo.script import Scenario, ScenarioStep
from ui.demo.titles import bare_titles
from ui.turns.card import TurnView
from ui.words import format_ms


class JudgedLane(NamedTuple):
    """What one lane did about one message."""

    mark: LaneMark
    milliseconds: float | None = None
    cost: float | None = None

    @property
    def words(self) -> str:
        return MARK_WORDS[self.mark]


class JudgedStep(NamedTuple):
    step: ScenarioStep
    engine: JudgedLane
    llm: JudgedLane

    @property
    def right(self) -> str:
        return describe_right(self.step.right)


def judge_turn(step: ScenarioStep, view: TurnView, today: date) -> JudgedStep:
    judge = Judge(bare_titles(view), today)
    engine = JudgedLane("waiting")
    if view.engine:
        engine = JudgedLane(judge.mark(step.right, view.engine), view.engine.elapsed_ms, 0.0)
    return JudgedStep(step, engine, _judge_llm(step, view, judge))


def _judge_llm(step: ScenarioStep, view: TurnView, judge: Judge) -> JudgedLane:
    status, summary = view.turn.llm_status, view.turn.llm_summary
    if status in ("off", "waiting"):
        return JudgedLane(status)
    if view.llm is None or status != "answered":
        return JudgedLane("silent", summary.get("total_ms"), summary.get("cost"))
    return JudgedLane(judge.mark(step.right, view.llm), summary.get("total_ms"), summary.get("cost"))


def judge_scene(scenario: Scenario, views: Sequence[TurnView], today: date) -> tuple[JudgedStep, ...]:
    """The messages that were said, in their order."""
    return tuple(judge_turn(step, view, today) for step, view in zip(scenario.steps, views, strict=False))


@dataclass(frozen=True, slots=True)
class LaneScore:
    right: int
    wrong: int
    asked: int
    silent: int
    waiting: int
    off: bool
    """It was asked nothing."""
    milliseconds: float
    cost: float | None
    """None: it is not known, not nought."""

    @property
    def messages(self) -> int:
        return self.right + self.wrong + self.asked + self.silent

    @property
    def time(self) -> str:
        return format_ms(self.milliseconds) if self.messages else "–"

    @property
    def time_each(self) -> str:
        return format_ms(self.milliseconds / self.messages) if self.messages else ""

    @property
    def cost_words(self) -> str:
        """In dollars that can be read out: a scenario costs fractions of a cent."""
        if not self.messages:
            return "–"
        if self.cost is None or self.cost == 0:
            return "not known" if self.cost is None else "no cost"
        return f"${self.cost:.2f}" if self.cost >= 1 else f"${self.cost:.6f}".rstrip("0")


def score_lane(judged: Iterable[JudgedLane]) -> LaneScore:
    marks = list(judged)
    count = {mark: sum(each.mark == mark for each in marks) for mark in MARK_WORDS}
    answered = [each for each in marks if each.mark not in ("off", "waiting")]
    costs = [each.cost for each in answered if each.mark != "silent"]
    return LaneScore(
        count["right"],
        count["wrong"],
        count["asked"],
        count["silent"],
        count["waiting"],
        off=bool(marks) and count["off"] == len(marks),
        milliseconds=sum(each.milliseconds or 0.0 for each in answered),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


class DemoScore(NamedTuple):
    """Both lanes, over one scenario or all of them."""

    engine: LaneScore
    llm: LaneScore


def score_steps(steps: Sequence[JudgedStep]) -> DemoScore:
    return DemoScore(score_lane(step.engine for step in steps), score_lane(step.llm for step in steps))
