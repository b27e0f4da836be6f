"""From a misread message to a fix: how it is decided, why not otherwise, and what would mend it."""

from __future__ import annotations

import streamlit as st

from db.users import User
from ui.given.message import InspectInput
from ui.policy.desk import Desk
from ui.policy.message import Wanted, render_message
from ui.policy.suggestions import render_suggestions
from ui.policy.why import render_decisions, render_misses, render_why


def render_fix(user: User, desk: Desk, given: InspectInput, source: str) -> Wanted | None:
    """What the message should have come to, once somebody has said it."""
    wanted = render_message(user, given, source)
    if wanted is None:
        return None
    render_decisions(desk, wanted)
    if not wanted.intent:
        st.info("Choose what the message should have been: then it is shown why it was not.", icon=":material/help:")
        return None
    why = render_why(desk, wanted)
    render_suggestions(user, desk, wanted)
    render_misses(desk, why)
    return wanted
