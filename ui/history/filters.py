"""The filters of History: controls that are kept in the address, and the query that they say."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import streamlit as st

from db.evaluation.verdicts import LANES, VERDICTS, Lane, Verdict
from db.turns.query import Standing, TurnQuery
from db.turns.timeline import Bucket
from domains.loading import list_domains, load_domain
from engine.decision import Reason
from engine.domain import UNKNOWN
from engine.outcome.routes import Route
from ui.address_controls import render_choice, render_search, render_segments
from ui.history.periods import describe_period, midnight, read_period
from ui.resources import now_here
from ui.state.address import drop_from_address, first_page, put_in_address, read_address
from ui.state.fields import put_value, read_value, start_value
from ui.words import ACTION_WORDS, DRIVER_NAMES, FORMER_DRIVERS, LANE_NAMES, REASON_WORDS, name_intent

STANDING, PERIOD, DAYS = "standing", "period", "days"
"""Their names in the address; a click on a chart sets the first two."""
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
_ANY = "any"
_REVIEWED = {"reviewed": "Reviewed", "unreviewed": "Not reviewed"}


def render_filters(counts: dict[str, int]) -> TurnQuery:
    """The query that the controls say, without the stretch of time that was clicked on a chart."""
    labels = {name: f"{label} {counts[name]:,}" for name, label in STANDINGS.items()}
    standing = render_segments("Turns", STANDING, labels, "all", hint=STANDING_HELP)
    with st.container(key="filters"):
        words, order, span, more = st.columns([5, 2, 2, 2], vertical_alignment="bottom")
    with words:
        text = render_search("Search the messages", _TEXT_LIMIT)
    with order:
        ordered = render_choice("Order", "order", ORDERS, "newest")
    with span:
        chosen = render_choice("Time", "span", SPANS, "ever")
    with more:
        found = render_more(reviewed=True)
    since, until = read_span(chosen)
    return TurnQuery(standing=standing, text=text, order=ordered, since=since, until=until, **found)


def render_queue_filters(standing: Standing, reviewed: bool | None) -> TurnQuery:
    """The same for the queue, which has its own order and its own way to choose what is in it."""
    with st.container(key="filters"):
        words, span, more = st.columns([5, 2, 2], vertical_alignment="bottom")
    with words:
        text = render_search("Search the messages", _TEXT_LIMIT)
    with span:
        chosen = render_choice("Time", "span", SPANS, "ever")
    with more:
        found = render_more(reviewed=False)
    since, until = read_span(chosen)
    told = {**found, "reviewed": reviewed}
    return TurnQuery(standing=standing, text=text, since=since, until=until, with_words=True, **told)


def render_more(*, reviewed: bool) -> dict[str, Any]:
    """The rarer filters, behind a button; `render_chips` shows those that are set."""
    found: dict[str, Any] = {}
    with st.popover("More filters", width="stretch"):
        left, right = st.columns(2)
        for place, (name, labels) in enumerate(_choices(reviewed=reviewed).items()):
            with (left, right)[place % 2]:
                value = render_choice(name.capitalize(), name, labels, _ANY)
            found[name] = None if value == _ANY else value
    judged = found.pop("verdict")
    if judged in _REVIEWED:
        return {**found, "reviewed": judged == "reviewed"}
    return {**found, "verdict": read_verdict(judged) if judged else None}


def _choices(*, reviewed: bool) -> dict[str, dict[str, str]]:
    judged = {f"{lane}-{verdict}": f"{LANE_NAMES[lane]} {verdict}" for lane in LANES for verdict in VERDICTS}
    drivers = DRIVER_NAMES | FORMER_DRIVERS
    return {
        "domain": {_ANY: "Any domain", **{name: load_domain(name).label for name in list_domains()}},
        "decider": {_ANY: "Read by either lane", "engine": "Read by the engine", "llm": "Read by the LLM"},
        "intent": {_ANY: "Any intent", **{each: name_intent(each) for each in _intents()}},
        "action": {_ANY: "Any action", **{name: words.capitalize() for name, words in ACTION_WORDS.items()}},
        "reason": {_ANY: "Any reason", **{str(each): REASON_WORDS[each].capitalize() for each in Reason}},
        "driver": {_ANY: "Any driver", **{name: f"Driver: {label}" for name, label in drivers.items()}},
        "lane": {_ANY: "Either acted", "engine": "Engine acted", "llm": "LLM acted"},
        "route": {_ANY: "Any route", **{str(each): str(each).replace("_", " ").capitalize() for each in Route}},
        "verdict": {_ANY: "Any verdict", **(_REVIEWED if reviewed else {}), **judged},
    }


def _intents() -> list[str]:
    """Of all domains, each once."""
    found = [intent for name in list_domains() for intent in load_domain(name).catalogue.intents if intent != UNKNOWN]
    return [*dict.fromkeys(found), UNKNOWN]


def read_verdict(text: str) -> tuple[Lane, Verdict]:
    return next((lane, verdict) for lane in LANES for verdict in VERDICTS if f"{lane}-{verdict}" == text)


def read_clicked() -> Bucket | None:
    """The stretch of time that was clicked on a chart, as the address keeps it."""
    return read_period(read_address(PERIOD))


def render_chips(query: TurnQuery, clicked: Bucket | None, *, reviewed: bool) -> None:
    """Every filter that hides behind a button or came from a click, each with a way to take it off."""
    choices = _choices(reviewed=reviewed)
    set_ones = {
        name: labels[str(read_value(name))] for name, labels in choices.items() if read_value(name) not in (None, _ANY)
    }
    if not set_ones and not clicked:
        return
    with st.container(horizontal=True, gap="small"):
        if clicked:
            _render_chip(describe_period(clicked), "chip-period", _drop_period)
        for name, label in set_ones.items():
            _render_chip(label, f"chip-{name}", _drop_filter, name)


def _render_chip(label: str, key: str, drop: Any, *args: str) -> None:
    st.button(
        label, key=key, icon=":material/close:", icon_position="right", on_click=drop, args=args, help="Take it off"
    )


def _drop_period() -> None:
    drop_from_address(PERIOD)
    first_page()


def _drop_filter(name: str) -> None:
    put_value(name, _ANY)
    first_page()


def read_span(chosen: str) -> tuple[datetime | None, datetime | None]:
    """Days as the person at the screen counts them."""
    if chosen in _DAYS:
        # To the minute: what was counted for a chart is then good for as long.
        return now_here().replace(second=0, microsecond=0) - timedelta(days=_DAYS[chosen]), None
    if chosen != "days":
        drop_from_address(DAYS)
        return None, None
    start_value(DAYS, _read_days())
    days = st.date_input("From and to", key=DAYS, on_change=first_page, width=280)
    if not isinstance(days, tuple) or not days:
        return None, None
    put_in_address(DAYS, f"{days[0]}~{days[-1]}")
    return midnight(days[0]), midnight(days[-1] + timedelta(days=1))


def _read_days() -> tuple[date, date]:
    """Those of the address; the last week where it names none."""
    try:
        first, last = (date.fromisoformat(part) for part in read_address(DAYS).split("~"))
    except ValueError:
        first, last = now_here().date() - timedelta(days=6), now_here().date()
    return (first, last) if first <= last else (last, first)


def within(query: TurnQuery, clicked: Bucket | None) -> tuple[datetime | None, datetime | None]:
    """The filter's time and the stretch clicked, where they overlap."""
    if clicked is None:
        return query.since, query.until
    since = max(clicked.start, query.since) if query.since else clicked.start
    return since, min(clicked.until, query.until) if query.until else clicked.until
