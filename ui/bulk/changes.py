"""What two policies decide otherwise over millions of messages: how many, in which way, from what to what, where."""

from __future__ import annotations

import streamlit as st

from db.users import User
from evals.bulk.looking import MessageFilter
from evals.bulk.report import BulkFigures, Pair
from evals.evaluate.paired import tell_difference
from evals.evaluate.slices import SLICE_WORDS
from ui.address_controls import render_choice, render_search, render_segments
from ui.bulk.reading import ListedBulkRun
from ui.bulk.table import render_table
from ui.bulk.words import SORTS, count_messages, name_outcome, name_part
from ui.markdown import verbatim
from ui.state.address import drop_from_address, first_page, put_in_address, read_address
from ui.templates import draw

SORT, PAIR = "sort", "pair"
ANY = "any"
_MOST_PAIRS = 10
_TEXT_LIMIT = 200


def render_changes(user: User, run: ListedBulkRun, figures: BulkFigures) -> None:
    first, second = (verbatim(name) for name in figures.names)
    if figures.changed:
        share = f"{figures.changed / figures.messages:.2%}"
        told = f"**{figures.changed:,} of {count_messages(figures.messages)} ({share})** are decided otherwise under "
        st.markdown(f"{told}**{first}** than under **{second}**.")
    else:
        told = f"**All of {count_messages(figures.messages)}** are decided under **{first}** as under **{second}**."
        st.markdown(f"{told} Nothing would change.")
    if figures.labelled:
        marks = figures.changes_labelled
        told = tell_difference(figures.difference(), figures.names[1], figures.names[0])
        st.markdown(
            f":gray[Where somebody said what was meant: {marks.get('fixed', 0):,} fixed, {marks.get('broken', 0):,} "
            f"broken. {verbatim(told)}]"
        )
    if not figures.changed:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _render_pairs(figures)
    with right:
        _render_parts(figures)
    st.markdown("### Messages")
    render_table(user, run, _render_filters(figures))


def _render_pairs(figures: BulkFigures) -> None:
    st.markdown("**From what to what**")
    chosen = read_pair(figures)
    with st.container(gap=None):
        for pair in figures.pairs()[:_MOST_PAIRS]:
            here = chosen == (pair.before, pair.after)
            st.button(
                f"{pair.messages:,} × {tell_pair(pair)}",
                key=f"pair-{pair.before}-{pair.after}",
                type="primary" if here else "tertiary",
                on_click=_drop_pair if here else _put_pair,
                args=() if here else (pair,),
                help="Shows all again." if here else "Shows these messages below.",
            )
    more = len(figures.pairs()) - _MOST_PAIRS
    if more > 0:
        st.caption(f"and {more} more that are rarer.")


def tell_pair(pair: Pair) -> str:
    if pair.before == pair.after:
        return f"{name_outcome(pair.before)}, otherwise"
    return f"{name_outcome(pair.before)} → {name_outcome(pair.after)}"


def _render_parts(figures: BulkFigures) -> None:
    st.markdown("**Where**")
    rows = [
        (
            f"{SLICE_WORDS.get(part.name, part.name)}: {name_part(part.name, part.value)}",
            f"{part.messages:,}",
            f"{part.changed:,}",
            f"{part.changed / part.messages:.2%}",
        )
        for part in figures.changed_parts()
        if part.changed and part.messages < figures.messages
    ]
    if rows:
        heads = ("Part", "All", "Changed", "Share")
        st.html(draw("bulk/messages", "figures", "Where messages are decided otherwise", heads, rows[:12]))
    else:
        st.caption("All messages are alike in language, length and source.")


def _render_filters(figures: BulkFigures) -> MessageFilter:
    counts = figures.sorts
    labels = {ANY: f"All {figures.changed:,}"}
    labels |= {str(sort): f"{words} {counts[sort]:,}" for sort, words in SORTS.items() if counts.get(sort)}
    sort = str(render_segments("In which way", SORT, labels, ANY))
    words, part = st.columns([3, 2], vertical_alignment="bottom")
    with words:
        text = render_search("Search the messages, or an id", _TEXT_LIMIT)
    with part:
        chosen = read_part(render_choice("Part of the messages", "slice", part_labels(figures), ANY))
    return MessageFilter(changed=sort, pair=read_pair(figures), part=chosen, text=text or "")


def part_labels(figures: BulkFigures) -> dict[str, str]:
    named = {
        f"{part.name}:{part.value}": f"{SLICE_WORDS.get(part.name, part.name)}: {name_part(part.name, part.value)}"
        for part in figures.changed_parts()
        if part.messages < figures.messages
    }
    return {ANY: "Every part", **named}


def read_part(chosen: str) -> tuple[str, str] | None:
    name, mark, value = chosen.partition(":")
    return (name, value) if mark else None


def read_pair(figures: BulkFigures) -> tuple[str, str] | None:
    """Only one that there is: the address may say anything."""
    before, _, after = read_address(PAIR).partition(">")
    known = {(pair.before, pair.after) for pair in figures.pairs()}
    return (before, after) if (before, after) in known else None


def _put_pair(pair: Pair) -> None:
    put_in_address(PAIR, f"{pair.before}>{pair.after}")
    first_page()


def _drop_pair() -> None:
    drop_from_address(PAIR)
    first_page()
