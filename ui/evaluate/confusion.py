"""The confusion matrix: what was meant against what came of it. A cell opens its messages in the table below."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from db.evaluation.results import count_cells
from db.evaluation.run_values import KeptRun
from evals.evaluate.confusion import Confusion, make_confusion
from ui.address_controls import render_segments
from ui.evaluate.filters import BY, Cell, drop_cell, put_cell, put_failed_cell, read_cell
from ui.evaluate.matrix import confusion_figure
from ui.evaluate.reading import find_intents, read_scored, stamp_of
from ui.evaluate.sentences import Mistake, confusion_rows, list_mistakes, tell_confusion, tell_mistake
from ui.resources import load_database
from ui.state.fields import read_value
from ui.templates import draw

_SHOWN = {"counts": "Counts", "shares": "Shares of a row"}
_BY = {"final": "Final decision", "behind": "Intent behind it"}
_BY_HELP = (
    "**Final decision**: what is acted on or confirmed; a question counts as “asks back”. **Intent behind it**: what a "
    "question or a refusal was about."
)
_MOST_MISTAKES = 8
_BESIDE = 330


def render_confusion(run: KeptRun, decider: int) -> None:
    behind, shares = render_ways()
    with load_database().read() as session:
        cells = count_cells(session, run.id, decider, behind=behind)
    confusion = make_confusion(cells, find_intents(run.domain), behind=behind)
    mistakes = list_mistakes(read_scored(stamp_of(run), decider), behind=behind)
    render_matrix(f"{run.id}-{decider}", confusion, mistakes, shares=shares)


def render_ways() -> tuple[bool, bool]:
    """Whether it is by the intent behind a decision, and whether in shares."""
    with st.container(horizontal=True):
        with st.container(width="content"):
            by = render_segments("What came of it", BY, _BY, "final", hint=_BY_HELP)
        with st.container(width="content"):
            shown = render_segments("Numbers", "numbers", _SHOWN, "counts")
    return by == "behind", shown == "shares"


def render_matrix(name: str, confusion: Confusion, mistakes: Sequence[Mistake], *, shares: bool) -> None:
    """`name`: of what it is about, for its key."""
    figure = confusion_figure(confusion, shares=shares, chosen=_find_chosen(confusion))
    # Side by side where there is room: in a narrower column the squares would run into each other.
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=figure.layout.width, key="confusion"):
            _render_chart(name, confusion, figure, tell_confusion(mistakes), shares=shares)
        with st.container(width=_BESIDE):
            _render_mistakes(mistakes)
    with st.expander("The matrix as a table", icon=":material/table:"):
        st.html(draw("evaluate/tables", "figures", *confusion_rows(confusion, shares=shares)))


def _render_chart(name: str, confusion: Confusion, figure: go.Figure, told: str, *, shares: bool) -> None:
    st.html(draw("evaluate/tables", "scrolls"))
    # A new key for each choice: plotly would go on showing the selection of before.
    key = f"confusion-{name}-{confusion.behind}-{shares}-{read_cell()}"
    st.plotly_chart(
        figure,
        config={"displayModeBar": False},
        key=key,
        width="content",
        alt=told,
        on_select=lambda: _take_click(key, confusion),
        selection_mode="points",
    )


def _find_chosen(confusion: Confusion) -> tuple[int, int] | None:
    cell = read_cell()
    if cell is None or cell.meant not in confusion.rows or cell.came not in confusion.columns:
        return None
    return confusion.rows.index(cell.meant), confusion.columns.index(cell.came)


def _take_click(key: str, confusion: Confusion) -> None:
    points = read_value(key)["selection"]["points"]
    if points:
        row, column = (int(place) for place in points[0]["customdata"][:2])
        put_cell(Cell(confusion.rows[row], confusion.columns[column]))


def _render_mistakes(mistakes: Sequence[Mistake]) -> None:
    """The same by keyboard, the largest first."""
    st.markdown("**Failed most often**")
    if not mistakes:
        st.caption("No case failed.")
    chosen = read_cell()
    with st.container(gap=None):
        for each in mistakes[:_MOST_MISTAKES]:
            cell = Cell(each.meant, each.came)
            st.button(
                f"{each.failed:,} × {tell_mistake(each)}",
                key=f"mistake-{each.meant}-{each.came}",
                type="primary" if cell == chosen else "tertiary",
                on_click=drop_cell if cell == chosen else put_failed_cell,
                args=() if cell == chosen else (cell,),
                help="Shows these messages below.",
            )
    if len(mistakes) > _MOST_MISTAKES:
        st.caption(f"and {len(mistakes) - _MOST_MISTAKES} more in the matrix.")
    st.caption("A cell opens its messages. Blue came as it was meant; a question, grey, may be what a case wants.")
