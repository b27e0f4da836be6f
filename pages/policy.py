"""Policy: why a message was misread, the smallest change that mends it, what that does to everything known, and every
version of it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from engine.policy.loading import PolicyError
from ui.domain_choice import choose_domain
from ui.people import get_user
from ui.policy.brought_thresholds import take_thresholds
from ui.policy.browse import render_browse
from ui.policy.desk import open_desk
from ui.policy.draft_panel import render_draft, render_draft_head, render_way_to_draft
from ui.policy.edit import render_edit
from ui.policy.fix import render_fix
from ui.policy.head import (
    choose_language,
    render_broken,
    render_head,
    render_in_force,
)
from ui.policy.message import find_language, read_given, start_message
from ui.policy.several import render_several
from ui.policy.versions import render_versions

for sheet in ("compare.css", "policy.css"):
    st.html(Path(__file__).parent.parent / "assets" / sheet)
user = get_user()
view = render_head()
start_message()
with st.container(horizontal=True, vertical_alignment="center"):
    domain = choose_domain("What the messages are about; every domain has policies of its own.", labelled=False)
    given, source = read_given(user, domain)
    spoken = find_language(given) if view == "fix" and given.text.strip() else None
    language = choose_language(domain, spoken)
    render_in_force(domain, language)
if view == "versions":
    render_versions(user, domain, language)
    st.stop()
take_thresholds(domain)
try:
    desk = open_desk(domain, language)
except PolicyError as error:
    render_broken(error)
    st.stop()
with st.container(key="policy_areas"):
    work_area, draft_area = st.columns([3, 2], gap="medium")
with draft_area:  # first of all: whoever pressed something sees at once what came of it
    draft_body = render_draft_head(user, desk)
wanted = None
with work_area:
    work_body = st.container()
    render_way_to_draft(desk)
with work_body:
    if view == "fix":
        wanted = render_fix(user, desk, given, source)
    elif view == "several":
        render_several(user, desk)
    elif view == "browse":
        render_browse(user, desk)
    else:
        render_edit(user, desk)
with draft_body:
    render_draft(user, desk, wanted)
