"""The filters of History: controls that are kept in the address, and the query that they say."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

import streamlit as st

from db.turn_query import Standing, TurnQuery
from engine.decision import Reason
from engine.mapping import INTENTS
from engine.routing import Route
from ui import state
from ui.resources import now_here
from ui.task_components import render_choice
from ui.words import ACTION_WORDS, DRIVER_NAMES, INTENT_WORDS, REASON_WORDS

STANDINGS: dict[Standing, str] = {
    "all": "All", "differ": "Differ", "silent": "One silent", "broken": "Broken or failed", "agree": "Agree",
    "alone": "Engine alone",
}  # fmt: skip
STANDING_HELP = (
    "**Differ**: both lanes would call something, and not the same. **One silent**: only one of them calls a tool. "
    "**Broken or failed**: the LLM's call could not be made, or it gave no answer. **Engine alone**: the LLM was not "
    "asked, or has not answered yet."
)
ORDERS = {"newest": "Newest first", "differ": "Disagreements first"}
SPANS = {"ever": "Any time", "day": "Last 24 hours", "week": "Last 7 days", "month": "Last 30 days", "days": "Days…"}
_DAYS = {"day": 1, "week": 7, "month": 30}
_TEXT_LIMIT = 200
_CHOICE_WIDTH = 172


def render_filters(counts: dict[str, int]) -> TurnQuery:
    standing = _render_standing(counts)
    words, order, span = st.columns([5, 2, 2], vertical_alignment="bottom")
    state.start_text_from_address("q", _TEXT_LIMIT)
    text = words.text_input(
        "Search",
        key="q",
        live=True,
        type="search",
        max_chars=_TEXT_LIMIT,
        placeholder="Search the messages",
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=state.first_page,
    )
    state.show_in_address("q", "")
    with order:
        ordered = render_choice("Order", "order", ORDERS, "newest")
    with span:
        chosen = render_choice("Time", "span", SPANS, "ever")
    since, until = _read_span(chosen)
    return TurnQuery(standing=standing, text=text or None, order=ordered, since=since, until=until, **_render_more())


def _render_standing(counts: dict[str, int]) -> Standing:
    state.start_from_address("standing", list(STANDINGS), "all")
    chosen = st.segmented_control(
        "Turns",
        list(STANDINGS),
        required=True,
        format_func=lambda name: f"{STANDINGS[name]} {counts[name]:,}",
        key="standing",
        label_visibility="collapsed",
        on_change=state.first_page,
        help=STANDING_HELP,
    )
    state.show_in_address("standing", "all")
    return chosen or "all"


def _render_more() -> dict[str, Any]:
    """The rarer filters."""
    choices: dict[str, dict[str, str]] = {
        "driver": {"any": "Any driver", **DRIVER_NAMES},
        "lane": {"any": "Any lane", "engine": "Engine acted", "llm": "LLM acted"},
        "route": {"any": "Any route", **{str(each): str(each).replace("_", " ") for each in Route}},
        "intent": {"any": "Any intent", **{each: INTENT_WORDS[each] for each in INTENTS}},
        "action": {"any": "Any action", **{name: words.capitalize() for name, words in ACTION_WORDS.items()}},
        "reason": {"any": "Any reason", **{str(each): REASON_WORDS[each].capitalize() for each in Reason}},
    }
    found: dict[str, Any] = {}
    with st.container(horizontal=True, gap="small"):  # on a narrow screen they go on in a second row
        for name, labels in choices.items():
            with st.container(width=_CHOICE_WIDTH):
                value = render_choice(name.capitalize(), name, labels, "any")
            found[name] = None if value == "any" else value
    return found


def _read_span(chosen: str) -> tuple[datetime | None, datetime | None]:
    """Days as the person at the screen counts them."""
    if chosen in _DAYS:
        return now_here() - timedelta(days=_DAYS[chosen]), None
    if chosen != "days":
        return None, None
    today = now_here().date()
    days = st.date_input(
        "From and to", value=(today - timedelta(days=6), today), key="days", on_change=state.first_page, width=280
    )
    if not isinstance(days, tuple) or not days:
        return None, None
    return _midnight(days[0]), _midnight(days[-1] + timedelta(days=1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time()).astimezone()
