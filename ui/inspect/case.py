"""“This is wrong”: what it should have been, kept as a case."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from db.evaluation.cases import save_case
from db.users import User
from engine.explaining.anatomy import Anatomy
from evals.reviews import context_of_case
from evals.saved_cases import write_case
from ui.given.arguments import arguments_of
from ui.given.message import InspectInput, make_context
from ui.inspect.copy import make_expectation, make_label
from ui.inspect.saved import judge_case
from ui.inspect.verdict import WRONG_PANEL
from ui.inspect.words import ACTION_NAMES
from ui.markdown import verbatim
from ui.problem_words import tell_problem
from ui.resources import load_database
from ui.state.fields import is_open, set_open
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.words import label_intents, name_intent, name_one

_ANY = "any"
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
        case, new = save_case(session, user.id, given.text, context, expected)
    set_open(WRONG_PANEL, False)
    result = judge_case(case, given.domain)
    told = "Saved as a case" if new else "This case was saved already and is kept once"
    today = "it passes today" if result.passed else f"it fails today: {'; '.join(map(tell_problem, result.problems))}"
    put_notice(Notice("success", f"{told}; {today}."))
