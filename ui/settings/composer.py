"""The composer on the Settings page: whether incomplete calls are completed, and how sure that has to be."""

from __future__ import annotations

import streamlit as st

from engine.completing.values import ComposerSettings
from settings import load_settings
from ui.lanes import current_composer
from ui.notices import render_notice
from ui.settings import actions
from ui.state.fields import start_value


def render_composer() -> None:
    now = current_composer()
    st.subheader("The composer", anchor=False)
    st.caption(
        "Completes a call that arrives with arguments left out, if there is exactly one way; asks among several; "
        "refuses without one. In every tab of this browser: the LLM lane and the Machines page."
    )
    render_notice(actions.COMPOSER)
    start_value(actions.COMPOSE_KEY, now.enabled)
    st.toggle(
        "Complete incomplete calls",
        key=actions.COMPOSE_KEY,
        on_change=actions.turn_composer,
        help="Off: calls pass through unchanged, and an incomplete one is shown as broken.",
    )
    sure, many = st.columns(2, gap="large")
    with sure:
        start_value(actions.COMPOSE_FROM_KEY, now.threshold)
        st.slider(
            "Complete by itself from",
            0.5,
            1.0,
            step=0.01,
            format="%.2f",
            key=actions.COMPOSE_FROM_KEY,
            on_change=actions.turn_composer,
            disabled=not now.enabled,
            help="An exact name counts 1.0, a part of the name 0.9, a synonym or a misspelt word 0.8. Below this, the "
            "one way is offered instead of taken.",
        )
    with many:
        start_value(actions.COMPOSE_MOST_KEY, now.max_suggestions)
        st.number_input(
            "Suggestions at most",
            1,
            20,
            key=actions.COMPOSE_MOST_KEY,
            on_change=actions.turn_composer,
            disabled=not now.enabled,
            help="How many choices a question shows; how many more there are is said beside them.",
        )
    if now != ComposerSettings(*load_settings().composition):
        st.button(
            "Back to the start", icon=":material/restart_alt:", on_click=actions.reset_composer, key="composer_reset"
        )
