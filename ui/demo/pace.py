"""When the demo goes on by itself. Pure: what is on the stage and for how long, in; what happens next, out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ui.demo.script import Scenario, ScenarioStep

Beat = Literal["coming", "said", "scored", "over"]
"""coming: a message is about to be said; said: it was, and the lanes decide; scored: the score of a scenario; over: of
all of them."""
Move = Literal["say", "announce", "score", "next", "finish"]
SPEEDS = (0.5, 1.0, 2.0, 4.0)

_COMING_SECONDS = 0.8
_LEAST_SECONDS, _SECONDS_A_WORD, _MOST_SECONDS = 2.1, 0.11, 3.8
"""How long a message and its note stand: people read about as fast as that while somebody speaks."""
_LOOK_SECONDS = 1.1
"""At least so long after the last lane has lit up."""
PATIENCE_SECONDS = 7.0
"""A lane that takes longer is not waited for; where it drives, it is."""
_WAITING_SECONDS = 30.0
"""So late altogether may a show of all scenarios become before slow lanes are no longer waited for: it ends in four
minutes, however busy the machine. What they say after that still counts in the score."""
SCORE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class OnStage:
    """What there is to see at a moment."""

    beat: Beat
    seconds: float
    """Since this beat began."""
    step: ScenarioStep | None = None
    """Which message it is about."""
    steps_left: int = 0
    scenarios_left: int = 0
    quiet_seconds: float | None = None
    """Since both lanes have decided; None: one has not."""
    drives: bool = False
    """Whether the lane that has not decided is the one that acts."""
    patience: float = PATIENCE_SECONDS
    """How long a lane that does not act is waited for."""


def reading_seconds(step: ScenarioStep) -> float:
    words = len(f"{step.say} {step.note}".split())
    return min(_MOST_SECONDS, max(_LEAST_SECONDS, words * _SECONDS_A_WORD))


def next_move(stage: OnStage, speed: float = 1.0) -> Move | None:
    """What is due by itself; None: not yet."""
    if stage.beat == "coming":
        return "say" if stage.seconds * speed >= _COMING_SECONDS else None
    if stage.beat == "said":
        return move_on(stage) if _was_seen(stage, speed) else None
    if stage.beat == "scored":
        return move_on(stage) if stage.seconds * speed >= SCORE_SECONDS else None
    return None


def move_on(stage: OnStage) -> Move | None:
    """What comes next, however long the present was seen: what *Step* does."""
    if stage.beat == "coming":
        return "say"
    if stage.beat == "said":
        return "announce" if stage.steps_left else "score"
    if stage.beat == "scored":
        return "next" if stage.scenarios_left else "finish"
    return None


def _was_seen(stage: OnStage, speed: float) -> bool:
    read = stage.step is None or stage.seconds * speed >= reading_seconds(stage.step)
    if stage.quiet_seconds is not None:
        return read and stage.quiet_seconds * speed >= _LOOK_SECONDS
    return read and not stage.drives and stage.seconds >= stage.patience


def patience_after(waited: float) -> float:
    """How long the next message may wait for a slow lane, in a show that has waited so long already."""
    return min(PATIENCE_SECONDS, max(0.0, _WAITING_SECONDS - waited))


def waited_for(stage: OnStage, speed: float = 1.0) -> float:
    """How much longer it stood than it should: for a slow lane, or because the machine was busy."""
    due = {"coming": _COMING_SECONDS, "scored": SCORE_SECONDS}.get(stage.beat)
    if due is None:
        due = reading_seconds(stage.step) if stage.step else 0.0
    return max(0.0, stage.seconds - due / speed)


def planned_seconds(scenarios: Iterable[Scenario], llm_seconds: float = 1.5, look_seconds: float = 0.15) -> float:
    """How long they play at the ordinary speed where the LLM answers in so many seconds. `look_seconds`: how late on
    average it is noticed that something is due."""
    return sum(
        SCORE_SECONDS + look_seconds + sum(_planned(step, llm_seconds) + 2 * look_seconds for step in scenario.steps)
        for scenario in scenarios
    )


def _planned(step: ScenarioStep, llm_seconds: float) -> float:
    return _COMING_SECONDS + max(reading_seconds(step), llm_seconds + _LOOK_SECONDS)
