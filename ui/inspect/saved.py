"""The cases that somebody saved: whether each passes today, and all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from db.evaluation.cases import SavedCase, count_cases, list_cases, remove_case
from db.users import User
from domains.loading import TASKS, load_domain
from engine.decision import Decider
from evals.saved_cases import Label, write_case_file
from evals.saved_results import SavedResult, run_saved_case
from ui.call_words import show_day
from ui.inspect.context import open_case
from ui.lanes import domain_engine
from ui.markdown import verbatim
from ui.problem_words import tell_problem
from ui.resources import load_database
from ui.state.fields import is_open, set_open
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.words import name_intent

_LISTED = 20
_RUN_ALL = "all_saved_cases"


def judge_case(case: SavedCase, domain: str) -> SavedResult:
    """Under what decides in this session now."""
    decider = domain_engine(load_domain(domain))
    return _judge(_Once(case), decider)  # type: ignore[arg-type]  # a decider is one of a kind


class _Once:
    """A case as a key: by what it says, however often it is read from the store."""

    def __init__(self, case: SavedCase) -> None:
        self.case = case

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Once) and other.case.digest == self.case.digest

    def __hash__(self) -> int:
        return hash(self.case.digest)


@lru_cache(maxsize=2_000)
def _judge(case: _Once, decider: Decider) -> SavedResult:
    """Kept: the page runs again at every letter. An edited policy is another decider."""
    return run_saved_case(case.case, decider)


def render_saved_cases(user: User, domain: str) -> None:
    with load_database().read() as session:
        total = count_cases(session, user.id, domain=domain)
        every = is_open(_RUN_ALL)
        cases = list_cases(session, user.id, domain=domain, limit=None if every else _LISTED)
    st.markdown(f"### Saved cases ({total})")
    if not cases:
        st.caption("None yet. “This is wrong…” keeps a message with what it should have been.")
        return
    results = [(case, judge_case(case, domain)) for case in cases]
    _render_count(results, total, every=every)
    ordered = sorted(results, key=lambda each: each[1].passed) if every else results
    for case, result in ordered[:_LISTED]:
        _render_case(user, case, result)
    if total > _LISTED:
        st.caption(f"… and {total - _LISTED} more, all of them in the file.")
    _render_ways_out(user, domain, total)


def _render_count(results: Sequence[tuple[SavedCase, SavedResult]], total: int, *, every: bool) -> None:
    passed = sum(result.passed for _, result in results)
    shown = len(results)
    of = "" if shown == total else f" of the latest {shown}"
    failing = shown - passed
    told = f"{passed} pass{'es' if passed == 1 else ''} today, {failing} do{'es' if failing == 1 else ''} not"
    st.caption(f"{told}{of}." + (" Those that do not come first." if every and failing else ""))


def _render_case(user: User, case: SavedCase, result: SavedResult) -> None:
    words, mark, moment, again, button = st.columns([10, 4, 4, 3, 3], vertical_alignment="center")
    words.markdown(f"“{verbatim(' '.join(case.text.split())[:120])}” should be **{_intents(case.expected)}**")
    mark.markdown(
        ":material/check: passes today" if result.passed else ":material/close: **fails today**",
        help=None if result.passed else verbatim("; ".join(map(tell_problem, result.problems))),
    )
    moment.caption(show_day(f"{case.created_at:%Y-%m-%dT%H:%M}"))
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


def _render_ways_out(user: User, domain: str, total: int) -> None:
    with st.container(horizontal=True):
        if total > _LISTED:
            st.button(
                "Run all of them",
                icon=":material/play_arrow:",
                key="run_saved",
                on_click=set_open,
                args=(_RUN_ALL, True),
                help=f"All {total:,}, not only the latest {_LISTED}; those that fail come first.",
            )
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
