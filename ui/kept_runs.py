"""Runs that are kept, as Compare and Evaluate list them: choose one, name it, remove it, and what could not be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import streamlit as st

from ui.counting import count_of
from ui.markdown import verbatim
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import place_of, start_value

RUN_KEY = "run"
_MOST_PROBLEMS = 200
_ENDINGS = {"cancelled": "was cancelled", "failed": "failed; the details are in the log"}


class ListedRun(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def problems(self) -> tuple[str, ...]: ...


R = TypeVar("R", bound=ListedRun)


def choose_run(runs: Sequence[R], describe: Callable[[R], str], help_text: str, on_change: Callable[[], None]) -> R:
    """The newest, unless the address or somebody names another one."""
    named = {run.id: run for run in runs}
    start_from_address(RUN_KEY, list(named), runs[0].id)
    chosen = st.selectbox(
        "Run",
        list(named),
        index=place_of(RUN_KEY, list(named)),
        format_func=lambda run_id: describe(named[run_id]) if run_id in named else "",
        key=RUN_KEY,
        on_change=on_change,
        help=f"{help_text} The address keeps the choice.",
    )
    show_in_address(RUN_KEY, runs[0].id)
    return named[chosen or runs[0].id]


def render_managing(
    run: ListedRun, most: int, rename: Callable[[str, str], None], remove: Callable[[str], None], what: str
) -> None:
    """What is rarely needed, behind one button: the choice of a run needs the room. `rename` is told the run and the
    field with its name."""
    with st.popover("Manage", icon=":material/more_horiz:"):
        with st.form(f"rename-{run.id}", border=False):
            key = f"rename_run_{run.id}"
            start_value(key, run.name)
            st.text_input("Name", key=key, max_chars=most)
            st.form_submit_button("Rename", on_click=rename, args=(run.id, key))
        st.divider()
        st.caption(f"The run and its {what} go. This cannot be undone.")
        st.button("Remove this run", icon=":material/delete:", on_click=remove, args=(run.id,))


def tell_ending(run: ListedRun, what: str, stopped: str) -> str:
    """How a run ended that did not end well. `stopped`: where nobody works on it any more."""
    return f"This run {_ENDINGS.get(run.status, stopped)}. {run.done:,} of {run.total:,} {what} are here."


def render_problems(run: ListedRun) -> None:
    if run.problems:
        with st.expander(f"{count_of(len(run.problems), 'line')} could not be used", icon=":material/rule:"):
            st.markdown("\n".join(f"- {verbatim(problem)}" for problem in run.problems[:_MOST_PROBLEMS]))
