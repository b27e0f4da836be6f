"""What the stage shows, as small values for its templates. No streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ui.demo.scoring import JudgedLane, JudgedStep, LaneScore
from ui.demo.script import ScenarioStep
from ui.turns.card import TurnView, read_lanes
from ui.turns.lanes import LaneView
from ui.words import LANE_NAMES

Light = Literal["dark", "thinking", "lit"]
_SHOWN_BEFORE = 3


class MessageView(NamedTuple):
    before: str
    point: str
    after: str
    note: str
    coming: bool
    """It is about to be said."""


class EarlierLine(NamedTuple):
    said: str
    reply: str
    engine: JudgedLane
    llm: JudgedLane


class LitLane(NamedTuple):
    view: LaneView
    light: Light
    judged: JudgedLane | None


def view_message(step: ScenarioStep, *, coming: bool) -> MessageView:
    start, end = _find_words(step.say, step.point)
    return MessageView(step.say[:start], step.say[start:end], step.say[end:], step.note, coming)


def _find_words(text: str, words: str) -> tuple[int, int]:
    """As words of their own where they are: the “it” of “edit it” is the last one."""
    if not words:
        return len(text), len(text)
    places = [at for at in range(len(text)) if text.startswith(words, at)]
    whole = [at for at in places if not (text[:at][-1:].isalnum() or text[at + len(words) :][:1].isalnum())]
    start = next(iter((*whole, *places)), len(text))
    return start, start + len(words)


def view_earlier(steps: Sequence[JudgedStep], views: Sequence[TurnView]) -> tuple[EarlierLine, ...]:
    lines = [
        EarlierLine(each.step.say, view.turn.reply or "", each.engine, each.llm)
        for each, view in zip(steps, views, strict=True)
    ]
    return tuple(lines[-_SHOWN_BEFORE:])


def light_lanes(
    view: TurnView | None, judged: JudgedStep | None, streamed: str = "", *, getting_ready: bool = False
) -> tuple[LitLane, LitLane]:
    """Dark while there is nothing to decide; each is lit as soon as it has decided."""
    if view is None or judged is None or view.engine is None:
        return _dark("engine"), _dark("llm")
    engine, llm = read_lanes(view, streamed, getting_ready=getting_ready)
    marks = (judged.engine, judged.llm)
    first, second = (
        LitLane(lane, _light(mark), None if mark.mark == "waiting" else mark)
        for lane, mark in zip((engine, llm), marks, strict=True)
    )
    return first, second


def _dark(key: Literal["engine", "llm"]) -> LitLane:
    return LitLane(LaneView(LANE_NAMES[key], key), "dark", None)


def _light(judged: JudgedLane) -> Light:
    return "thinking" if judged.mark == "waiting" else "dark" if judged.mark == "off" else "lit"


class ScenarioRow(NamedTuple):
    """A scenario in the score of all of them."""

    name: str
    engine: str
    llm: str


def count_right(score: LaneScore) -> str:
    return f"{score.right} of {score.messages}" if score.messages else "off" if score.off else "–"
