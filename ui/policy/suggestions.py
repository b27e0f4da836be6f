"""Suggested fixes on the page: each mends the message, was run on everything else, and is one click from the draft."""

from __future__ import annotations

import json

import streamlit as st

from db.users import User
from domains.loading import load_domain
from engine.editing.edits import tell_edit
from evals.suggesting.search import SuggestedEdit
from ui.counting import count_of
from ui.policy.actions import put_in
from ui.policy.bases import find_base
from ui.policy.desk import Desk
from ui.policy.edit_words import describe_edit
from ui.policy.effects import show_row
from ui.policy.message import Wanted
from ui.policy.must_stay import read_added
from ui.policy.own_message import OwnMessage, misread_of
from ui.policy.work import SuggestWork, start_latest
from ui.templates import draw
from ui.turns.headline import headline

_FIRST_LOOK_SECONDS = 0.6
_POLL_SECONDS = 0.5
_MOST_ROWS = 8


def render_suggestions(user: User, desk: Desk, wanted: Wanted) -> None:
    """Nothing where the draft mends the message already."""
    misread = misread_of(wanted)
    if misread.passes(wanted.decider(desk.draft.policy)):
        return
    base = find_base(user, desk.draft, read_added(desk.place))
    asked = json.dumps([wanted.text, wanted.intent, wanted.values, wanted.source])
    key = ("suggest", id(base), desk.draft.digest, asked)
    work = start_latest("search", key, lambda: SuggestWork(base, desk.draft, misread))
    work.shown.wait(_FIRST_LOOK_SECONDS)
    st.subheader("Suggested fixes", anchor=False)
    if work.ended.is_set():
        _render_found(user, desk, wanted, work)
    else:
        _render_search(work)


@st.fragment(run_every=_POLL_SECONDS)
def _render_search(work: SuggestWork) -> None:
    if work.ended.is_set():
        st.rerun()
    st.caption(":material/hourglass_top: Trying small edits on this message, and on everything else known …")


def _render_found(user: User, desk: Desk, wanted: Wanted, work: SuggestWork) -> None:
    found = work.found
    if found is None:
        st.error("The search ended with an error; the log says why.", icon=":material/error:")
        return
    if found.told:
        st.warning(found.told, icon=":material/gpp_maybe:")
    for number, each in enumerate(found.found):
        _render_one(user, desk, wanted, each, number)
    played = "" if load_domain(desk.domain).conduct else "; conversations are played once it is in the draft"
    st.caption(
        f"{count_of(found.tried, 'edit')} tried in {found.seconds:.1f} s, {found.mended:,} would mend the message"
        f"{'' if found.complete else '; the search ended early'}. Each was run on every case, saved case and turn that "
        f"it can touch{played}."
    )


def tell_verdict(each: SuggestedEdit) -> str:
    if each.effect.broken:
        return "✗ breaks something"
    return "✓ breaks no message" if each.safe else "? not all was looked at"


def _render_one(user: User, desk: Desk, wanted: Wanted, each: SuggestedEdit, number: int) -> None:
    with st.container(border=True, gap="xsmall"):
        words, button = st.columns([5, 2], vertical_alignment="center")
        effect, own = each.effect, OwnMessage(None, wanted.text)
        changed = own.rows_of(effect, "changed")
        shown = {
            "told": describe_edit(each.edit, each.draft.policy),
            "code": tell_edit(each.edit),
            "then": headline(wanted.decider(each.draft.policy).decide(wanted.text, wanted.context), wanted.context),
            "mark": "tl-agree" if each.safe else "tl-differ",
            "verdict": tell_verdict(each),
            "fixed": len(effect.fixed),
            "broken": len(effect.broken),
            "changed": len(changed),
        }
        words.html(draw("policy/suggestions", "suggestion", shown))
        button.button(
            "Put into the draft",
            key=f"suggestion-{number}-{desk.draft.digest}",
            icon=":material/add:",
            type="primary" if number == 0 and each.safe else "secondary",
            width="stretch",
            on_click=put_in,
            args=(desk, each.edit),
        )
        ordered = (*effect.broken, *effect.fixed, *changed)
        if ordered:
            rows = [show_row(user, row) for row in ordered[:_MOST_ROWS]]
            st.html(draw("policy/suggestions", "touched", rows, len(ordered)))
