"""Which messages of a bulk run the table shows. Everything that is chosen stands in the address."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evals.bulk.looking import MessageFilter
from evals.bulk.report import BulkFigures
from evals.evaluate.verdicts import VERDICT_WORDS, VERDICTS
from ui.address_controls import render_choice, render_search, render_segments
from ui.bulk.changes import part_labels, read_part
from ui.evaluate.filters import ALL, ANY, BY, FAILED, ONLY, SLICE, drop_cell, read_cell
from ui.evaluate.words import name_outcome
from ui.state.address import read_address

_TEXT_LIMIT = 200


def render_filters(figures: BulkFigures, side: int, *, rule: str = "") -> MessageFilter:
    only = _render_verdicts(figures, side) if figures.labelled else ALL
    words, part = st.columns([3, 2], vertical_alignment="bottom")
    with words:
        text = render_search("Search the messages, or an id", _TEXT_LIMIT)
    with part:
        chosen = read_part(render_choice("Part of the messages", SLICE, part_labels(figures), ANY))
    wanted = MessageFilter(side=side, rule=rule, part=chosen, text=text or "")
    if only == FAILED:
        wanted = replace(wanted, passed=False)
    elif only != ALL:
        wanted = replace(wanted, verdict=only)
    return _with_cell(wanted) if figures.labelled else wanted


def _render_verdicts(figures: BulkFigures, side: int) -> str:
    board = figures.board(side)
    labels = {FAILED: f"Failed {board.cases - board.right.count:,}", ALL: f"All {figures.messages:,}"}
    for verdict in VERDICTS:
        if count := board.verdicts[verdict].count:
            labels[verdict] = f"{VERDICT_WORDS[verdict][0]} {count:,}"
    return str(render_segments("Which messages", ONLY, labels, FAILED))


def _with_cell(wanted: MessageFilter) -> MessageFilter:
    cell = read_cell()
    if cell is None:
        return wanted
    st.button(
        f"Meant “{name_outcome(cell.meant)}”, came “{name_outcome(cell.came)}”",
        key="chip-bulk-cell",
        icon=":material/close:",
        icon_position="right",
        on_click=drop_cell,
        help="Take it off",
    )
    wanted = replace(wanted, label=cell.meant)
    if read_address(BY) == "behind":
        return replace(wanted, behind=cell.came)
    return replace(wanted, final=cell.came)
