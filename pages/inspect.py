"""Inspect: one message taken through the engine step by step, in a context that can be edited."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from domains.loading import load_domain
from engine.explaining.anatomy import dissect
from ui.given.message import InspectInput, make_context
from ui.inspect.case import render_correction
from ui.inspect.context import find_domain, open_editor, render_context
from ui.inspect.flips import render_flips
from ui.inspect.in_force import find_in_force, render_in_force, thresholds_for
from ui.inspect.llm import render_llm_side
from ui.inspect.message import render_examples, render_text
from ui.inspect.pipeline import render_steps
from ui.inspect.saved import render_saved_cases
from ui.inspect.verdict import make_links, open_if_asked, render_hand_over, render_verdict
from ui.lanes import reading_engine
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.people import get_user
from ui.title_row import title_row

st.html(Path(__file__).parent.parent / "assets" / "inspect.css")
user = get_user()
open_if_asked()
with title_row("Inspect"):
    domain = find_domain(user)
editor = open_editor(user, domain)
if editor.source == "missing":
    st.warning(f"There is no turn “{verbatim(editor.turn_id)}” of yours. Type a message to inspect instead.")
text = render_text(editor)
render_notice()
verdict_area, words_area = st.container(), st.container()
wire = render_context(user, editor, text)
context = make_context(wire, domain)
if not text.strip():
    with verdict_area:
        render_examples(domain)
else:
    in_force = find_in_force(user, editor)
    given = InspectInput(text, wire, domain, thresholds_for(in_force))
    anatomy = dissect(text, context, reading_engine(load_domain(domain), given.thresholds))
    with verdict_area, st.container(border=True):
        render_verdict(anatomy, context)
        render_in_force(in_force, given, anatomy.decision.policy_version)
        render_hand_over(given, anatomy)
        render_correction(user, given, anatomy)
    if anatomy.requests:
        render_steps(anatomy, context, words_area, domain, make_links(anatomy.policy, domain))
    flips_area = st.container()
    render_llm_side(given, context)
render_saved_cases(user, domain)
if text.strip():
    with flips_area:
        render_flips(given, make_links(anatomy.policy, domain))
