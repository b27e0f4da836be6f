"""The review queue of History: one turn at a time, a verdict for each lane, by key or by mouse."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from db.evaluation.verdicts import find_last_change
from db.turns.history import count_standings, count_turns, find_history, find_next_id
from db.turns.query import Standing, TurnQuery
from db.turns.turns import StoredTurn, find_turn
from db.users import User
from ui.address_controls import render_segments
from ui.history import filters, review_actions
from ui.history.review_card import render_card
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.address import TURN_KEY, read_address
from ui.state.notices import read_notice

QUEUES: dict[Standing, str] = {
    "disagree": "Disagreements", "differ": "Differ", "silent": "One silent", "broken": "Broken or failed",
    "all": "Any turn",
}  # fmt: skip
QUEUE_HELP = (
    "**Disagreements**: both lanes answered, and not the same: another call, only one call, or a call that cannot be "
    "made. **Any turn**: also those on which they agree, and those that the engine decided alone."
)
STATES = {"open": "To review", "done": "Reviewed", "both": "Both"}
_REVIEWED = {"open": False, "done": True, "both": None}


class QueuePlace(NamedTuple):
    """Where in the queue one is."""

    turn: StoredTurn
    newer: str | None
    older: str | None


def render_review(user: User) -> None:
    query = _render_controls(user)
    everything = replace(query, reviewed=None)
    with load_database().read() as session:
        total = count_turns(session, user.id, everything)
        done = count_turns(session, user.id, replace(query, reviewed=True))
    place = _find_place(user, query)
    _render_bar(user, place, done, total)
    if place is None:
        _render_empty(query, total, done)
        return
    render_card(user, place.turn, query)


def _render_controls(user: User) -> TurnQuery:
    with load_database().read() as session:
        counts = count_standings(session, user.id)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        with st.container(width="content"):
            labels = {name: f"{label} {counts[name]:,}" for name, label in QUEUES.items()}
            standing = render_segments("Queue", "queue", labels, "disagree", hint=QUEUE_HELP)
        with st.container(width="content"):
            shown = render_segments("State", "state", STATES, "open")
    query = filters.render_queue_filters(standing, _REVIEWED[shown])
    clicked = filters.read_clicked()
    since, until = filters.within(query, clicked)
    filters.render_chips(query, clicked, reviewed=False)
    return replace(query, since=since, until=until)


def _find_place(user: User, query: TurnQuery) -> QueuePlace | None:
    """The turn that the address names, also where the filters would leave it out; else the first of the queue."""
    with load_database().read() as session:
        turn = find_turn(session, user.id, read_address(TURN_KEY))
        turn = turn or next(iter(find_history(session, user.id, query, limit=1, offset=0)), None)
        if turn is None:
            return None
        newer, older = (find_next_id(session, user.id, query, turn, newer=way) for way in (True, False))
        return QueuePlace(turn, newer, older)


def _render_bar(user: User, place: QueuePlace | None, done: int, total: int) -> None:
    """The way through the queue, what was just done, and the way to take it back."""
    with load_database().read() as session:
        last = find_last_change(session, user.id)
    notice = read_notice()
    with st.container(horizontal=True, vertical_alignment="center"):
        _render_step("Previous", ":material/arrow_back:", "P", place.newer if place else None)
        _render_step("Next", ":material/arrow_forward:", "N", place.older if place else None)
        st.button(
            "Undo",
            icon=":material/undo:",
            shortcut="U",
            disabled=last is None,
            on_click=review_actions.undo,
            args=(user,),
            help="Takes the last verdict back, and the case that it made." if last else "No verdict to take back.",
        )
        if total:
            st.progress(done / total, text=f"{done:,} of {total:,} reviewed", width="stretch")
    # One line always stands here: the buttons must not move while somebody is pressing them.
    if notice and notice.place == review_actions.PLACE:
        icon = ":material/check:" if notice.kind == "success" else ":material/error:"
        st.caption(f"{icon} {verbatim(notice.text)}")
    elif place:
        st.caption("Keys: 1 2 3 for the engine, 4 5 6 for the LLM, N and P to move on, U to undo.")


def _render_step(label: str, icon: str, key: str, turn_id: str | None) -> None:
    st.button(
        label,
        icon=icon,
        shortcut=key,
        disabled=turn_id is None,
        on_click=review_actions.step_to,
        args=(turn_id,),
        help="Without a verdict.",
    )


def _render_empty(query: TurnQuery, total: int, done: int) -> None:
    with st.container(border=True, horizontal_alignment="center"):
        if total and query.reviewed is False:
            st.markdown("#### No disagreements left" if query.standing == "disagree" else "#### Nothing left to review")
            st.caption(f"All {done:,} were reviewed. “Reviewed” lists them again; every verdict can be changed.")
        elif total:
            st.markdown("#### Nothing reviewed yet")
            st.caption("“To review” shows what waits for a verdict.")
        elif query == TurnQuery(standing="disagree", reviewed=query.reviewed, with_words=True):
            st.markdown("#### No disagreements")
            st.caption("The lanes never differed. “Any turn” lets you review what they agree on, or the engine alone.")
        else:
            st.markdown("#### Nothing fits")
            st.caption("No turn fits these filters. Take them off, or choose “Any turn”.")
