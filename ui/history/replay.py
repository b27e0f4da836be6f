"""Replay on History: the turns of the filter decided again by the engine as it is now, and what would change."""

from __future__ import annotations

import uuid

import streamlit as st

from db.policies.in_force import load_version
from db.policies.versions import find_version, list_versions
from db.turns.history import find_history_ids
from db.turns.query import TurnQuery
from db.users import User
from domains.loading import TASKS, list_domains, load_domain
from engine.decider import RuleDecider
from engine.policy.loading import PolicyError
from engine.policy.values import Policy
from evals.otherwise import Sort
from evals.replay import Replay, ReplayChange
from ui import background
from ui.counting import count_of
from ui.history.replay_table import changes_html
from ui.lanes import domain_engine, engine_from_files, engine_under
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.progress import render_progress
from ui.resources import load_database
from ui.state.fields import put_value, read_value
from ui.state.notices import put_notice
from ui.state.policy import read_scope
from ui.state.values import Notice
from ui.turns.links import inspect_link

PLACE = "replay"
_REPLAY, _SHOWN, _UNDER = "replay", "replay_sort", "replay_under"
SORTS: dict[Sort, str] = {
    "now_acts": "Would act now",
    "no_longer_acts": "Would no longer act",
    "another_call": "Another call",
    "another_answer": "Another question or reply",
}
_MOST_SHOWN = 100


def start_replay(user: User, query: TurnQuery) -> None:
    """The policies are looked up now: an edit made a moment ago counts; a mistake in a file is told with its line."""
    try:
        decider = _choose_engine()
    except (PolicyError, OSError, ValueError) as error:
        put_notice(Notice("error", f"The policy cannot be used: {error}.", PLACE))
        return
    database = load_database()
    with database.read() as session:
        ids = find_history_ids(session, user.id, query)
    # Made here: the thread has no session, and a domain's decider goes by this session's thresholds, too.
    others = {name: domain_engine(load_domain(name)) for name in list_domains() if name != TASKS}
    replay = Replay(database, user.id, ids, decider, label=_name_versions(decider), others=others)
    work_id = str(uuid.uuid4())
    put_notice(None)
    put_value(_REPLAY, (user.id, work_id, replay))
    background.start(work_id, replay, lambda _ending: None)


def _choose_engine() -> RuleDecider:
    """Today's, or that of the version that was chosen. ValueError: it cannot be loaded any more."""
    version_id = read_value(_UNDER)
    if not version_id:
        return engine_from_files()
    with load_database().read() as session:
        version = find_version(session, version_id)
        policy = load_version(session, version) if version else "There is no such version"
    if isinstance(policy, Policy):
        return engine_under(policy)
    raise ValueError(policy)


def _name_versions(decider: RuleDecider) -> str:
    """The policies that decide again; of each language its own."""
    return ", ".join(decider.policy_for(language).version for language in decider.domain.languages)


def render_replay(user: User, query: TurnQuery, total: int) -> None:
    kept = read_value(_REPLAY)
    work_id, replay = (kept[1], kept[2]) if kept and kept[0] == user.id else (None, None)
    running = background.find(work_id) is not None
    with st.container(border=True):
        text, button = st.columns([5, 2], vertical_alignment="center")
        with button:
            under = _render_versions()
        text.markdown(
            f"**Replay under {under}** :gray[decides the turns below again, each in its own context and by "
            "its own domain, and shows what would be decided otherwise. Nothing is carried out.]"
        )
        button.button(
            f"Replay {count_of(total, 'turn')}",
            icon=":material/replay:",
            width="stretch",
            on_click=start_replay,
            args=(user, query),
            disabled=running or not total,
            help="Takes the policies in force now, and the files as they are, with this session's thresholds.",
        )
        render_notice(PLACE)
        if running and work_id:
            render_progress(work_id, "turns")
        elif replay:
            _render_outcome(user, replay)


def _render_versions() -> str:
    """Which policy decides again, where there is more than today's; and how it is called."""
    with load_database().read() as session:
        versions = list_versions(session, TASKS)
    names = {each.id: f"Version {each.sequence}, {each.name}" for each in versions}
    if not names:
        return "today's policy"
    chosen = st.selectbox(
        "Policy",
        ["", *names],
        format_func=lambda each: names.get(each, "Today's policy"),
        key=_UNDER,
        label_visibility="collapsed",
        help="Versions are saved on Policy. The other languages, and other domains, are decided as today.",
    )
    return verbatim(names.get(chosen or "", "today's policy"))


def _render_outcome(user: User, replay: Replay) -> None:
    done, changed = replay.progress.done, len(replay.changes)
    cut = "Cancelled after" if replay.progress.cancelled else "Of"
    same = done - changed - replay.unreadable
    words = f"{cut} {count_of(done, 'turn')}, **{changed:,} would be decided otherwise** and {same:,} as they were."
    if replay.unreadable:
        words += f" {replay.unreadable:,} could not be decided again; the log says why."
    st.markdown(words)
    if not changed:
        return
    counts = replay.counts
    sorts = [sort for sort in SORTS if counts.get(sort)]
    chosen = st.pills(
        "What changes",
        sorts,
        format_func=lambda sort: f"{SORTS[sort]} {counts[sort]:,}",
        key=_SHOWN,
        label_visibility="collapsed",
        help="Press again to see all of them.",
    )
    shown: list[ReplayChange] = [change for change in replay.changes if chosen is None or change.sort == chosen]
    st.html(changes_html(shown[:_MOST_SHOWN], lambda turn_id: inspect_link(user, turn_id, read_scope(), today=True)))
    if len(shown) > _MOST_SHOWN:
        st.caption(f"The first {_MOST_SHOWN} of {len(shown):,}. Narrow the filters to see others.")
