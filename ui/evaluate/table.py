"""The messages under the figures: filtered and paged by the database, each on its way to Inspect."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from db.evaluation.results import count_results, find_results
from db.evaluation.run_values import KeptRun, ListedCase, ResultFilter
from db.users import User
from ui.address_controls import render_paging
from ui.evaluate import actions
from ui.evaluate.messages import messages_html
from ui.evaluate.words import count_cases
from ui.resources import load_database
from ui.state.policy import session_in_link


def inspect_link(user: User, run_id: str, decider: int, position: int) -> str:
    """The message in the context that its case gives it."""
    about = {"turn": f"case:{run_id}:{decider}:{position}", "user": user.handle, **session_in_link()}
    return f"/inspect?{urlencode(about)}"


def render_table(user: User, run: KeptRun, wanted: ResultFilter, *, other: str = "", busy: bool) -> None:
    """`other`: the name of what it is held against."""
    with load_database().read() as session:
        total = count_results(session, run.id, wanted)
    if not total:
        st.info("No message fits these filters.", icon=":material/filter_alt_off:")
        return
    table = st.container()
    limit, offset = render_paging(total)
    with load_database().read() as session:
        listed = find_results(session, run.id, wanted, limit=limit, offset=offset)
    labels = [run.labels[wanted.decider], *([other] if wanted.against else [])]

    def link(each: ListedCase) -> str:
        return inspect_link(user, run.id, wanted.decider, each.case.position)

    with table:
        st.html(messages_html(labels, listed, link))
    if total < run.size:
        _render_again(user, run, wanted, total, busy=busy)


def _render_again(user: User, run: KeptRun, wanted: ResultFilter, total: int, *, busy: bool) -> None:
    what = "what failed" if wanted.passed is False else "a part"
    st.button(
        f"Run {'these' if total > 1 else 'this'} {count_cases(total)} again",
        icon=":material/replay:",
        disabled=busy,
        on_click=actions.run_part_again,
        args=(user, run.id, wanted, f"{run.name}: {what}"),
        help="A run of its own over just these, through the same deciders as they are now.",
    )
