"""Labels that may be wrong: one case at a time, settled by key or by mouse."""

from __future__ import annotations

import streamlit as st

from db.evaluation.results import find_result
from db.evaluation.run_values import KeptRun
from db.evaluation.settled_labels import LABEL_VERDICTS, LabelVerdict, list_settled
from db.users import User
from evals.evaluate.suspects import SURE, Suspect, find_suspects
from ui.evaluate import label_actions
from ui.evaluate.label_actions import AT
from ui.evaluate.messages import make_row
from ui.evaluate.reading import read_scored, stamp_of
from ui.evaluate.table import inspect_link
from ui.evaluate.words import name_outcome
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.address import read_address
from ui.state.notices import read_notice
from ui.templates import draw

_KEYS: dict[LabelVerdict, tuple[str, str, str, str]] = {
    "right": ("1", "Label is right", ":material/check:", "The deciders are wrong about it."),
    "wrong": ("2", "Label is wrong", ":material/close:", "The deciders have it right; the case should say so."),
    "unsure": ("3", "Cannot be told", ":material/question_mark:", "Both can be meant."),
}
_FEWEST = 2


def render_labels(user: User, run: KeptRun) -> None:
    if len(run.labels) < _FEWEST:
        st.info(
            "It takes two deciders that agree against a label. Run at least two over the same cases.",
            icon=":material/label_off:",
        )
        return
    suspects = find_suspects({label: read_scored(stamp_of(run), place) for place, label in enumerate(run.labels)})
    with load_database().read() as session:
        settled = {each.key: each for each in list_settled(session, user.id, [each.key for each in suspects])}
    left = [each for each in suspects if each.key not in settled]
    if not suspects:
        st.success(
            f"No label of this set is doubted: nowhere do two deciders that are sure ({SURE:.1f} and more) agree "
            "against it.",
            icon=":material/verified:",
        )
        return
    current = _find_current(suspects, left)
    _render_bar(user, suspects, left, current, can_undo=bool(settled))
    if current is None:
        _render_done(len(suspects))
        return
    _render_card(user, run, current, settled[current.key].verdict if current.key in settled else None)


def _find_current(suspects: tuple[Suspect, ...], left: list[Suspect]) -> Suspect | None:
    """The one that the address names, or else the first that is left."""
    named = read_address(AT)
    return next((each for each in suspects if each.key == named), left[0] if left else None)


def _render_bar(
    user: User, suspects: tuple[Suspect, ...], left: list[Suspect], current: Suspect | None, *, can_undo: bool
) -> None:
    place = suspects.index(current) if current else len(suspects)
    with st.container(horizontal=True, vertical_alignment="center"):
        _render_step("Previous", ":material/arrow_back:", "P", suspects[place - 1].key if place > 0 else None)
        following = suspects[place + 1].key if place + 1 < len(suspects) else None
        _render_step("Next", ":material/arrow_forward:", "N", following)
        st.button(
            "Undo",
            icon=":material/undo:",
            shortcut="U",
            disabled=not can_undo,
            on_click=label_actions.undo,
            args=(user, [each.key for each in suspects]),
            help="Takes back what you said last.",
        )
        done = len(suspects) - len(left)
        st.progress(done / len(suspects), text=f"{done:,} of {len(suspects):,} settled", width="stretch")
    # One line always stands here: the buttons must not move while somebody is pressing them.
    notice = read_notice()
    if notice and notice.place == label_actions.PLACE:
        st.caption(f":material/check: {verbatim(notice.text)}")
    else:
        st.caption("Keys: 1 2 3 to settle, N and P to move on, U to undo.")


def _render_step(label: str, icon: str, key: str, case_key: str | None) -> None:
    st.button(
        label,
        icon=icon,
        shortcut=key,
        disabled=case_key is None,
        on_click=label_actions.step_to,
        args=(case_key,),
        help="Without a word about it.",
    )


def _render_card(user: User, run: KeptRun, suspect: Suspect, given: LabelVerdict | None) -> None:
    with load_database().read() as session:
        found = [find_result(session, run.id, place, suspect.position) for place in range(len(run.labels))]
    listed = [each for each in found if each is not None]
    rows = [make_row(each, inspect_link(user, run.id, place, suspect.position)) for place, each in enumerate(listed)]
    if not rows:
        return
    sure = f", each at least {suspect.confidence:.2f} sure" if suspect.confidence is not None else ""
    told = (
        f"The label says {name_outcome(suspect.label)}. {_list(suspect.deciders)} agree on "
        f"{name_outcome(suspect.instead)}{sure}."
    )
    answers = list(zip(run.labels, (row.answers[0] for row in rows), strict=False))
    st.html(draw("evaluate/messages", "suspect", rows[0], told, answers))
    with st.container(horizontal=True, gap="small"):
        for verdict in LABEL_VERDICTS:
            key, label, icon, hint = _KEYS[verdict]
            st.button(
                label,
                key=f"settle-{verdict}",
                icon=icon,
                shortcut=key,
                type="primary" if given == verdict else "secondary",
                on_click=label_actions.settle,
                args=(user, suspect, rows[0].text, verdict),
                help=hint,
            )
    if given == "wrong":
        address = f"{inspect_link(user, run.id, 0, suspect.position)}&wrong=1"
        st.link_button(
            "Say on Inspect what it should be",
            address,
            icon=":material/edit_note:",
            help="Saves a case of your own, in another tab; our case files are changed by hand.",
        )


def _list(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _render_done(total: int) -> None:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown("#### All settled")
        st.caption(f"You said how it stands with all {total:,}. Previous goes through them again; each can be changed.")
