"""A turn as HTML: what was said, and under it what each lane decided and why. Pure: no streamlit, nothing decided.

HTML rather than widgets: twenty turns with their evidence are one short string each, so a long conversation
stays quick.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from db.turns.turns import StoredTurn
from engine.border.json_form import from_json
from engine.decision import Decision
from engine.explaining.agreement import Agreement, compare
from engine.outcome.routes import ROUTE_SENTENCES, Route
from ui.call_words import name_argument, name_tool, show_value
from ui.templates import draw, draw_part
from ui.turns import said
from ui.turns.lanes import LaneView, engine_lane, llm_lane, waiting_lane
from ui.turns.thresholds import find_act_threshold
from ui.words import describe_agreement, find_lane_name, format_ms, name_action, say_undone

_SHOWN_DIFFERENCES = 3


class DifferenceView(NamedTuple):
    name: str
    first: str | None
    second: str | None
    """None: nothing there."""
    code: str = ""


class CardPart(NamedTuple):
    """What one lane would call, in the line of a folded turn."""

    lane: str
    tools: str


@dataclass(frozen=True, slots=True)
class Between:
    """What stands above the two lanes: whether they agree, who acted and why, and each argument that differs."""

    mark: str
    label: str
    route: str
    link: str
    differences: tuple[DifferenceView, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    mark: str
    label: str
    parts: tuple[CardPart, ...]
    tail: tuple[str, ...]


class Folded(NamedTuple):
    summary: Summary
    between: Between
    lanes: tuple[LaneView, ...]


@dataclass(frozen=True, slots=True)
class TurnView:
    """All that the page shows of a turn."""

    turn: StoredTurn
    engine: Decision | None
    llm: Decision | None
    undone: bool

    @property
    def waits(self) -> bool:
        return self.turn.llm_status == "waiting"


def make_view(turn: StoredTurn, bodies: Mapping[str, Mapping[str, Any]], *, undone: bool) -> TurnView:
    decisions = {name: from_json(Decision, body) for name, body in bodies.items()}
    return TurnView(turn, decisions.get("engine"), decisions.get("llm"), undone)


def said_html(view: TurnView) -> str:
    """The message and the reply to it."""
    return said.said_html(read_said(view))


def folded_html(view: TurnView, card: str) -> str:
    """One line that opens to the whole card; nothing where nothing was decided."""
    return draw("turns/card", "folded", _summary(view), card) if view.engine else ""


def card_html(view: TurnView, link: str, streamed: str = "", *, getting_ready: bool = False) -> str:
    """Engine and LLM side by side, and above them where they agree. `getting_ready`: the model cannot answer yet."""
    if view.engine is None:
        return ""
    lanes = read_lanes(view, streamed, getting_ready=getting_ready)
    return draw_part("turns/card", "card", read_between(view, link), lanes)


def lanes_html(view: TurnView) -> str:
    """The two alone."""
    return draw("turns/card", "lanes_card", read_lanes(view)) if view.engine else ""


def read_said(view: TurnView) -> said.SaidView:
    turn = view.turn
    listed = tuple(tasks for result in turn.results if (tasks := said.listed_in(result)))
    words = str(turn.llm_summary.get("words") or "")
    return said.SaidView(turn.id, turn.text, turn.reply, view.undone, listed, words, turn.stripped)


def read_folded(view: TurnView, link: str) -> Folded | None:
    """None where nothing was decided."""
    return Folded(_summary(view), read_between(view, link), read_lanes(view)) if view.engine else None


def agreement_of(view: TurnView) -> Agreement | None:
    return compare(view.engine, view.llm) if view.engine and view.llm else None


def read_lanes(view: TurnView, streamed: str = "", *, getting_ready: bool = False) -> tuple[LaneView, ...]:
    if view.engine is None:
        return ()
    titles = _titles(view)
    drives = view.turn.lane
    engine = engine_lane(view.engine, titles, drives=drives == "engine", act_threshold=find_act_threshold(view.engine))
    if view.llm is None and view.waits:
        return engine, waiting_lane(streamed, getting_ready=getting_ready)
    return engine, llm_lane(view.llm, view.turn, titles, drives=drives == "llm")


def read_between(view: TurnView, link: str) -> Between:
    mark, label = _verdict(view)
    chosen = view.turn.route
    route = ROUTE_SENTENCES.get(Route(chosen), "") if chosen else say_undone(view.turn.driver)
    return Between(mark, label, route, link, _differences(view))


def _verdict(view: TurnView) -> tuple[str, str]:
    status = view.turn.llm_status
    if status == "off":
        return "none", "LLM off"
    if status == "waiting":
        return "none", "LLM thinking …"
    if status in ("failed", "cancelled"):
        return "silent", "⚠ LLM gave no answer" if status == "failed" else "■ LLM stopped"
    agreement = agreement_of(view)
    return describe_agreement(agreement.kind) if agreement else ("none", "–")


def _differences(view: TurnView) -> tuple[DifferenceView, ...]:
    agreement = agreement_of(view) if view.turn.llm_status == "answered" else None
    if agreement is None:
        return ()
    titles = _titles(view)
    return tuple(
        DifferenceView(
            name_argument(each.name),
            _value(each.name, each.first, view, titles),
            _value(each.name, each.second, view, titles),
            each.name,
        )
        for each in agreement.differences[:_SHOWN_DIFFERENCES]
    )


def _value(name: str, value: object, view: TurnView, titles: Mapping[str, str]) -> str | None:
    if value is None:
        return None
    if name == "tool":
        return name_tool(value)
    if name == "action":
        return name_action(value)
    called = [call.tool_name for decision in (view.engine, view.llm) if decision for call in decision.calls]
    return show_value(called[0] if called else "", name, value, titles)


def _summary(view: TurnView) -> Summary:
    mark, label = _verdict(view)
    engine, llm = view.engine, view.llm
    answered = llm if view.turn.llm_status not in ("failed", "cancelled") else None  # that it did not is said before
    parts = [CardPart(name, _tools(decision)) for name, decision in (("Engine", engine), ("LLM", answered)) if decision]
    acted = f"{find_lane_name(view.turn.lane)} acted" if view.turn.lane and view.turn.results else ""
    times = [format_ms(engine.elapsed_ms) if engine else "", format_ms(view.turn.llm_summary.get("total_ms"))]
    tail = (acted, " / ".join(time for time in times if time))
    return Summary(mark, label, tuple(parts), tuple(each for each in tail if each))


def _tools(decision: Decision) -> str:
    names = [call.tool_name for call in decision.calls] or (
        [decision.pending.call.tool_name] if decision.pending else []
    )
    return " + ".join(names)


def _titles(view: TurnView) -> dict[str, str]:
    """Ids of what the deciders saw -> "#4 Buy milk", "Frigo Cucina", "turn_on_light"."""
    machines = view.turn.context.get("machines") or ()
    return {
        **{
            str(task["id"]): f"#{task.get('number')} {task.get('title')}"
            for task in view.turn.context.get("tasks") or ()
        },
        **{str(machine["id"]): str(machine["name"]) for machine in machines},
        **{
            str(command["id"]): str(command["name"])
            for machine in machines
            for command in machine.get("commands") or ()
        },
    }
