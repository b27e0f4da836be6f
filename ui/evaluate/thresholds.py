"""Thresholds from costs: what a mistake costs, the thresholds that cost least, and the way into a draft."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.evaluation.run_values import KeptRun
from domains.loading import TASKS
from evals.evaluate.specs import DeciderSpec
from evals.evaluate.thresholds import Costs, ThresholdAdvice
from ui.deciding.choosing import AddedDecider
from ui.evaluate import deciders
from ui.evaluate.figures import cost_figure
from ui.evaluate.reading import read_advice, stamp_of
from ui.evaluate.sentences import tell_costs
from ui.evaluate.words import count_cases, format_share
from ui.markdown import verbatim
from ui.notices import render_notice
from ui.state.address import read_address, show_in_address, start_from_address
from ui.state.fields import read_value
from ui.state.notices import put_notice
from ui.state.people import USER_KEY
from ui.state.policy import SESSION_KEY
from ui.state.values import Notice
from ui.threshold_links import THRESHOLDS, write_thresholds

_POLICY_PAGE = Path(__file__).parents[2] / "pages" / "policy.py"
PLACE = "evaluate_thresholds"
_USUAL = Costs()
_MOST = 20
_SLIDERS = {
    "wrong_act": ("A wrong act costs", "It did something nobody asked for, or did it wrongly."),
    "needless_question": (
        "A needless question costs",
        "It asked where it could have acted, or where nothing was asked for.",
    ),
    "missed_request": ("A missed request costs", "There was a request, and it was left alone."),
}


def render_thresholds(run: KeptRun, decider: int) -> None:
    st.caption("Only how the three relate counts: twice of each is the same.")
    chosen = dict(zip(_SLIDERS, _render_sliders(), strict=True))
    advice = read_advice(stamp_of(run), decider, Costs(**chosen))
    if advice is None:
        st.info(
            f"{verbatim(run.labels[decider])} has no thresholds, or they decide on too few of these cases. Choose the "
            "engine, and a larger data set.",
            icon=":material/tune:",
        )
        return
    st.markdown(f"**{verbatim(advice.sentence)}**")
    chart, words = st.columns([3, 2], gap="medium")
    with chart:
        st.plotly_chart(cost_figure(advice), config={"displayModeBar": False}, key="costs", alt=tell_costs(advice))
    with words:
        _render_words(advice)
        _render_taking(run, decider, advice)


def _render_sliders() -> list[float]:
    found = []
    for (name, (label, hint)), column in zip(_SLIDERS.items(), st.columns(3, gap="medium"), strict=True):
        usual = int(getattr(_USUAL, name))
        start_from_address(name, range(_MOST + 1), usual)
        found.append(float(column.slider(label, 0, _MOST, int(read_value(name)), key=name, help=hint)))
        show_in_address(name, usual)
    return found


def _render_words(advice: ThresholdAdvice) -> None:
    st.caption(
        f"{verbatim(tell_costs(advice))} Thresholds decide on {count_cases(advice.cases)} of this set; computed from "
        f"the run, which it retells in {format_share(advice.agreement)} of them."
    )


def _render_taking(run: KeptRun, decider: int, advice: ThresholdAdvice) -> None:
    same = advice.changes == {"act": advice.present.act, "read": advice.present.read}
    with st.container(horizontal=True, gap="small"):
        if st.button(
            "Take into a draft",
            icon=":material/edit_note:",
            type="primary",
            disabled=same,
            help="Opens Policy with these thresholds in a draft, and what that fixes and breaks; nothing is in force "
            "before you save it.",
        ):
            # The switch starts the frame's own fields anew: without its parameter the person would be another.
            who = {name: value for name in (USER_KEY, SESSION_KEY) if (value := read_address(name))}
            asked = {THRESHOLDS: write_thresholds(advice.changes), "domain": run.domain, "view": "edit"}
            st.switch_page(_POLICY_PAGE, query_params={**asked, **who})
        st.button(
            "Add to the next run",
            icon=":material/playlist_add:",
            disabled=same,
            on_click=add_to_next_run,
            args=(run, decider, advice),
            help="The engine with these thresholds takes part in the next run, to be held against this one.",
        )
    render_notice(PLACE)


def add_to_next_run(run: KeptRun, decider: int, advice: ThresholdAdvice) -> None:
    """It is only measured: it decides nothing on Chat."""
    changes = advice.changes
    label = f"Draft: act {changes['act']:.2f}, read {changes['read']:.2f}"
    policy, saved = str(run.deciders[decider].get("policy") or ""), tuple(run.deciders[decider].get("saved") or ())
    spec = DeciderSpec("engine", label, policy=policy, saved=saved, thresholds=changes)
    deciders.CHOICE.add(AddedDecider(spec, domain=run.domain or TASKS), quietly=True)
    told = f"“{label}” is among the deciders of a new run. Run it, and hold it against this one."
    put_notice(Notice("success", told, PLACE))
