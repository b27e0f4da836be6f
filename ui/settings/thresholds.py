"""The thresholds on the Settings page. They hold as soon as they are turned."""

from __future__ import annotations

from typing import Any

import streamlit as st

from domains.loading import first_policy
from engine.policy.tuning import KNOBS, Knob, own_thresholds
from ui.notices import render_notice
from ui.settings import actions
from ui.state.fields import start_value
from ui.state.lanes import read_thresholds


def render_thresholds() -> None:
    own, changes = own_thresholds(first_policy()), read_thresholds()
    st.subheader("The engine's thresholds", anchor=False)
    st.caption("In every tab of this browser, in every language. The LLM lane's own confidence is not held to them.")
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
    start_value(key, float(changes.get(knob.name, own)))
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
