"""The price table on the Settings page: edited in place, saved as soon as every row is whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pandas as pd
import streamlit as st

from llm.prices import Price, PricesError, load_prices
from settings import prices_path
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.settings import price_actions as actions
from ui.state.fields import put_value, read_value

_VIEW = "price_view"


@dataclass(frozen=True, slots=True)
class PriceView:
    """The table that an editor started from, and what was saved last from it."""

    generation: int
    """Part of the editor's key: a new generation drops what was typed into the old one."""
    base: tuple[Price, ...]
    saved: tuple[Price, ...]

    @property
    def key(self) -> str:
        return f"prices-{self.generation}"


def render_prices() -> None:
    st.subheader("Prices", anchor=False)
    st.caption(
        "US dollars per million tokens, for everybody who uses this workbench; saved as you type. A model without a "
        "row shows no cost. Dated names count as their model; a name that ends in \\* stands for all that begin so."
    )
    path = prices_path()
    try:
        table = load_prices(path)
    except PricesError as error:
        st.error(f"{verbatim(str(error))} No cost is shown until it is mended.", icon=":material/error:")
        _render_reset()
        return
    view = _find_view(table.prices)
    frame = _render_editor(view)
    saved = actions.keep_rows(frame.to_dict("records"), view.saved)
    if saved:
        put_value(_VIEW, PriceView(view.generation, view.base, saved))
        st.rerun()  # the date of the prices and the way back are below
    source = "saved here" if path.exists() else "as they come with Twolane"
    st.caption(f"Prices of {verbatim(name_month(table.as_of))}, {source}. They change: check your provider.")
    render_notice(actions.PRICES)
    if path.exists():
        _render_reset()


def name_month(as_of: str) -> str:
    """ "August 2025" for `2025-08`; what somebody wrote otherwise as it is."""
    try:
        return f"{datetime.strptime(as_of, '%Y-%m'):%B %Y}"  # noqa: DTZ007 - a month has no zone
    except ValueError:
        return as_of


def _find_view(current: tuple[Price, ...]) -> PriceView:
    """The editor goes on from where it started, unless it is new on screen or somebody else saved other prices:
    then its old start must not overwrite them."""
    view: PriceView | None = read_value(_VIEW)
    if view is None or view.saved != current or read_value(view.key) is None:
        view = PriceView(view.generation + 1 if view else 1, current, current)
        put_value(_VIEW, view)
    return view


def _render_editor(view: PriceView) -> pd.DataFrame:
    column = st.column_config
    rows = [(price.model, price.input_usd, price.output_usd) for price in view.base]
    return st.data_editor(
        pd.DataFrame(rows, columns=["model", "input", "output"]),
        key=view.key,
        num_rows="dynamic",
        hide_index=True,
        height="content",
        placeholder="",
        alt=f"{len(rows)} prices. Every cell can be edited; the last, empty row adds one.",
        # All digits are shown: some prices have four. No limits here: what is wrong is said, not swallowed.
        column_config={
            "model": column.TextColumn("Model", help="The name that the endpoint knows it by."),
            "input": column.NumberColumn("Input $", help="For a million tokens that the model reads."),
            "output": column.NumberColumn("Output $", help="For a million tokens that the model writes."),
        },
    )


def _render_reset() -> None:
    with st.popover(
        "Back to the prices that come along",
        icon=":material/restart_alt:",
        help="Removes the table that was saved here; asks first.",
    ):
        st.write("This removes the table that was saved here, for everybody.")
        st.button("Remove it", key="remove_prices", on_click=actions.reset_prices, help="There is no way back.")
