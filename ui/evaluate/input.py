"""A new run: which cases, who decides them, and the button."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from db.evaluation.sets import NAME_LIMIT
from db.users import User
from evals.evaluate.data_sets import DataSet
from evals.evaluate.room import find_problem
from evals.evaluate.slices import SLICE_WORDS
from evals.line_files import LINE_LIMIT
from ui.deciding.panel import render_deciders
from ui.domain_choice import choose_domain
from ui.evaluate import actions, data_sets, deciders
from ui.evaluate.words import count_cases, name_slice
from ui.markdown import verbatim
from ui.notices import render_notice

_SHOWN_PROBLEMS = 8
_FILE_HELP = (
    f"JSON Lines or CSV, at most {LINE_LIMIT:,} lines. Each has a `text`, and says by `intent` or `tool` what should "
    "come of it; besides `arguments`, `target`, `action`, `context`, `tags`, `severity` and `id` as you like."
)

_WHO_HELP = (
    "Several run side by side over the same cases. “Baseline” counts keywords, as the first specification describes "
    "it. The drivers are whole: who is asked, and who may act."
)


def render_input(user: User, *, busy: bool) -> None:
    cases, who = st.columns([4, 3], gap="medium")
    with cases:
        choose_domain("What the cases are about: whose cases, and whose deciders.")
        data_set = _render_sets(user)
    with who:
        render_deciders(deciders.CHOICE, _WHO_HELP)
        _render_start(user, data_set, busy=busy)


def _render_sets(user: User) -> DataSet:
    options = data_sets.read_options()
    data_sets.start_choice()
    st.multiselect(
        "Cases",
        list(options),
        default=data_sets.read_choice(),
        format_func=lambda name: options.get(name, name),
        key=data_sets.SETS_KEY,
        on_change=data_sets.take_choice,
        placeholder="Choose data sets",
        help="**Our cases** come with the workbench, **blind conversations** are by writers who saw neither code nor "
        "cases (a few minutes), **saved cases** are those you kept on Inspect and History, "
        "**reviewed turns** those whose verdict on History says what was right. Several are joined; a case that is in "
        "two of them counts once.",
    )
    if "file" in data_sets.read_choice():
        st.file_uploader(
            "A file of labelled messages", type=["jsonl", "ndjson", "csv"], key=data_sets.FILE_KEY, help=_FILE_HELP
        )
    whole = data_sets.read_whole(user)
    _render_narrowing(whole)
    data_set = data_sets.narrow_by_choice(whole)
    _render_summary(data_set, len(whole.cases))
    return data_set


def _render_narrowing(whole: DataSet) -> None:
    options = data_sets.narrowing_options(whole)
    for name, column in zip(options, st.columns(max(1, len(options))), strict=False):
        counts = options[name]
        column.multiselect(
            SLICE_WORDS[name],
            list(counts),
            format_func=partial(_with_count, name, counts),
            key=data_sets.NARROW_KEYS[name],
            placeholder="All",
        )


def _with_count(part: str, counts: Mapping[str, int], value: str) -> str:
    return f"{name_slice(part, value)} · {counts.get(value, 0):,}"


def _render_summary(data_set: DataSet, whole: int) -> None:
    if data_set.problems:
        shown = "".join(f"\n- {verbatim(problem)}" for problem in data_set.problems[:_SHOWN_PROBLEMS])
        more = len(data_set.problems) - _SHOWN_PROBLEMS
        tail = f"\n- and {more:,} more" if more > 0 else ""
        st.warning(f"These lines cannot be used; the rest will be run:\n{shown}{tail}", icon=":material/rule:")
    if not data_set.cases:
        st.caption(_why_empty())
        return
    part = "" if len(data_set.cases) == whole else f" of {whole:,}"
    st.caption(f"{count_cases(len(data_set.cases))}{part} · fingerprint `{data_set.short_fingerprint}`")


def _why_empty() -> str:
    chosen = data_sets.read_choice()
    if not chosen:
        return "Choose at least one data set."
    if chosen == ["file"]:
        return "Choose a file: its lines appear here, and every bad line by its number."
    if set(chosen) <= {"saved", "reviewed"}:
        return "You have none yet. “This is wrong…” on Inspect saves a case; Review on History judges turns."
    return "No case fits. Take a choice off."


def _render_start(user: User, data_set: DataSet, *, busy: bool) -> None:
    specs = deciders.chosen_specs()
    problem = find_problem(data_set, specs)
    st.text_input(
        "Name of the run",
        key=actions.NAME_KEY,
        max_chars=NAME_LIMIT,
        placeholder=f"Name of this run: {data_set.name}" if data_set.cases else "Name of this run (optional)",
        label_visibility="collapsed",
    )
    count = len(data_set.cases)
    st.button(
        f"Run {count_cases(count)}" if count else "Run",
        key="start_run",
        type="primary",
        icon=":material/play_arrow:",
        on_click=actions.start_run,
        args=(user,),
        disabled=busy or problem is not None,
        help="A run is under way." if busy else problem or "Runs in the background; you can leave the page.",
    )
    if problem and data_set.cases:
        st.caption(verbatim(problem))
    render_notice(actions.PLACE)
