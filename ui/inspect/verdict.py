"""The top of Inspect: the decision and why, in a sentence, and what can be taken along."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from engine.decision import Context
from engine.explaining.anatomy import Anatomy
from engine.policy.rule_places import find_rule_place
from engine.policy.values import Policy
from evals.labels import expectation_of
from evals.saved_cases import write_case
from ui.given.message import InspectInput
from ui.inspect.copy import make_command, make_label
from ui.inspect.editing import EditLinks
from ui.inspect.words import ACTION_NAMES, REASON_SENTENCES, confidence_words, read_from
from ui.state.address import drop_from_address, read_address
from ui.state.fields import is_open, set_open
from ui.state.people import USER_KEY
from ui.state.policy import SESSION_KEY, keep_brought
from ui.templates import draw
from ui.turns.headline import headline

WRONG_PANEL = "wrong"
"""Also its name in the address: a link opens the form at once."""
_POLICY_PAGE = Path(__file__).parents[2] / "pages" / "policy.py"


def open_if_asked() -> None:
    if read_address(WRONG_PANEL):
        set_open(WRONG_PANEL, True)
        drop_from_address(WRONG_PANEL)


def render_verdict(anatomy: Anatomy, context: Context) -> None:
    decision = anatomy.decision
    says = f"It says: “{decision.message}”" if decision.message else ""
    why = (
        read_from(anatomy),
        REASON_SENTENCES[decision.reason],
        confidence_words(decision, anatomy.thresholds),
        says,
    )
    st.html(
        draw(
            "inspect/verdict",
            "verdict",
            decision.action,
            ACTION_NAMES[decision.action],
            headline(decision, context),
            " ".join(why),
            f"{decision.action}, {decision.reason}",
        )
    )


def make_links(policy: Policy, domain: str) -> EditLinks:
    """Where what decided this message can be edited, in this person's session."""
    return EditLinks(policy, domain, tuple(_read_who().items()))


def _read_who() -> dict[str, str]:
    return {name: value for name in (USER_KEY, SESSION_KEY) if (value := read_address(name))}


def render_hand_over(given: InspectInput, anatomy: Anatomy) -> None:
    """The buttons beside the verdict."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "This is wrong…",
            icon=":material/report:",
            type="primary",
            on_click=set_open,
            args=(WRONG_PANEL, not is_open(WRONG_PANEL)),
        )
        if st.button(
            "Why not / fix it",
            icon=":material/build:",
            help="Takes the message with its context to Policy: why it was not read otherwise, and what would mend it.",
        ):
            keep_brought(given)
            # The switch starts the frame's own fields anew: without its parameter the person would be another.
            st.switch_page(_POLICY_PAGE, query_params={"text": given.text, "domain": given.domain, **_read_who()})
        with st.popover("Copy as test", icon=":material/content_copy:"):
            st.caption("A case that expects the decision as it is now, for a file under cases/.")
            st.code(write_case(make_label(given, expectation_of(anatomy.decision))), language="yaml", height=320)
        with st.popover("Copy as command", icon=":material/terminal:"):
            st.caption("Decides the same message in the same context, in a terminal in this project’s folder.")
            st.code(make_command(given), language="bash", wrap_lines=True, height=320)
        place = find_rule_place("threshold:act", anatomy.policy)
        st.caption(
            f"By the {anatomy.policy.name} policy",
            help=f"{anatomy.policy.version}{f', {place.file}' if place else ''}. Reason: {anatomy.decision.reason}",
        )
