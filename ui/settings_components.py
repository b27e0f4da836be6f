"""The parts of the Settings page. Each draws what holds now; `ui/settings_actions.py` does what is asked."""

from __future__ import annotations

import hashlib
from typing import Any

import pandas as pd
import streamlit as st

from engine.policy import load_policy
from engine.tuning import KNOBS, Knob, own_thresholds
from llm.prices import PricesError, PriceTable, load_prices
from ui import settings_actions as actions
from ui import state
from ui.components import escape, render_notice
from ui.resources import prices_path

_COLUMNS = ("model", "input", "output")


def render_thresholds() -> None:
    own, changes = own_thresholds(load_policy("en")), state.read_thresholds()
    st.subheader("The engine's thresholds", anchor=False)
    st.caption("For this browser session, in every language. The LLM lane's own confidence is not measured by them.")
    render_notice(actions.THRESHOLDS)
    acting, choosing = st.columns(2, gap="large")
    with acting:
        st.markdown("**When to act**")
        for knob in KNOBS[:3]:
            _render_knob(knob, own[knob.name], changes)
    with choosing:
        st.markdown("**Which task is meant**")
        for knob in KNOBS[3:]:
            _render_knob(knob, own[knob.name], changes)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Back to the policy's own",
            icon=":material/restart_alt:",
            disabled=not changes,
            on_click=actions.reset_thresholds,
            help="Takes back every threshold that was changed here.",
        )
        if changes:
            turned = [f"{knob.label.lower()} {changes[knob.name]:.2f}" for knob in KNOBS if knob.name in changes]
            st.caption("Changed: " + ", ".join(turned))


def _render_knob(knob: Knob, own: float, changes: Any) -> None:
    key = actions.threshold_key(knob.name)
    state.start_value(key, float(changes.get(knob.name, own)))
    st.slider(
        knob.label,
        knob.low,
        knob.high,
        step=0.01,
        format="%.2f",
        key=key,
        on_change=actions.turn_threshold,
        args=(knob.name,),
        help=f"{knob.help} The policy's own value is {own:.2f}.",
    )


def render_prices() -> None:
    st.subheader("Prices", anchor=False)
    st.caption(
        "US dollars per million tokens, for everybody who uses this workbench. A model without a row shows no cost. "
        "Dated names count as their model; a name that ends in \\* stands for all that begin so."
    )
    path = prices_path()
    try:
        table = load_prices(path)
    except PricesError as error:
        render_notice(actions.PRICES)
        st.error(f"{escape(str(error))} No cost is shown until it is mended.", icon=":material/error:")
        _render_price_reset()
        return
    frame = _render_table(table)
    source = "saved here" if path.exists() else "as they come with Twolane"
    st.caption(f"Prices of {escape(table.as_of)}, {source}. They change: check your provider.")
    render_notice(actions.PRICES)
    with st.container(horizontal=True):
        if st.button("Save prices", icon=":material/save:", type="primary", help="Writes the table for everybody."):
            actions.keep_rows(frame.to_dict("records"))
            st.rerun()
        if path.exists():
            _render_price_reset()


def _render_table(table: PriceTable) -> pd.DataFrame:
    column = st.column_config
    rows = [(price.model, price.input_usd, price.output_usd) for price in table]
    dollars = {"min_value": 0.0, "step": 0.0001, "width": 150}  # all digits are shown: some prices have four
    return st.data_editor(
        pd.DataFrame(rows, columns=list(_COLUMNS)),
        # A table that was saved starts a new editor; one that was refused keeps what was typed.
        key=f"prices-{_fingerprint(table)}",
        num_rows="dynamic",
        hide_index=True,
        height="content",
        placeholder="",
        alt=f"{len(rows)} prices. Every cell can be edited; the last, empty row adds one.",
        column_config={
            "model": column.TextColumn("Model", max_chars=200, help="The name that the endpoint knows it by."),
            "input": column.NumberColumn("Input $", help="For a million tokens that the model reads.", **dollars),
            "output": column.NumberColumn("Output $", help="For a million tokens that the model writes.", **dollars),
        },
    )


def _fingerprint(table: PriceTable) -> str:
    return hashlib.sha256(repr(table).encode()).hexdigest()[:12]


def _render_price_reset() -> None:
    with st.popover("Back to the prices that come along", icon=":material/restart_alt:"):
        st.write("This removes the table that was saved here, for everybody.")
        st.button("Remove it", key="remove_prices", on_click=actions.reset_prices)
