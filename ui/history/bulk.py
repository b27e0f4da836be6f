"""Bulk replays on History: logs of millions of messages, decided under another policy, and what that would change."""

from __future__ import annotations

import streamlit as st

from db.users import User
from evals.bulk.looking import MessageFilter
from evals.bulk.report import BulkFigures
from ui.address_controls import render_choice, render_search
from ui.bulk.changes import ANY, part_labels, read_part, render_changes
from ui.bulk.reading import ListedBulkRun, read_figures
from ui.bulk.runs import choose_bulk_run, render_bad_lines
from ui.bulk.table import render_table
from ui.bulk.words import count_messages, name_outcome

_TEXT_LIMIT = 200


def render_bulk(user: User) -> None:
    run = choose_bulk_run()
    if run is None:
        return
    figures = read_figures(run)
    if figures is None:
        st.caption("What it finds appears here with its first shard.")
        return
    if run.both:
        render_changes(user, run, figures)
    else:
        _render_decided(user, run, figures)
    render_bad_lines(figures.bad, list(figures.whole.get("bad_lines", ())))


def _render_decided(user: User, run: ListedBulkRun, figures: BulkFigures) -> None:
    """Without a second policy nothing changes: what came of the messages."""
    told = ", ".join(f"{name_outcome(name)} {rate.value or 0:.1%}" for name, rate in figures.shares(0, "finals")[:6])
    st.markdown(f"**{count_messages(figures.messages)}** decided under one policy: {told}.")
    st.caption("Give `--against` another policy to see what would change.")
    st.markdown("### Messages")
    words, part, came = st.columns([3, 2, 2], vertical_alignment="bottom")
    with words:
        text = render_search("Search the messages, or an id", _TEXT_LIMIT)
    with part:
        chosen = read_part(render_choice("Part of the messages", "slice", part_labels(figures), ANY))
    with came:
        finals = {name: f"{name_outcome(name)} · {rate.count:,}" for name, rate in figures.shares(0, "finals")}
        final = render_choice("What came of it", "came", {ANY: "Whatever came of it", **finals}, ANY)
    render_table(user, run, MessageFilter(final="" if final == ANY else final, part=chosen, text=text or ""))
