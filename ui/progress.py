"""Long work on the page: how far it is, how long it will take, and a way to end it."""

from __future__ import annotations

import streamlit as st

from evals.progress import Progress
from ui import background

_POLL_SECONDS = 0.4


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
