"""The turn under review: what was said, in which context, both decisions, and the keys to judge them."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from assistant.taking_back import changes_in, is_undone
from db.audit import find_undone
from db.evaluation.verdicts import VERDICTS, Lane, Verdict, read_verdicts
from db.turns.query import TurnQuery
from db.turns.turns import StoredTurn, read_decisions
from db.users import User
from engine.decision import Reason
from evals.reviews import judged_lanes
from ui.history import review_actions
from ui.resources import load_database
from ui.state.policy import read_scope, session_in_link
from ui.templates import draw
from ui.turns.card import TurnView, lanes_html, make_view, read_between, read_said
from ui.turns.context import describe_context, read_said_before
from ui.turns.links import inspect_link
from ui.words import LANE_NAMES, name_driver

KEYS: dict[Lane, dict[Verdict, str]] = {
    "engine": {"right": "1", "wrong": "2", "unsure": "3"},
    "llm": {"right": "4", "wrong": "5", "unsure": "6"},
}
_ICONS: dict[Verdict, str] = {
    "right": ":material/check:", "wrong": ":material/close:", "unsure": ":material/question_mark:",
}  # fmt: skip


def render_card(user: User, turn: StoredTurn, query: TurnQuery) -> None:
    with load_database().read() as session:
        bodies = read_decisions(session, user.id, [turn.id]).get(turn.id, {})
        undone = find_undone(session, user.id, changes_in(turn))
        verdicts = read_verdicts(session, user.id, [turn.id]).get(turn.id, {})
    view = make_view(turn, bodies, undone=is_undone(turn, undone))
    judged = judged_lanes(turn.llm_status)
    finished = all(lane in verdicts for lane in judged)
    st.html(turn_html(user, view))
    for lane, column in zip(judged, st.columns(2, gap="small"), strict=False):
        with column:
            _render_keys(user, view, lane, verdicts.get(lane), query, finished=finished)
    st.html(lanes_html(view))
    if finished and set(verdicts.values()) == {"wrong"}:
        _render_way_to_label(user, turn)


def turn_html(user: User, view: TurnView) -> str:
    """When and in which context it was said, what came before it, the turn, and what the lanes made of it."""
    turn = view.turn
    when = turn.created_at.astimezone().strftime("%a %-d %b %Y, %H:%M")
    context = describe_context(turn.context, turn.domain, clock=False)  # its clock is when it was said
    head = f"{when} · driver: {name_driver(turn.driver)} · context: {context}"
    between = read_between(view, inspect_link(user, turn.id, read_scope()))
    return draw("history/review_card", "turn", head, read_said_before(turn.context), read_said(view), between)


def _render_keys(
    user: User, view: TurnView, lane: Lane, given: Verdict | None, query: TurnQuery, *, finished: bool
) -> None:
    decision = view.engine if lane == "engine" else view.llm
    broken = decision is not None and decision.reason is Reason.BROKEN_CALL
    name = LANE_NAMES[lane]
    st.html(draw("history/review_card", "asked", lane, name))
    with st.container(horizontal=True, gap="xsmall", key=f"keys-{lane}"):
        for verdict in VERDICTS:
            cannot = broken and verdict == "right"
            st.button(
                verdict.capitalize(),
                key=f"judge-{lane}-{verdict}",
                icon=_ICONS[verdict],
                shortcut=KEYS[lane][verdict],
                type="primary" if given == verdict else "secondary",
                width="stretch",
                disabled=cannot,
                on_click=review_actions.judge,
                args=(user, view.turn, lane, verdict, query),
                kwargs={"finished": finished},
                help="A call that cannot be made is not right." if cannot else f"{name} is {verdict} about it.",
            )


def _render_way_to_label(user: User, turn: StoredTurn) -> None:
    """Both are wrong, so neither says what it should have been: that takes a person."""
    address = f"/inspect?{urlencode({'turn': turn.id, 'user': user.handle, 'wrong': '1', **session_in_link()})}"
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown("**No lane is right.** What should it have been?", width="content")
        st.link_button(
            "Say it on Inspect",
            address,
            icon=":material/edit_note:",
            type="primary",
            shortcut="W",
            help="Opens the form in another tab; this queue stays where it is.",
        )
