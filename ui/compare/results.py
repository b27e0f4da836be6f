"""The lower half of Compare: the runs that are kept, the figures of one, and its lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from db.evaluation.comparison_work import is_worked_on_elsewhere
from db.evaluation.comparisons import (
    KEPT_RUNS,
    NAME_LIMIT,
    ComparedLine,
    Comparison,
    Show,
    count_lines,
    find_comparison,
    find_lines,
)
from db.users import User
from domains.loading import TASKS, list_domains, load_domain
from ui.address_controls import render_choice, render_paging, render_segments
from ui.compare import actions
from ui.compare.export import export_csv, export_jsonl
from ui.compare.tables import lines_html, summary_html
from ui.counting import count_of
from ui.kept_runs import choose_run, render_managing, render_problems, tell_ending
from ui.progress import render_elsewhere, render_progress
from ui.resources import load_database, now_here
from ui.state.address import first_page
from ui.state.policy import session_in_link
from ui.words import name_intent

SHOWS: dict[Show, str] = {
    "all": "All",
    "wrong": "Some wrong",
    "right": "All right",
    "differs": "Differ",
    "silent": "One silent",
    "broken": "Broken",
    "agree": "Same",
}
_LONGEST_LINK = 1_500
_EXPORTS: tuple[tuple[str, Callable[[Comparison, Show, str | None], str | bytes], str], ...] = (
    ("CSV", export_csv, "csv"),
    ("JSON Lines", export_jsonl, "jsonl"),
)


def render_empty() -> None:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown("#### Nothing compared yet")
        st.caption(
            "Every run appears here: what each decider would call, line by line, where they differ, and what it took. "
            f"The last {KEPT_RUNS} runs are kept for you."
        )


def render_runs(user: User, runs: tuple[Comparison, ...]) -> Comparison:
    """Choose among the runs that are kept; rename or remove the one chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = choose_run(runs, _describe, f"The last {KEPT_RUNS} runs are kept.", first_page)
        render_managing(run, NAME_LIMIT, partial(actions.rename_run, user), partial(actions.remove_run, user), "lines")
    return run


def _describe(run: Comparison) -> str:
    when = run.created_at.astimezone().strftime("%-d %b %H:%M")
    about = "" if run.domain == TASKS else f" · {run.domain}"
    return f"{run.name}{about} · {count_of(run.total, 'line')} · {when}"


def render_state(user: User, run: Comparison, *, running: bool, elsewhere: bool = False) -> None:
    """What is left to do, or how it ended if it did not end well. `elsewhere`: another process works on it."""
    if running:
        render_progress(run.id, "answers")
    elif elsewhere:
        render_elsewhere(run.id, partial(_read_elsewhere, user, run), partial(actions.end_elsewhere, user, run.id))
    elif run.status != "done":
        st.info(tell_ending(run, "lines", "was stopped with the workbench"), icon=":material/stop_circle:")
    render_problems(run)


def _read_elsewhere(user: User, run: Comparison) -> str | None:
    with load_database().read() as session:
        now = find_comparison(session, user.id, run.id)
        if now is None or not is_worked_on_elsewhere(session, now, now_here()):
            return None
    return f"{now.done:,} of {count_of(now.total, 'line')} are here."


def render_figures(run: Comparison) -> None:
    if run.summary:
        st.html(summary_html(run))


def render_lines(user: User, run: Comparison, *, running: bool) -> None:
    if not run.done:
        st.caption("The lines appear here when the run has ended." if running else "No line was finished.")
        return
    show, intent = _render_filters(run)
    with load_database().read() as session:
        total = count_lines(session, run.id, show, intent)
    if not total:
        st.info("No line fits these filters.", icon=":material/filter_alt_off:")
        return
    table = st.container()
    limit, offset = render_paging(total)
    with load_database().read() as session:
        lines = find_lines(session, run.id, show, intent, limit=limit, offset=offset)
    with table:
        st.html(lines_html(run, lines, lambda line: inspect_link(user, run, line)))
    _render_exports(run, show, intent)


def _render_filters(run: Comparison) -> tuple[Show, str | None]:
    with load_database().read() as session:
        judged = any(entry.get("judged") for entry in run.summary)
        shows = [show for show in SHOWS if judged or show not in ("wrong", "right")]
        counts = {show: count_lines(session, run.id, show) for show in shows}
    with st.container(key="line_filters"):
        segments, intents = st.columns([5, 2], vertical_alignment="center")
    with segments:
        labels = {show: f"{SHOWS[show]} {counts[show]:,}" for show in shows}
        chosen = render_segments("Lines", "only", labels, "all")
    with intents:
        intents_named = {
            "any": "Any intent",
            **{intent: name_intent(intent) for intent in _intents(run)},
        }
        intent = render_choice("Intent", "intent", intents_named, "any")
    return chosen, None if intent == "any" else intent


def _intents(run: Comparison) -> tuple[str, ...]:
    """None of a domain that is there no longer."""
    return load_domain(run.domain).catalogue.intents if run.domain in list_domains() else ()


def inspect_link(user: User, run: Comparison, line: ComparedLine) -> str:
    """A line with a context of its own opens in it; any other with the person's things of the moment."""
    who = {"user": user.handle, **session_in_link()}
    if line.context or len(line.text) > _LONGEST_LINK:
        return f"/inspect?{urlencode({'turn': f'line:{run.id}:{line.line}', **who})}"
    about = {} if run.domain == TASKS else {"domain": run.domain}
    return f"/inspect?{urlencode({'text': line.text, **who, **about})}"


def _render_exports(run: Comparison, show: Show, intent: str | None) -> None:
    with st.container(horizontal=True):
        for label, export, ending in _EXPORTS:
            st.download_button(
                label,
                data=partial(export, run, show, intent),
                file_name=f"comparison-{run.created_at:%Y%m%d-%H%M}.{ending}",
                on_click="ignore",
                icon=":material/download:",
                help="The lines that the filters show, all pages.",
            )
