"""The runs that are kept: choose one, name it, make it the baseline, remove it; and how far it is."""

from __future__ import annotations

from functools import partial

import streamlit as st

from db.evaluation.run_values import KeptRun
from db.evaluation.runs import KEPT_RUNS, find_run, is_interrupted
from db.evaluation.sets import NAME_LIMIT
from db.users import User
from ui.counting import count_of
from ui.evaluate import actions
from ui.evaluate.exporting import render_exports
from ui.evaluate.words import describe_run
from ui.kept_runs import choose_run, render_managing, render_problems, tell_ending
from ui.markdown import verbatim
from ui.progress import render_elsewhere, render_progress
from ui.resources import load_database


def render_empty() -> None:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown("#### No run yet")
        st.caption(
            "Choose cases and deciders above and press Run: our own cases through engine and baseline take some "
            "seconds. Every run is kept with its figures, can be held against another, and leaves as one page to send "
            f"around. The last {KEPT_RUNS} are kept for you."
        )


def render_runs(user: User, runs: tuple[KeptRun, ...]) -> KeptRun:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        told = f"The last {KEPT_RUNS} runs are kept, ★ is the baseline."
        run = choose_run(runs, describe_run, told, actions.forget_choices)
        render_exports(user, run, runs)
        _render_baseline(user, run)
        render_managing(run, NAME_LIMIT, partial(actions.rename, user), partial(actions.remove, user), "results")
    return run


def _render_baseline(user: User, run: KeptRun) -> None:
    st.button(
        "Is the baseline" if run.is_baseline else "Make baseline",
        key=f"baseline-{run.id}",
        icon=":material/star:" if run.is_baseline else ":material/star_border:",
        on_click=actions.set_baseline,
        args=(user, run.id, not run.is_baseline),
        help="Press to have none again."
        if run.is_baseline
        else "Other runs are held against it; it is never tidied up.",
    )


def render_state(user: User, run: KeptRun, *, running: bool, interrupted: bool) -> None:
    """What a run is about, and what is left to do, or how it ended if it did not end well."""
    part = " · a part of another run, run again" if run.part_of else ""
    st.caption(
        f"{verbatim(', '.join(run.labels))} on {verbatim(run.set_name)} · fingerprint `{run.fingerprint[:12]}`{part}",
        help=_list_policies(run),
    )
    if running:
        render_progress(run.id, "answers")
    elif run.status == "running" and not interrupted:
        render_elsewhere(run.id, partial(_read_elsewhere, user, run), partial(actions.end_elsewhere, user, run.id))
    elif run.status != "done":
        _render_ending(user, run)
    render_problems(run)


def _read_elsewhere(user: User, run: KeptRun) -> str | None:
    with load_database().read() as session:
        now = find_run(session, user.id, run.id)
    if now is None or now.status != "running" or is_interrupted(now):
        return None
    return f"{now.done:,} of {count_of(now.total, 'answer')} are here."


def _list_policies(run: KeptRun) -> str | None:
    """Which policies each decider ran under."""
    told = [f"{each['label']}: {each['version']}" for each in run.deciders if each.get("version")]
    return "  \n".join(verbatim(each) for each in told) or None


def _render_ending(user: User, run: KeptRun) -> None:
    told = tell_ending(run, "answers", "was cut off when the workbench stopped")
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":material/stop_circle: {told}", width="content")
        st.button(
            "Go on",
            key=f"resume-{run.id}",
            icon=":material/play_arrow:",
            on_click=actions.resume,
            args=(user, run.id),
            help="Goes on where it stopped; what is there is not asked again.",
        )
