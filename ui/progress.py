"""Long work on the page: how far it is, how long it will take, and a way to end it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evals.progress import Progress
from ui import background

_POLL_SECONDS = 0.4
_ELSEWHERE_SECONDS = 2.0


@st.fragment(run_every=_POLL_SECONDS)
def render_progress(work_id: str, what: str) -> None:
    """Only draws: the work has a thread of its own. When it has ended, the page runs again and shows the outcome."""
    work = background.find(work_id)
    if work is None:
        st.rerun()
    else:
        bar, button = st.columns([6, 1], vertical_alignment="center")
        bar.progress(work.progress.share, text=describe(work.progress, what))
        button.button(
            "Cancel",
            key=f"cancel-{work_id}",
            icon=":material/stop_circle:",
            on_click=background.cancel,
            args=(work_id,),
            disabled=work.progress.cancelled,
            help="Ends it now. What is finished stays.",
        )


@st.fragment(run_every=_ELSEWHERE_SECONDS)
def render_elsewhere(work_id: str, read: Callable[[], str | None], cancel: Callable[[], None]) -> None:
    """Work of another process: `read` says what is here of it, None once nobody works on it any more. Then the page
    runs again and shows the outcome."""
    words = read()
    if words is None:
        st.rerun()
    text, button = st.columns([6, 1], vertical_alignment="center")
    text.info(f"Another process of the workbench works on this run. {words}", icon=":material/lan:")
    button.button(
        "Cancel",
        key=f"cancel-{work_id}",
        icon=":material/stop_circle:",
        on_click=cancel,
        help="Ends it with its next answers. What is finished stays.",
    )


def describe(progress: Progress, what: str) -> str:
    counted = f"{progress.done:,} of {progress.total:,} {what}"
    if progress.cancelled:
        return f"{counted}, ending …"
    left = progress.seconds_left
    return counted if left is None else f"{counted}, {format_left(left)} left"


def format_left(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
