"""Inspect: one message taken through the engine step by step, in a context that can be edited."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from engine.explaining.anatomy import dissect
from ui import (
    inspect_case,
    inspect_context,
    inspect_flips,
    inspect_llm,
    inspect_message,
    inspect_pipeline,
    inspect_verdict,
)
from ui.components import escape, get_user, render_notice
from ui.inspect_input import InspectInput, make_context
from ui.lanes import current_engine

st.html(Path(__file__).parent.parent / "assets" / "inspect.css")
user = get_user()
st.title("Inspect")
inspect_verdict.open_if_asked()
editor = inspect_context.open_editor(user)
if editor.source == "missing":
    st.warning(f"There is no turn “{escape(editor.turn_id)}” of yours. Type a message to inspect instead.")
text = inspect_message.render_text(editor)
render_notice()
verdict_area, words_area = st.container(), st.container()
wire = inspect_context.render_context(user, editor, text)
context = make_context(wire)
if not text.strip():
    with verdict_area:
        inspect_message.render_examples()
else:
    given = InspectInput(text, wire)
    anatomy = dissect(text, context, current_engine())
    with verdict_area, st.container(border=True):
        inspect_verdict.render_verdict(anatomy, context)
        inspect_verdict.render_hand_over(given, anatomy)
        inspect_case.render_correction(user, given, anatomy)
    if anatomy.requests:
        inspect_pipeline.render_steps(anatomy, context, words_area)
    flips_area = st.container()
    inspect_llm.render_llm_side(given, context)
inspect_case.render_saved_cases(user)
if text.strip():
    with flips_area:
        inspect_flips.render_flips(text, wire)
