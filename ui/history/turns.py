"""Turns as History lists them: when and in which conversation, what was said, and the card, folded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from assistant.taking_back import changes_in, is_undone
from db.audit import find_undone
from db.evaluation.verdicts import Lane, Verdict, read_verdicts
from db.turns.history import find_history
from db.turns.query import TurnQuery
from db.turns.turns import StoredTurn, read_decisions
from db.users import User
from ui.inner_link import render_inner_link
from ui.resources import load_database
from ui.state.policy import read_scope, session_in_link
from ui.templates import draw
from ui.turns.card import Folded, TurnView, make_view, read_folded, read_said
from ui.turns.links import inspect_link
from ui.turns.said import SaidView
from ui.words import LANE_NAMES, name_driver

_MARKS: dict[Verdict, str] = {"right": "✓", "wrong": "✗", "unsure": "?"}


class ListedTurn(NamedTuple):
    head: str
    judged: str
    review: str
    inspect: str
    said: SaidView
    folded: Folded | None


def render_turns(user: User, query: TurnQuery, limit: int, offset: int) -> None:
    """One string of HTML for the whole page of turns: that many widgets would be slow."""
    with load_database().read() as session:
        turns = find_history(session, user.id, query, limit=limit, offset=offset)
        bodies = read_decisions(session, user.id, [turn.id for turn in turns])
        verdicts = read_verdicts(session, user.id, [turn.id for turn in turns])
        undone = find_undone(session, user.id, [change for turn in turns for change in changes_in(turn)])
    views = [_make_view(turn, bodies.get(turn.id, {}), undone) for turn in turns]
    st.html(turns_html(user, [(view, verdicts.get(view.turn.id, {})) for view in views]))


def _make_view(turn: StoredTurn, bodies: Mapping[str, Mapping[str, Any]], undone: set[str]) -> TurnView:
    return make_view(turn, bodies, undone=is_undone(turn, undone))


def turns_html(user: User, turns: Iterable[tuple[TurnView, Mapping[Lane, Verdict]]]) -> str:
    return draw("history/turns", "turns", [_listed(user, view, verdicts) for view, verdicts in turns])


def _listed(user: User, view: TurnView, verdicts: Mapping[Lane, Verdict]) -> ListedTurn:
    turn = view.turn
    when = turn.created_at.astimezone().strftime("%a %-d %b %Y, %H:%M")
    link = inspect_link(user, turn.id, read_scope())
    return ListedTurn(
        head=f"{when} · driver: {name_driver(turn.driver)}",
        judged=" · ".join(f"{_MARKS[each]} {LANE_NAMES[lane]} {each}" for lane, each in sorted(verdicts.items())),
        review=f"/history?{urlencode({'view': 'review', 'at': turn.id, 'user': user.handle, **session_in_link()})}",
        inspect=link,
        said=read_said(view),
        folded=read_folded(view, link),
    )


def render_empty(user: User, total: int) -> None:
    with st.container(border=True, horizontal_alignment="center"):
        if total:
            st.markdown("#### Nothing fits")
            st.caption("No turn fits these filters. Choose “All”, or clear the search.")
        else:
            st.markdown("#### No turns yet")
            st.caption("Every message is kept here with the decisions of both lanes.")
            render_inner_link("Say something on Chat", f"/chat?{urlencode({'user': user.handle})}")
