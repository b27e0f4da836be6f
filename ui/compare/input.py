"""The upper half of Compare: the messages, who decides them, and the button."""

from __future__ import annotations

import streamlit as st

from db.evaluation.comparisons import NAME_LIMIT
from db.users import User
from domains.loading import load_domain
from evals.line_files import LINE_LIMIT, Lines
from ui.compare import actions, deciders
from ui.counting import count_of
from ui.deciding.choosing import read_domain
from ui.deciding.panel import render_deciders
from ui.domain_choice import choose_domain
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.state.fields import read_text, read_value, start_value
from ui.title_row import title_row

SOURCES = {"text": "Type or paste", "file": "File", "saved": "Saved cases"}
_SHOWN_PROBLEMS = 8
_WHO_HELP = (
    "The others are held against the first one chosen. “Engine” has this session's thresholds, “Baseline” counts "
    "keywords (of tasks only), “LLM” is the model of this session."
)
_DOMAIN_HELP = "What the messages are about: whose tools and deciders, and your own things as the context."


def render_head() -> None:
    with title_row("Compare"):
        choose_domain(_DOMAIN_HELP, labelled=False)


def render_input(user: User, *, busy: bool) -> None:
    messages, who = st.columns([4, 3], gap="medium")
    with messages:
        lines = _render_messages(user)
    with who:
        render_deciders(deciders.CHOICE, _WHO_HELP)
        st.text_input(
            "Name",
            key=actions.NAME_KEY,
            max_chars=NAME_LIMIT,
            placeholder="Name of this run (optional)",
            label_visibility="collapsed",
        )
        count = len(lines.found)
        st.button(
            f"Compare {count_of(count, 'line')}" if count else "Compare",
            type="primary",
            icon=":material/compare_arrows:",
            on_click=actions.start_run,
            args=(user,),
            disabled=busy,
            help="A run is under way." if busy else "Runs in the background; you can leave the page.",
        )
        render_notice(actions.PLACE)


def _render_messages(user: User) -> Lines:
    domain = load_domain(read_domain())
    label = domain.label
    start_value(actions.SOURCE_KEY, read_value(actions.KEPT_SOURCE) or "text")
    source = st.segmented_control(
        "Messages",
        list(SOURCES),
        default=read_value(actions.SOURCE_KEY),
        format_func=lambda name: SOURCES[name],
        required=True,
        key=actions.SOURCE_KEY,
        on_change=actions.keep_source,
        help=f"One message a line. Your own {label.lower()} are the context, unless a line of a JSONL file brings its "
        "own, and a history, as for `python -m engine decide`. A column “expected” (after a tab in pasted lines) "
        f"says what a message should come to: “{domain.catalogue.tools[0].label}”, “nothing”; then right and wrong "
        "are shown.",
    )
    actions.keep_source()
    if source == "file":
        st.file_uploader(
            "A file with messages",
            type=["csv", "jsonl", "ndjson", "txt"],
            key=actions.FILE_KEY,
            label_visibility="collapsed",
            help=f"CSV with a column “text” or “message” and, if you like, “expected”; JSON Lines, or plain lines; "
            f"at most {LINE_LIMIT:,}.",
        )
    elif source == "text":
        start_value(actions.TEXT_KEY, read_text(actions.KEPT_TEXT))
        st.text_area(
            "One message a line",
            key=actions.TEXT_KEY,
            height=150,
            placeholder="\n".join(domain.sayings),
            label_visibility="collapsed",
            on_change=actions.keep_text,
        )
        actions.keep_text()
    lines, _ = actions.read_input(user)
    if source == "saved":
        _render_saved(len(lines.found))
    _render_problems(lines)
    return lines


def _render_saved(count: int) -> None:
    if count:
        st.caption(f"{count_of(count, 'saved case')}, each in the context it was saved in.")
    else:
        st.info("No case is saved yet. “This is wrong…” on Inspect and verdicts on History save them.")


def _render_problems(lines: Lines) -> None:
    if not lines.problems:
        return
    shown = "".join(f"\n- {verbatim(problem)}" for problem in lines.problems[:_SHOWN_PROBLEMS])
    more = len(lines.problems) - _SHOWN_PROBLEMS
    kept = f"{count_of(len(lines.found), 'line')} can be used; these cannot:"
    st.warning(f"{kept}\n{shown}" + (f"\n- and {more:,} more" if more > 0 else ""), icon=":material/rule:")
