"""The draft beside everything: its edits, what it does, and how it is saved."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from db.users import User
from engine.editing.edits import tell_edit
from ui.counting import count_of
from ui.markdown import verbatim
from ui.policy.actions import ADDED_PLACE, discard, take_out, try_out
from ui.policy.bulk import render_bulk_replay
from ui.policy.desk import Desk, begin_from, find_in_force
from ui.policy.edit_words import describe_edit
from ui.policy.effects import begin_effect, render_effect, warm_up
from ui.policy.message import Wanted
from ui.policy.must_stay import render_must_stay
from ui.policy.own_message import find_own_message
from ui.policy.saving import render_meanwhile, render_saving
from ui.policy.way_to_chat import render_what_was_done
from ui.policy.work import end_other
from ui.state.notices import read_notice
from ui.state.policy import read_trials
from ui.templates import draw

DRAFT_ANCHOR = "policy-draft"


def render_way_to_draft(desk: Desk) -> None:
    """Where the draft stands below everything else: what is in it, at the foot of the window, wherever something was
    put into it. Beside it the draft itself stays in sight, and this is hidden."""
    if not desk.edited:
        return
    edits = desk.draft.edits
    count, last = count_of(len(edits), "edit"), describe_edit(edits[-1], desk.draft.policy)
    with st.container(key="policy_to_draft"):
        st.html(draw("policy/effect", "way_to_draft", count, last, DRAFT_ANCHOR))


def render_draft_head(user: User, desk: Desk) -> DeltaGenerator:
    """What is in the draft, and what was just done to it: drawn before anything that takes a while. What it does
    belongs into what is returned; that is looked for from now on."""
    with st.container(border=True, key="policy_draft", gap="small"):
        with st.container(key="policy_draft_head", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="bottom"):
                st.subheader("Draft", anchor=DRAFT_ANCHOR, width="content")
                edits = count_of(len(desk.draft.edits), "edit") if desk.edited else "Empty"
                base = f"version {desk.version.sequence}" if desk.version else "the project’s files"
                st.caption(f"{edits}, over {base}.", help=verbatim(desk.draft.base.version), width="content")
            render_what_was_done(desk.domain)
            _render_added()
        if desk.edited:
            _render_edits(desk)
            begin_effect(user, desk)
        return st.container(gap="small")


def render_draft(user: User, desk: Desk, wanted: Wanted | None) -> None:
    if not desk.edited:
        end_other("effect")
        warm_up(user, desk)
        _render_nothing_yet(desk)
        return
    work = begin_effect(user, desk)
    render_meanwhile(user, desk, work, wanted)
    render_effect(user, work, find_own_message(desk, wanted))
    with st.container(horizontal=True, key="policy_draft_more"):
        with st.popover("The change as text", icon=":material/difference:", type="tertiary"):
            st.code(desk.draft.diff, language="diff", wrap_lines=True, height=260)
        render_must_stay(desk.place)
        render_bulk_replay(desk)
    render_saving(user, desk, work, wanted)
    _render_ways_out(desk)


def _render_added() -> None:
    """What was just put in stands in the list below; where that has many edits, it may be out of sight."""
    notice = read_notice()
    if notice and notice.place == ADDED_PLACE:
        st.html(draw("policy/effect", "added", notice.text))


def _render_nothing_yet(desk: Desk) -> None:
    st.caption(
        "Take a suggestion, or write an edit of your own under **Edit**: what it fixes and breaks is shown here before "
        "anything is saved."
    )
    if desk.chosen:
        st.button(
            "Begin with what is in force", icon=":material/undo:", type="tertiary", on_click=begin_from,
            args=(desk.domain, desk.language, find_in_force(desk.domain, desk.language)),
            help="Leaves this version, which you chose under Versions.",
        )  # fmt: skip


def _render_edits(desk: Desk) -> None:
    for number, edit in enumerate(desk.draft.edits):
        words, button = st.columns([10, 1], vertical_alignment="center")
        told = describe_edit(edit, desk.draft.policy)
        words.markdown(f"{number + 1}. {verbatim(told)}", help=verbatim(tell_edit(edit)))
        button.button(
            ":material/close:",
            key=f"out-{number}-{desk.draft.digest}",
            type="tertiary",
            on_click=take_out,
            args=(desk, number),
            help="Takes this edit out of the draft.",
        )


def _render_ways_out(desk: Desk) -> None:
    with st.container(horizontal=True):
        on_trial = desk.language in read_trials(desk.domain)
        st.button(
            "End the trial" if on_trial else "Try it in Chat",
            icon=":material/stop_circle:" if on_trial else ":material/science:",
            on_click=try_out,
            args=(desk, not on_trial),
            help="The draft decides in Chat, Inspect and Compare, in this session only. Nothing is saved.",
        )
        st.button("Discard", icon=":material/delete:", type="tertiary", on_click=discard, args=(desk,))
