"""The head of the page: which policy it is about, and what decides now."""

from __future__ import annotations

import streamlit as st

from domains.loading import load_domain
from engine.policy.loading import PolicyError
from ui.address_controls import render_segments
from ui.markdown import verbatim
from ui.policies import files_in_force, find_version_problems
from ui.policy.desk import find_in_force
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import put_value, read_value
from ui.state.policy import read_trials
from ui.title_row import title_row
from ui.words import name_language

VIEWS = {"fix": "Fix a message", "several": "Fix several", "browse": "Browse", "edit": "Edit", "versions": "Versions"}
LANGUAGE_KEY = "language"


def render_head() -> str:
    """The view that was chosen."""
    with title_row("Policy"):
        return str(render_segments("View", "view", VIEWS, "fix"))


def choose_language(domain: str, spoken: str | None) -> str:
    """The language whose policy is shown; where there is a message, its own."""
    names = {language: name_language(language) for language in load_domain(domain).languages}
    if spoken in names:
        put_value(LANGUAGE_KEY, spoken)
    start_from_address(LANGUAGE_KEY, list(names), next(iter(names)))
    st.segmented_control(
        "Language",
        list(names),
        default=read_value(LANGUAGE_KEY),
        format_func=lambda language: names[language],
        key=LANGUAGE_KEY,
        required=True,
        label_visibility="collapsed",
        disabled=spoken in names,
        help="The language of the message." if spoken in names else "Every language has a policy of its own.",
    )
    show_in_address(LANGUAGE_KEY, next(iter(names)))
    return str(read_value(LANGUAGE_KEY))


def render_in_force(domain: str, language: str) -> None:
    """What decides now, in a line; and what is wrong with a file, so that another one decides."""
    everybody, here = find_in_force(domain, language, everybody=True), find_in_force(domain, language)
    told = f"version {everybody.sequence} by {verbatim(everybody.author)}" if everybody else "the project’s files"
    words = f"In force for everybody: **{told}**"
    if here and here != everybody:
        words += f" · in this session: **version {here.sequence}**"
    if language in read_trials(domain):
        words += " · :material/science: **your draft is on trial in this session**"
    st.caption(words)
    problem, broken = files_in_force(domain).problem, find_version_problems(domain).get(language, "")
    if problem:
        st.error(f"A policy file is broken; what it was before stays in force. {verbatim(problem)}")
    if broken:
        st.error(f"The version in force cannot be loaded; the project’s files decide. {verbatim(broken)}")


def render_broken(error: PolicyError) -> None:
    st.error(f"No draft can be begun while the project’s files are broken: {verbatim(str(error))}")
    st.caption("Mend these lines in the files, or put a version in force under **Versions**; then this page goes on.")
