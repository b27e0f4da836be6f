"""One rule of a policy, whole, with what can be done about it."""

from __future__ import annotations

import streamlit as st

from engine.editing.edits import RemovePattern, RemovePhrase
from evals.worth import RuleWorth
from ui.counting import count_of
from ui.policy.actions import put_in
from ui.policy.desk import Desk
from ui.policy.entries import PolicyEntry
from ui.policy.forms import render_pattern_form, render_phrase_form, render_threshold_form, render_weight_form
from ui.policy.text import open_file
from ui.state.fields import read_value
from ui.templates import draw


def render_entry(desk: Desk, entry: PolicyEntry, worth: RuleWorth | None) -> None:
    with st.container(border=True, gap="small"):
        st.html(draw("policy/entry", "entry", entry, _tell_worth(worth)))
        if entry.section == "frames":
            intent = next(frame.intent for frame in desk.draft.policy.frames if frame.id == entry.name)
            _render_removal(desk, entry, "pattern", lambda line: RemovePattern(intent, entry.name, line))
            render_pattern_form(desk, intent=intent, frame=entry.name)
        elif entry.section == "words":
            _render_removal(desk, entry, "phrase", lambda line: RemovePhrase(entry.name, line))
            render_phrase_form(desk, class_name=entry.name)
        elif entry.section == "thresholds":
            render_threshold_form(desk, entry.name)
        elif entry.section == "weights":
            render_weight_form(desk, entry.name)
        file = entry.place.partition(" ")[0].partition("/")[2]
        if entry.section != "weights" and file in desk.draft.after:
            st.button(f"Open {file} as text", icon=":material/code:", type="tertiary", on_click=open_file, args=(file,))
        elif entry.place.startswith("languages/"):
            st.caption("It stands in what all domains say in this language; an edit makes this domain's own of it.")


def _tell_worth(worth: RuleWorth | None) -> str:
    if worth is None:
        return ""
    if not worth.fires:
        return "It fires on no message of the cases."
    if worth.kind == "words":
        unsaid = f" Said in none: {worth.unused} of its {count_of(worth.patterns, 'phrase')}." if worth.unused else ""
        return f"Said in {count_of(worth.fires, 'message')} of the cases.{unsaid}"
    wrong = f" Wrong in: {', '.join(worth.wrong_messages[:5])}." if worth.wrong_messages else ""
    alone = "" if worth.kind == "weight" else f", alone in {worth.alone}"
    return f"Fires on {worth.fires}, right in {worth.right}{alone}.{wrong}"


def _render_removal(desk: Desk, entry: PolicyEntry, what: str, make: object) -> None:
    key = f"remove-{entry.section}-{entry.name}-{desk.draft.digest}"
    choice, button = st.columns([4, 1], vertical_alignment="bottom")
    choice.selectbox(
        f"Take a {what} out", entry.lines, index=None, key=key, placeholder=f"Choose a {what}", filter_mode="contains"
    )
    button.button(
        "Take out",
        key=f"{key}-go",
        width="stretch",
        disabled=not read_value(key),
        on_click=lambda: put_in(desk, make(str(read_value(key)))),  # type: ignore[operator]
    )
