"""The draft beside everything: its edits, what it does, and how it is saved."""

from __future__ import annotations

import streamlit as st

from db.users import User
from engine.editing.edits import tell_edit
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.policy.actions import DRAFT_PLACE, discard, take_out, try_out
from ui.policy.bulk import render_bulk_replay
from ui.policy.desk import Desk
from ui.policy.edit_words import describe_edit
from ui.policy.effects import find_effect, render_effect, warm_up
from ui.policy.message import Wanted
from ui.policy.must_stay import render_must_stay
from ui.policy.saving import render_saving
from ui.state.policy import read_trials


def render_draft(user: User, desk: Desk, wanted: Wanted | None) -> None:
    with st.container(border=True, key="policy_draft", gap="small"):
        base = f"version {desk.version.sequence}" if desk.version else "the project’s files"
        st.subheader("Draft", anchor=False)
        st.caption(f"Over {base}.", help=verbatim(desk.draft.base.version))
        render_notice(DRAFT_PLACE)
        if not desk.edited:
            warm_up(user, desk)
            st.caption(
                "Nothing is changed yet. Take a suggestion, or write an edit of your own under **Edit**: what it fixes "
                "and breaks is shown here before anything is saved."
            )
            return
        _render_edits(desk)
        work = find_effect(user, desk)
        render_effect(user, work)
        with st.container(horizontal=True):
            with st.popover("The change as text", icon=":material/difference:", type="tertiary"):
                st.code(desk.draft.diff, language="diff", wrap_lines=True, height=260)
            render_must_stay(desk.place)
            render_bulk_replay(desk)
        render_saving(user, desk, work, wanted)
        _render_ways_out(desk)


def _render_edits(desk: Desk) -> None:
    for number, edit in enumerate(desk.draft.edits):
        words, button = st.columns([8, 1], vertical_alignment="center")
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
