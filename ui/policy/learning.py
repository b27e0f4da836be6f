"""Weights learned anew from the cases: begun by a click, found again after a reload, and put into the draft by one."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from db.evaluation.cases import count_cases
from db.users import User
from engine.policy.values import Policy
from evals.cases import find_cases, load_cases
from evals.effect.gathering import load_saved
from evals.learning.fitting import STEPS
from evals.learning.learning import FOLDS, LearnedWeights, learn_weights
from evals.progress import Progress
from ui import background
from ui.counting import count_of
from ui.policy.actions import put_in
from ui.policy.desk import Desk
from ui.policy.work import DraftWork, find_kept, forget, start_once
from ui.progress import format_left
from ui.resources import load_database

_POLL_SECONDS = 0.5
_FIRST_LOOK_SECONDS = 0.3
_ABOUT = (
    "How much everything that is noticed speaks for each intent, moved as far as the project’s cases and those that "
    "you saved move it. What they say nothing about stays as it is. It becomes one more edit of the draft, which shows "
    "what it fixes and breaks."
)


class LearnWork(DraftWork):
    """Learning from the project's cases and this person's own."""

    found: LearnedWeights | None = None

    def __init__(self, user: User, domain: str, policy: Policy) -> None:
        super().__init__()
        self._user, self._domain, self._policy = user, domain, policy

    def run(self) -> None:
        saved = load_saved(load_database(), self._user.id, self._domain)
        cases = (*load_cases(find_cases(self._domain), self._domain), *saved)
        self.found = learn_weights(cases, self._policy, self._domain, self.progress)


def render_learning(user: User, desk: Desk) -> None:
    st.caption(_ABOUT)
    if not desk.draft.base.weights.evidence:
        st.info("Nothing was learned for this language yet: it has no weights to begin with.")
        return
    key = _key(user, desk)
    work = cast("LearnWork | None", find_kept(key))
    if work:
        work.shown.wait(_FIRST_LOOK_SECONDS)
    if work is None or (work.progress.cancelled and work.ended.is_set()):
        _render_start(user, desk, key, "Learn the weights")
    elif not work.ended.is_set():
        _render_progress(work)
    else:
        _render_found(desk, work)
        _render_start(user, desk, key, "Learn again", again=True)


def _key(user: User, desk: Desk) -> tuple[Any, ...]:
    """By what it is learned from: another tab, and this one after a reload, find the same."""
    with load_database().read() as session:
        saved = count_cases(session, user.id, domain=desk.domain)
    return "learn", load_database(), user.id, desk.domain, desk.draft.base.version, saved


def _render_start(user: User, desk: Desk, key: tuple[Any, ...], label: str, *, again: bool = False) -> None:
    def start() -> None:
        if again:
            forget(key)
        start_once(key, lambda: LearnWork(user, desk.domain, desk.draft.base))

    st.button(
        label, icon=":material/model_training:", type="tertiary" if again else "primary", on_click=start,
        help="Takes some seconds, in the background: you can go on with something else.",
    )  # fmt: skip


@st.fragment(run_every=_POLL_SECONDS)
def _render_progress(work: LearnWork) -> None:
    if work.ended.is_set():
        st.rerun()
    bar, button = st.columns([5, 1], vertical_alignment="center")
    bar.progress(work.progress.share if work.progress.total else 0.0, tell_learning(work.progress))
    button.button(
        "Stop", key=f"cancel-{work.id}", on_click=background.cancel, args=(work.id,), help="Nothing is changed then."
    )


def tell_learning(progress: Progress) -> str:
    """How far it is: first every message is read, then the weights are moved, a part of the messages left out at a
    time, and at last with all of them."""
    runs = FOLDS + 1
    messages = progress.total - runs * STEPS
    left = progress.seconds_left
    pace = "" if left is None else f", {format_left(left)} left"
    if messages <= 0:
        return "Reading …"
    if progress.done < messages:
        return f"Reading: {progress.done:,} of {count_of(messages, 'message')}{pace}"
    run, step = divmod(min(progress.done - messages, runs * STEPS - 1), STEPS)
    what = f"without part {run + 1} of {FOLDS}" if run < FOLDS else "with all messages"
    return f"Learning {what}: step {step + 1:,} of {STEPS:,}{pace}"


def _render_found(desk: Desk, work: LearnWork) -> None:
    found = work.found
    if work.failed or found is None:
        st.error("Learning ended with an error; the log says why.", icon=":material/error:")
        return
    if found.edit is None:
        st.info("No weight moves: today’s table says already what the cases say.", icon=":material/check:")
        return
    taken = found.edit in desk.draft.edits
    with st.container(border=True, gap="xsmall"):
        words, button = st.columns([5, 2], vertical_alignment="center")
        words.markdown(
            f"**{len(found.edit.weights):,} weights move.** Of {count_of(found.rows, 'message')}, {found.before:,} "
            f"were read right before, and {found.after:,} are now."
        )
        words.caption(_judge(found))
        button.button(
            "Put into the draft", key=f"learned-{work.id}", width="stretch",
            icon=":material/check:" if taken else ":material/add:",
            type="primary" if found.left_out > found.before else "secondary",  # what gains nothing is not urged
            on_click=put_in, args=(desk, found.edit), disabled=taken,
        )  # fmt: skip


def _judge(found: LearnedWeights) -> str:
    """What the figures mean: cases that were learned from say little about messages that nobody has seen."""
    gained = found.left_out - found.before
    told = f"Where each of them was left out while learning, it is {found.left_out:,}: "
    if gained > 0:
        return f"{told}{gained:,} more than before, so expect something of it on new messages, too."
    fewer = f"{-gained:,} fewer than before" if gained else "as many as before"
    return f"{told}{fewer}, so it learns these cases rather than how people ask."
