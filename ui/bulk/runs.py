"""The bulk runs that are kept on this machine: choose one, see how far it is, go on with one that was cut off."""

from __future__ import annotations

import streamlit as st

from ui.bulk.reading import ListedBulkRun, list_bulk_runs
from ui.bulk.starting import go_on
from ui.bulk.words import describe_run, tell_ending, tell_progress, tell_time
from ui.counting import count_of
from ui.kept_runs import choose_run
from ui.markdown import verbatim
from ui.state.address import drop_from_address, first_page
from ui.state.fields import drop_values

CHOSEN = ("meant", "came", "only", "slice", "q", "pair", "sort", "rule", "bulk_view", "who")
"""What was chosen of one run says nothing about another."""
_POLL_SECONDS = 2.0
_COMMAND = 'python -m evals bulk --data "logs/*.jsonl" --policy NEW --against files'


def render_empty() -> None:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown("#### No bulk run yet")
        st.caption(
            "A bulk run decides millions of messages under one policy or two, here or on a cluster. This command in "
            "the terminal starts one, or “Replay big files” in a draft on Policy; its figures and messages come here."
        )
        st.code(_COMMAND, language="bash")


def choose_bulk_run() -> ListedBulkRun | None:
    """None where there is none."""
    runs = list_bulk_runs()
    if not runs:
        render_empty()
        return None
    run = choose_run(runs, describe_run, "Bulk runs are this machine's, for everybody who uses it.", _forget)
    _render_state(run)
    return run


def _forget() -> None:
    drop_values(*CHOSEN)
    for name in CHOSEN:
        drop_from_address(name)
    first_page()


def _render_state(run: ListedBulkRun) -> None:
    files = count_of(len(run.plan.files), "file")
    told = [files, count_of(run.state.bad, "bad line") if run.state.bad else "", tell_time(run.state)]
    versions = "  \n".join(
        f"{verbatim(name)}: {', '.join(own) or 'no policy'}"
        for name, own in zip(run.plan.names, run.plan.versions, strict=True)
    )
    st.caption(" · ".join(part for part in told if part), help=versions)
    if run.worked_on:
        _render_progress(run.id)
    elif run.state.status != "done":
        with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f":material/stop_circle: {verbatim(tell_ending(run.state))}", width="content")
            st.button(
                "Go on",
                key=f"bulk-resume-{run.id}",
                icon=":material/play_arrow:",
                on_click=go_on,
                args=(run.folder,),
                help="Goes on with the shards that are not there yet, in a process of its own.",
            )


@st.fragment(run_every=_POLL_SECONDS)
def _render_progress(run_id: str) -> None:
    """Only looks: a process of its own works on it. When that has ended, the page runs again."""
    run = next((each for each in list_bulk_runs() if each.id == run_id), None)
    if run is None or not run.worked_on:
        st.rerun()
    else:
        share = min(1.0, run.state.read / run.plan.size) if run.plan.size else 0.0
        st.progress(share, text=tell_progress(run))


def render_bad_lines(bad: int, lines: list[dict[str, object]]) -> None:
    if bad:
        with st.expander(f"{count_of(bad, 'line')} could not be used", icon=":material/rule:"):
            st.markdown("\n".join(f"- {_tell_bad_line(each)}" for each in lines))
            if bad > len(lines):
                st.caption(f"The first {len(lines):,} of {bad:,}.")


def _tell_bad_line(line: dict[str, object]) -> str:
    name = str(line["file"]).rpartition("/")[2]
    return f"{verbatim(name)}, line {line['line']}: {verbatim(str(line['problem']))}"
