"""Policy: why a message was misread, the smallest change that mends it, what that does to everything known, and every
version of it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.people import get_user
from ui.policy.desk import open_desk
from ui.policy.draft_panel import render_draft
from ui.policy.fix import render_fix
from ui.policy.head import choose_domain, choose_language, render_head, render_in_force
from ui.policy.message import find_language, read_given, start_message

st.html(Path(__file__).parent.parent / "assets" / "policy.css")
user = get_user()
view = render_head()
start_message()
with st.container(horizontal=True, vertical_alignment="center"):
    domain = choose_domain()
    given, source = read_given(user, domain)
    spoken = find_language(given) if view == "fix" and given.text.strip() else None
    language = choose_language(domain, spoken)
    render_in_force(domain, language)
desk = open_desk(domain, language)
with st.container(key="policy_areas"):
    work_area, draft_area = st.columns([3, 2], gap="medium")
with work_area:
    render_fix(user, desk, given, source)
with draft_area:
    render_draft(user, desk)
