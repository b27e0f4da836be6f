"""Messages of files that a draft must leave silent, or as they are: a public set, somebody's log."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from evals.effect.probes import Probe, probe_file
from ui.counting import count_of
from ui.state.fields import put_value, read_value
from ui.state.policy import PolicyPlace

Stays = Literal["silent", "same"]
MOST_LINES = 100_000
_STAYS: dict[Stays, str] = {"silent": "Must stay silent", "same": "Must stay as it is"}
_KEY, _FILE_KEY, _KIND_KEY = "policy_must_stay", "policy_must_stay_file", "policy_must_stay_kind"


def read_added(place: PolicyPlace) -> tuple[Probe, ...]:
    """Those that this session added for a domain and language."""
    added: dict[PolicyPlace, tuple[Probe, ...]] = read_value(_KEY) or {}
    return added.get(place, ())


def keep_added(place: PolicyPlace, probes: tuple[Probe, ...]) -> None:
    put_value(_KEY, {**(read_value(_KEY) or {}), place: probes})


def read_messages(content: bytes) -> list[str]:
    """One a line; what is beyond the limit is left out."""
    lines = content.decode("utf-8-sig", errors="replace").split("\n")
    return [line.strip() for line in lines if line.strip()][:MOST_LINES]


def render_must_stay(place: PolicyPlace) -> None:
    added = read_added(place)
    label = f"{count_of(len(added), 'message')} that must stay" if added else "Messages that must stay"
    with st.popover(label, icon=":material/shield:", type="tertiary"):
        st.caption(
            f"A text file with one message a line, up to {MOST_LINES:,}. The draft is tried on them, too: **silent** "
            "ones must not become requests, the others must be decided as they are now. For this session."
        )
        kind = st.segmented_control(
            "They", list(_STAYS), format_func=lambda each: _STAYS[each], key=_KIND_KEY, default="silent", required=True
        )
        file = st.file_uploader("Messages", type=["txt", "log"], key=_FILE_KEY, label_visibility="collapsed")
        if file and st.button("Add them", type="primary", icon=":material/add:"):
            domain, language = place
            texts = read_messages(file.getvalue())
            keep_added(place, (*added, *probe_file(texts, file.name, kind or "silent", domain, language)))
            st.rerun()
        if added:
            st.button("Leave them all out", type="tertiary", on_click=keep_added, args=(place, ()))
