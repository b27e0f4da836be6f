"""Saving a draft: a note, for whom it counts, a reason where something critical breaks; and what to do where somebody
else was quicker."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from db.policies.versions import NOTE_LIMIT, PolicyVersion
from db.users import User
from engine.editing.edits import read_edit
from engine.policy.values import Policy
from ui.markdown import verbatim
from ui.policy.actions import (
    KEEP_KEY,
    KEPT_REASON,
    NOTE_KEY,
    REASON_KEY,
    SCOPE_KEY,
    SCOPES,
    go_on_top,
    save,
    save_over,
)
from ui.policy.desk import Desk
from ui.policy.edit_words import describe_edit
from ui.policy.message import Wanted
from ui.policy.work import EffectWork
from ui.state.fields import is_drawn, put_text, read_text

_BUTTONS = {
    "everybody": "Save and put in force",
    "session": "Save and use in this session",
    "nobody": "Save for later",
}


def render_saving(user: User, desk: Desk, work: EffectWork, wanted: Wanted | None) -> None:
    """What was written for a version stays where it is while somebody else's change is looked at."""
    st.text_input(
        "Note",
        key=NOTE_KEY,
        max_chars=NOTE_LIMIT,
        placeholder="What it is for (kept with the version)",
        label_visibility="collapsed",
        icon=":material/edit_note:",
    )
    # As the control's own default: a value put under its key is sent to the browser once, and where the page is drawn
    # again at that moment (the effect has come), nothing would look chosen.
    chosen = st.segmented_control(
        "In force for",
        list(SCOPES),
        default="everybody",
        format_func=lambda each: SCOPES[each],
        key=SCOPE_KEY,
        required=True,
        label_visibility="collapsed",
        width="stretch",
        help="For whom the version decides from the next message on. It can be rolled back under Versions.",
    )
    if wanted:
        st.checkbox(
            "Keep the message as a case",
            value=True,
            key=KEEP_KEY,
            help="Then every later draft is tried on it, too, and whoever breaks it is told.",
        )
    lacking = _ask_for_reason(work)
    st.button(
        _BUTTONS[chosen or "everybody"],
        icon=":material/save:",
        type="primary",
        width="stretch",
        on_click=save,
        args=(user, desk, work.effect, wanted),
        disabled=bool(lacking or desk.saved_meanwhile),
        help="Keeps a version with its change, your name and note, and what it was found to fix and break.",
    )
    if desk.saved_meanwhile:
        st.caption("Somebody else has saved since you began: decide above how to go on.")
    if lacking:
        st.caption(lacking)


def _ask_for_reason(work: EffectWork) -> str:
    """What it cannot be saved without yet; empty: it can be saved."""
    if work.effect is None:
        return "It can be saved as soon as its messages were looked at, or with *Stop*."
    critical = len(work.effect.critical)
    if not critical:
        return ""
    words = "message that must not break" if critical == 1 else "messages that must not break"
    st.warning(f"It breaks {critical:,} {words}. Say why it is saved all the same.", icon=":material/gpp_maybe:")
    if not is_drawn(REASON_KEY):  # the field is away while the effect is found anew
        put_text(REASON_KEY, read_text(KEPT_REASON))
    reason = st.text_input("Reason", key=REASON_KEY, max_chars=NOTE_LIMIT, live=True) or ""
    put_text(KEPT_REASON, reason)
    return "" if reason.strip() else "It can be saved with a reason."


def render_meanwhile(user: User, desk: Desk, work: EffectWork, wanted: Wanted | None) -> None:
    """What others have saved since this draft was begun, and the two ways on: before everything else, for nothing is
    saved until that is decided."""
    if not desk.saved_meanwhile:
        return
    latest = desk.saved_meanwhile[-1]
    with st.container(border=True, key="policy_meanwhile", gap="small"):
        st.warning(
            f"Not saved: **{verbatim(latest.author)}** has saved version {latest.sequence} since you began. Look at "
            "the change, then decide.",
            icon=":material/call_split:",
        )
        for version in desk.saved_meanwhile:
            _render_change(version, desk.draft.base)
        with st.container(horizontal=True):
            st.button(
                "Make my edits on top of it",
                icon=":material/merge:",
                type="primary",
                on_click=go_on_top,
                args=(desk,),
                help="Both changes stay. The effect is found anew, then you save.",
            )
            st.button(
                "Save mine instead",
                on_click=save_over,
                args=(user, desk, work.effect, wanted),
                disabled=_lacks_something(work),
                help="The version becomes the latest without the other's change, which stays in the list of versions.",
            )


def _render_change(version: PolicyVersion, policy: Policy) -> None:
    """In words, as edits of one's own are told; as text it stands behind that."""
    note = f": “{verbatim(version.note)}”" if version.note else ""
    st.markdown(f"**Version {version.sequence}** by {verbatim(version.author)}{note}")
    for data in version.edits:
        with suppress(ValueError):  # of another release
            st.markdown(f"- {verbatim(describe_edit(read_edit(data), policy))}")
    with st.popover("The change as text", icon=":material/difference:", type="tertiary", key=f"meanwhile-{version.id}"):
        st.code(version.diff or "no change", language="diff", wrap_lines=True, height=240)


def _lacks_something(work: EffectWork) -> bool:
    """As the field below says: the effect, or a reason."""
    return work.effect is None or (
        bool(work.effect.critical) and not (read_text(REASON_KEY) or read_text(KEPT_REASON)).strip()
    )
