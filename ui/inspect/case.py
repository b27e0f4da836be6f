"""“This is wrong”: what it should have been, kept as a case; and the cases kept so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from db.evaluation.cases import count_cases, list_cases, remove_case, save_case
from db.users import User
from domains.loading import TASKS
from engine.explaining.anatomy import Anatomy
from evals.reviews import context_of_case
from evals.saved_cases import Label, write_case, write_case_file
from ui.given.arguments import arguments_of
from ui.given.message import InspectInput, make_context
from ui.inspect.context import open_case
from ui.inspect.copy import make_expectation, make_label
from ui.inspect.verdict import WRONG_PANEL
from ui.inspect.words import ACTION_NAMES
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.fields import is_open, set_open
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.words import label_intents, name_intent, name_one

_ANY = "any"
_LISTED = 20
_MOST_THINGS = 500


def render_correction(user: User, given: InspectInput, anatomy: Anatomy) -> None:
    """The form, where it is open: intent, then whatever its tool takes, then save."""
    if not is_open(WRONG_PANEL):
        return
    with st.container(border=True):
        intent = st.pills(
            "It should have been", list(label_intents(given.domain)), format_func=name_intent, key="wrong_intent"
        )
        expected, problem = _render_details(intent, given, anatomy) if intent else ({}, "")
        if problem:
            st.error(verbatim(problem))
        with st.container(horizontal=True):
            ready = bool(intent) and not problem
            if st.button("Save case", icon=":material/save:", type="primary", disabled=not ready):
                _save(user, given, expected)
                st.rerun()
            if ready:
                with st.popover("As a test", icon=":material/content_copy:"):
                    st.code(write_case(make_label(given, expected)), language="yaml", height=320)
            st.button("Cancel", on_click=set_open, args=(WRONG_PANEL, False))


def _render_details(intent: str, given: InspectInput, anatomy: Anatomy) -> tuple[dict[str, Any], str]:
    left, right = st.columns([2, 3], gap="medium")
    with left:
        names: dict[str, str] = {
            _ANY: "Any way that fits",
            **{str(name): words for name, words in ACTION_NAMES.items()},
        }
        action = st.selectbox("And then", list(names), format_func=lambda name: names[name], key="wrong_action")
        task_id = _render_target(given, anatomy) if intent in anatomy.policy.catalogue.on_target else None
    with right:
        values, absent = _render_arguments(intent, anatomy, given.domain)
    return make_expectation(intent, "" if action in (None, _ANY) else action, task_id, values, absent)


def _render_target(given: InspectInput, anatomy: Anatomy) -> str | None:
    one, numbered = name_one(given.domain), anatomy.policy.catalogue.numbered
    things = make_context(given.context_wire, given.domain).tasks.recent(_MOST_THINGS)
    ordered = sorted(things, key=lambda thing: thing.number)
    titles = {each.id: f"#{each.number} {each.title}" if numbered else each.title for each in ordered}
    read = next((str(each.task_id) for each in anatomy.decision.references if each.task_id), _ANY)
    options = [_ANY, *titles]
    start = options.index(read) if read in options else 0
    chosen = st.selectbox(
        f"On which {one}",
        options,
        index=start,
        format_func=lambda each: titles.get(each, f"Any {one}"),
        key=f"wrong_task-{read}",
    )
    return None if chosen == _ANY else chosen


def _render_arguments(intent: str, anatomy: Anatomy, domain: str) -> tuple[dict[str, str], list[str]]:
    names = arguments_of(intent, domain)
    if not names:
        st.caption("Its tool takes no arguments." if intent != "unknown" else "Nothing is to be called.")
        return {}, []
    calls = anatomy.decision.calls or ((anatomy.decision.pending.call,) if anatomy.decision.pending else ())
    read = calls[0].parameters if calls else {}
    rows = [{"argument": name, "value": str(read.get(name, "")), "absent": False} for name in names]
    frame = st.data_editor(
        pd.DataFrame(rows),
        key=f"wrong-arguments-{intent}-{anatomy.text}",
        hide_index=True,
        disabled=["argument"],
        alt="The arguments that were expected",
        column_config={
            "argument": st.column_config.TextColumn("Argument", width=110),
            "value": st.column_config.TextColumn("Value", help="Empty: any value will do."),
            "absent": st.column_config.CheckboxColumn("Must be absent", width=110),
        },
    )
    records = frame.to_dict("records")
    values = {str(row["argument"]): str(row["value"] or "") for row in records}
    return values, [str(row["argument"]) for row in records if row["absent"]]


def _save(user: User, given: InspectInput, expected: dict[str, Any]) -> None:
    with load_database().write() as session:
        context = context_of_case(given.context_wire, given.domain)
        _, new = save_case(session, user.id, given.text, context, expected)
    set_open(WRONG_PANEL, False)
    told = "Saved as a case." if new else "This case was saved already; it is kept once."
    put_notice(Notice("success", told))


def render_saved_cases(user: User, domain: str) -> None:
    with load_database().read() as session:
        total = count_cases(session, user.id, domain=domain)
        cases = list_cases(session, user.id, domain=domain, limit=_LISTED)
    st.markdown(f"### Saved cases ({total})")
    if not cases:
        st.caption("None yet. “This is wrong…” keeps a message with what it should have been.")
        return
    for case in cases:
        words, moment, again, button = st.columns([7, 2, 1, 1], vertical_alignment="center")
        words.markdown(f"“{verbatim(' '.join(case.text.split())[:120])}” should be **{_intents(case.expected)}**")
        moment.caption(f"{case.created_at:%Y-%m-%d %H:%M}")
        again.button(
            "Open",
            key=f"open-{case.id}",
            type="tertiary",
            help="Takes it apart in its own context.",
            on_click=open_case,
            args=(user, case),
        )
        button.button(
            "Remove",
            key=f"remove-{case.id}",
            type="tertiary",
            help="Takes it off the list.",
            on_click=_remove,
            args=(user, case.id),
        )
    if total > len(cases):
        st.caption(f"… and {total - len(cases)} more, all of them in the file.")
    st.download_button(
        "Export as a case file",
        data=lambda: _export(user, domain),
        file_name=f"saved-{user.handle}{'' if domain == TASKS else f'-{domain}'}.yaml",
        mime="application/yaml",
        on_click="ignore",
        icon=":material/download:",
        help=f"Run it with: python -m evals{'' if domain == TASKS else f' --domain {domain}'} --cases FILE",
    )


def _intents(expected: Mapping[str, Any]) -> str:
    """Where a review found both lanes right, either intent will do."""
    intent = expected["intent"]
    return " or ".join(name_intent(each) for each in (intent if isinstance(intent, list) else [intent]))


def _export(user: User, domain: str) -> str:
    with load_database().read() as session:
        cases = list_cases(session, user.id, domain=domain)
    labels = [Label(case.text, case.context, case.expected, case.digest) for case in reversed(cases)]
    return write_case_file(labels, domain)


def _remove(user: User, case_id: str) -> None:
    with load_database().write() as session:
        remove_case(session, user.id, case_id)
    put_notice(Notice("success", "The case was removed."))
