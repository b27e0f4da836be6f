"""Writing edits: by a form for each small kind, or in the text of the files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from db.users import User
from ui.address_controls import render_segments
from ui.policy.desk import Desk
from ui.policy.forms import (
    render_guard_form,
    render_pattern_form,
    render_phrase_form,
    render_spelling_form,
    render_threshold_form,
    render_weight_form,
)
from ui.policy.learning import render_learning
from ui.policy.text import EDIT_KEY, render_text

_KINDS = {
    "phrase": "Phrase",
    "pattern": "Way of asking",
    "guard": "Guard",
    "spelling": "Spelling",
    "threshold": "Threshold",
    "weight": "Weight",
    "learn": "Learn weights",
    "text": "As text",
}
_FORMS: dict[str, tuple[Callable[[Desk], None], str]] = {
    "phrase": (render_phrase_form, "A word or phrase that means what the others of its class mean."),
    "pattern": (render_pattern_form, "How people ask for something, with slots for what they name."),
    "guard": (render_guard_form, "How people talk without asking for anything: no request is read then."),
    "spelling": (render_spelling_form, "A word that people write otherwise than the policy does."),
    "threshold": (
        render_threshold_form,
        "From where on the engine acts, asks, or takes a task for the one that is meant.",
    ),
    "weight": (render_weight_form, "How much something that is noticed speaks for an intent."),
    "text": (render_text, "The files themselves; a line is checked while you type, and nothing on disk changes."),
}


def render_edit(user: User, desk: Desk) -> None:
    kind = render_segments("What to edit", EDIT_KEY, _KINDS, "phrase")
    if kind == "learn":
        render_learning(user, desk)
        return
    form, about = _FORMS[kind]
    st.caption(about)
    form(desk)
