"""Turns as History lists them: when and in which conversation, what was said, and the card, folded."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from db.audit import find_undone
from db.history import find_history
from db.turn_query import TurnQuery
from db.turns import StoredTurn, read_decisions
from db.users import User
from db.verdicts import Lane, Verdict, read_verdicts
from ui import lanes
from ui.resources import load_database
from ui.templates import draw
from ui.turns.card import folded_html, make_view, said_html
from ui.turns.changes import changes_in, is_undone
from ui.turns.links import inspect_link
from ui.words import LANE_NAMES, name_driver

_MARKS: dict[Verdict, str] = {"right": "✓", "wrong": "✗", "unsure": "?"}


def render_turns(user: User, query: TurnQuery, limit: int, offset: int) -> None:
    """One string of HTML for the whole page of turns: that many widgets would be slow."""
    with load_database().read() as session:
        turns = find_history(session, user.id, query, limit=limit, offset=offset)
        bodies = read_decisions(session, user.id, [turn.id for turn in turns])
        verdicts = read_verdicts(session, user.id, [turn.id for turn in turns])
        undone = find_undone(session, user.id, [change for turn in turns for change in changes_in(turn)])
    act = lanes.current_engine().policy_for("en").thresholds.act
    parts = []
    for turn in turns:
        view = make_view(turn, bodies.get(turn.id, {}), undone=is_undone(turn, undone), act_threshold=act)
        link = inspect_link(user, turn.id)
        parts.append(head_html(user, turn, link, verdicts.get(turn.id, {})) + said_html(view) + folded_html(view, link))
    st.html(f'<div class="tc-turns">{"".join(parts)}</div>')


def head_html(user: User, turn: StoredTurn, link: str, verdicts: Mapping[Lane, Verdict]) -> str:
    when = turn.created_at.astimezone().strftime("%a %-d %b %Y, %H:%M")
    judged = " · ".join(f"{_MARKS[each]} {LANE_NAMES[lane]} {each}" for lane, each in sorted(verdicts.items()))
    review = f"/history?{urlencode({'view': 'review', 'at': turn.id, 'user': user.handle})}"
    return draw("history/turns", "head", f"{when} · driver: {name_driver(turn.driver)}", judged, review, link)


def render_empty(total: int) -> None:
    with st.container(border=True, horizontal_alignment="center"):
        if total:
            st.markdown("#### Nothing fits")
            st.caption("No turn fits these filters. Choose “All”, or clear the search.")
        else:
            st.markdown("#### No turns yet")
            st.caption(
                "Every message is kept here with the decisions of both lanes. Say something on the Chat page first."
            )
