"""Figures of a bulk run as tables: what came of the messages, its parts, and how often each rule fits."""

from __future__ import annotations

import streamlit as st

from evals.bulk.report import BulkFigures
from evals.evaluate.slices import SLICE_WORDS
from evals.intervals import wilson
from ui.address_controls import render_choice, render_segments
from ui.bulk.words import count_messages, name_part, name_rule
from ui.counting import count_of
from ui.evaluate.slice_tables import slices_html
from ui.evaluate.tables import RateRow, intents_html, scoreboard_html, show_rate
from ui.evaluate.words import format_interval, format_share, name_outcome
from ui.markdown import verbatim
from ui.templates import draw
from ui.words import ACTION_WORDS, REASON_WORDS

_ACTIONS = {str(action): words for action, words in ACTION_WORDS.items()}
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_MOST_RULES = 15
_NO_RULE = ""


def render_shares(figures: BulkFigures, side: int) -> None:
    st.markdown("  \n".join(_tell(figures, place, name) for place, name in enumerate(figures.names)))
    parts = {"came": "What came of them", "actions": "Actions", "reasons": "Reasons"}
    if figures.labelled:
        parts = {"outcomes": "Outcomes", "intents": "By intent", **parts}
    part = render_segments("Figures", "part", parts, next(iter(parts)))
    if part == "outcomes":
        st.html(scoreboard_html([figures.board(place) for place in range(len(figures.names))]))
    elif part == "intents":
        st.caption(f"{verbatim(figures.names[side])}, by what was meant and what came of it.")
        st.html(intents_html(figures.board(side), behind=False))
    else:
        _render_counts(figures, "finals" if part == "came" else part)
    _render_sample(figures)


def _tell(figures: BulkFigures, place: int, name: str) -> str:
    if not figures.labelled:
        acted = dict(figures.shares(place, "actions")).get("execute")
        told = f"acted on **{format_share(acted)}**" if acted else "acted on none"
        return f"**{verbatim(name)}**: {told} of {count_messages(figures.messages)}; nobody said what was meant."
    right = figures.board(place).right
    return (
        f"**{verbatim(name)}**: right on **{format_share(right)}** of {count_messages(figures.labelled)} with a "
        f"label (95%: {format_interval(right)})."
    )


def _render_counts(figures: BulkFigures, of: str) -> None:
    words = {"actions": _ACTIONS, "reasons": _REASONS}.get(of, {})
    sides = [dict(figures.shares(place, of)) for place in range(len(figures.names))]
    names = list(dict.fromkeys(name for side in sides for name in side))
    none = wilson(0, figures.messages)
    rows = [
        RateRow(
            words[name].capitalize() if name in words else name_outcome(name),
            "",
            tuple(show_rate(side.get(name, none)) for side in sides),
        )
        for name in names
    ]
    st.html(draw("evaluate/tables", "rates", ["Of all messages", *figures.names], rows))


def _render_sample(figures: BulkFigures) -> None:
    """What the LLM lane made of a sample, where one was drawn."""
    llm = figures.whole.get("llm")
    if not llm:
        return
    with st.expander(f"LLM lane: {llm['answered']:,} of a sample of {llm['drawn']:,}", icon=":material/casino:"):
        agree = sum(count for name, count in llm["standings"].items() if name in ("agree", "both_silent"))
        share = f"{agree / llm['answered']:.1%}" if llm["answered"] else "–"
        cost = "at a price that is not known" if llm["dollars"] is None else f"for ${llm['dollars']:.4f}"
        st.markdown(
            f"Both lanes want the same in **{share}** of {count_of(llm['answered'], 'answer')}; "
            f"{count_of(llm['calls'], 'call')}, {count_of(llm['tokens'], 'token')}, {cost}."
            + (f" It ended at {llm['stopped']}." if llm["stopped"] else "")
        )
        tiles = llm["tiles"]
        if tiles:
            told = {"both": "Both right", "engine": "Only the engine", "llm": "Only the LLM", "neither": "Neither"}
            rows = [(words, f"{tiles.get(name, 0):,}") for name, words in told.items()]
            st.html(draw("evaluate/tables", "figures", ("Where there is a label", "Messages"), rows))


def render_parts(figures: BulkFigures, side: int) -> None:
    if figures.labelled:
        st.html(slices_html(figures.slices(side), figures.board(side).right))
        return
    rows = [
        (SLICE_WORDS.get(part.name, part.name), name_part(part.name, part.value), f"{part.messages:,}")
        for part in figures.changed_parts()
    ]
    st.html(draw("evaluate/tables", "figures", ("Part", "", "Messages"), rows))


def render_rules(figures: BulkFigures, side: int) -> str:
    """How often each rule fits, and the one whose messages are wanted; empty: all."""
    rules = figures.rules(side)
    if not rules:
        st.info("No rule fits any of these messages.", icon=":material/rule:")
        return _NO_RULE
    total = figures.messages
    rows = [
        RateRow(*name_rule(each.rule), (show_rate(wilson(each.fits, total)), show_rate(each.right)), code=each.rule)
        for each in rules
    ]
    st.html(draw("evaluate/tables", "rates", ["Rule", "Fits, of all messages", "Decided right"], rows[:_MOST_RULES]))
    if len(rules) > _MOST_RULES:
        st.caption(f"The {_MOST_RULES} that fit most, of {len(rules):,}; the choice below has all.")
    named = {each.rule: f"{' · '.join(name_rule(each.rule))} · {each.fits:,}" for each in rules}
    return str(render_choice("Rule", "rule", {_NO_RULE: "Messages of every rule", **named}, _NO_RULE))
