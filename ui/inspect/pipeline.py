"""How the steps of Inspect stand on the page."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.decision import Context
from engine.explaining.anatomy import Anatomy
from ui.inspect import steps
from ui.inspect.editing import EditLinks
from ui.inspect.soundness import render_validation

_SPLIT = (4, 3)
"""One for all steps, so that the right ones stand under each other."""


def render_steps(anatomy: Anatomy, context: Context, words_area: DeltaGenerator, domain: str, links: EditLinks) -> None:
    """The words go where the page wants them, above the context; the other steps follow here."""
    count = len(anatomy.requests)
    chosen = 0
    if count > 1:
        names = [each.label or anatomy.text[each.span.start : each.span.end] for each in anatomy.requests]
        chosen = st.segmented_control(
            "Request", range(count), default=0, required=True, format_func=lambda place: names[place]
        )
    request = anatomy.requests[chosen or 0]
    with words_area:
        steps.render_words(anatomy, request, links)
    left, right = st.columns(_SPLIT, gap="large")
    with left:
        steps.render_scores(request)
    with right:
        steps.render_values(anatomy, request, context, domain)
    left, right = st.columns(_SPLIT, gap="large")
    with left:
        steps.render_reference(request, context, anatomy, domain)
    with right:
        render_validation(request)
    left, right = st.columns(_SPLIT, gap="large")
    with left:
        steps.render_confidence(anatomy, request)
    with right:
        steps.render_action(anatomy, request)
