"""A turn as HTML: what was said, and under it what each lane decided and why. Pure: no streamlit, nothing decided.

HTML rather than widgets: twenty turns with their evidence are one short string each, so a long conversation
stays quick. Everything that came from outside goes through `escape`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from db.turns import StoredTurn
from engine.agreement import Agreement, compare
from engine.decision import Decision
from engine.record import read_record
from engine.routing import ROUTE_SENTENCES, Route
from ui.turns.lanes import engine_card, llm_card, waiting_card
from ui.words import LANE_NAMES, describe_agreement, format_ms

_SHOWN_DIFFERENCES = 3


@dataclass(frozen=True, slots=True)
class TurnView:
    """All that the page shows of a turn."""

    turn: StoredTurn
    engine: Decision | None
    llm: Decision | None
    undone: bool
    act_threshold: float

    @property
    def waits(self) -> bool:
        return self.turn.llm_status == "waiting"


def make_view(
    turn: StoredTurn, bodies: Mapping[str, Mapping[str, Any]], *, undone: bool, act_threshold: float
) -> TurnView:
    decisions = {name: read_record(body) for name, body in bodies.items()}
    return TurnView(turn, decisions.get("engine"), decisions.get("llm"), undone, act_threshold)


def said_html(view: TurnView) -> str:
    """The message and the reply to it."""
    turn = view.turn
    parts = [f'<div class="tl-said"><span class="tl-who">You</span>{_text(turn.text) or "<i>(empty)</i>"}</div>']
    if turn.reply is None:
        parts.append('<div class="tl-reply tl-muted">Waiting for the LLM …</div>')
    else:
        undone = ' <span class="tl-chip">undone</span>' if view.undone else ""
        words = str(turn.llm_summary.get("words") or "")
        model = f'<div class="tl-words">The model says: “{_text(words)}”</div>' if words else ""
        listed = "".join(_listing(result) for result in turn.results)
        parts.append(f'<div class="tl-reply">{_text(turn.reply)}{undone}{listed}{model}</div>')
    return f'<div class="tl-turn" id="turn-{escape(turn.id)}">{"".join(parts)}</div>'


def folded_html(view: TurnView, link: str) -> str:
    """One line that opens to the whole card."""
    return (
        f'<details class="tl-fold"><summary>{_summary(view)}</summary>{card_html(view, link)}</details>'
        if view.engine
        else ""
    )


def card_html(view: TurnView, link: str, streamed: str = "") -> str:
    """Engine and LLM side by side, and above them where they agree."""
    if view.engine is None:
        return ""
    return f'<div class="tl-card">{between_html(view, link)}{lanes_html(view, streamed)}</div>'


def lanes_html(view: TurnView, streamed: str = "") -> str:
    if view.engine is None:
        return ""
    titles = _titles(view)
    drives = view.turn.lane
    engine = engine_card(view.engine, titles, drives=drives == "engine", act_threshold=view.act_threshold)
    if view.llm is not None or not view.waits:
        llm = llm_card(view.llm, view.turn, titles, drives=drives == "llm")
    else:
        llm = waiting_card(streamed)
    return f'<div class="tl-lanes">{engine}{llm}</div>'


def between_html(view: TurnView, link: str) -> str:
    """Whether they agree, who acted and why, and each argument that differs."""
    mark, label = _verdict(view)
    route = (
        ROUTE_SENTENCES.get(Route(view.turn.route), "") if view.turn.route else "The LLM drives; nothing is done yet."
    )
    detail = "".join(f"<li>{line}</li>" for line in _differences(view))
    inspect = f'<a href="{escape(link)}" target="_blank" rel="noopener">Inspect this turn</a>' if link else ""
    return (
        f'<div class="tl-between"><span class="tl-verdict tl-{mark}">{label}</span>'
        f'<span class="tl-route">{escape(route)}</span>{inspect}'
        + (f'<ul class="tl-differences">{detail}</ul>' if detail else "")
        + "</div>"
    )


def agreement_of(view: TurnView) -> Agreement | None:
    return compare(view.engine, view.llm) if view.engine and view.llm else None


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


def _differences(view: TurnView) -> list[str]:
    agreement = agreement_of(view) if view.turn.llm_status == "answered" else None
    if agreement is None:
        return []
    titles = _titles(view)
    return [
        f"<b>{escape(each.name)}</b>: {_value(each.first, titles)} <span aria-label='differs from'>≠</span> "
        f"{_value(each.second, titles)}"
        for each in agreement.differences[:_SHOWN_DIFFERENCES]
    ]


def _value(value: object, titles: Mapping[str, str]) -> str:
    if value is None:
        return '<span class="tl-muted">nothing</span>'
    return escape(titles.get(str(value), str(value)))


def _summary(view: TurnView) -> str:
    mark, label = _verdict(view)
    engine, llm = view.engine, view.llm
    parts = [f"Engine {_short(engine)}", f"LLM {_short(llm)}" if llm else ""]
    acted = LANE_NAMES.get(view.turn.lane or "", "")  # type: ignore[call-overload]
    times = [format_ms(engine.elapsed_ms) if engine else "", format_ms(view.turn.llm_summary.get("total_ms"))]
    tail = " · ".join(
        each
        for each in (*parts, f"{acted} acted" if acted and view.turn.results else "", " / ".join(filter(None, times)))
        if each
    )
    return f'<span class="tl-verdict tl-{mark}">{label}</span> {tail}'


def _short(decision: Decision | None) -> str:
    if decision is None:
        return ""
    names = [call.tool_name for call in decision.calls] or (
        [decision.pending.call.tool_name] if decision.pending else []
    )
    return f"<code>{escape(' + '.join(names))}</code>" if names else "no call"


def _listing(result: Mapping[str, Any]) -> str:
    tasks: Sequence[Mapping[str, Any]] = result["payload"].get("tasks") or ()
    rows = "".join(
        f'<li><span class="tl-number">#{task["number"]}</span> {_text(task["title"])}'
        + (
            f' <span class="tl-muted">{escape(str(task["due_date"]).replace("T", " "))}</span>'
            if task.get("due_date")
            else ""
        )
        + (' <span class="tl-chip">done</span>' if task.get("completed") else "")
        + "</li>"
        for task in tasks
    )
    return f'<ol class="tl-list">{rows}</ol>' if rows else ""


def _titles(view: TurnView) -> dict[str, str]:
    """Ids of the tasks that the deciders saw -> "#4 Buy milk"."""
    return {
        str(task["id"]): f"#{task.get('number')} {task.get('title')}" for task in view.turn.context.get("tasks") or ()
    }


def _text(text: object) -> str:
    return escape(str(text)).replace("\n", "<br>")
