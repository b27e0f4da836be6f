"""Calibration: whether a confidence means what it says, and what acting on the surest alone would risk."""

from __future__ import annotations

import streamlit as st

from db.evaluation.run_values import KeptRun
from evals.evaluate.calibrating import Calibration
from ui.evaluate.figures import coverage_figure, reliability_figure
from ui.evaluate.reading import read_calibration, stamp_of
from ui.evaluate.sentences import coverage_rows, group_rows, tell_calibration, tell_coverage
from ui.evaluate.words import count_cases
from ui.markdown import verbatim
from ui.templates import draw

_CONFIG = {"displayModeBar": False}


def render_calibration(run: KeptRun, decider: int) -> None:
    label = run.labels[decider]
    calibration = read_calibration(stamp_of(run), decider)
    told = tell_calibration(calibration, label)
    if not calibration.cases:
        st.info(f"{verbatim(told)} Choose another decider.", icon=":material/speed:")
        return
    st.markdown(f"**{verbatim(told.partition(': ')[0])}**: {verbatim(told.partition(': ')[2])}")
    _render_figures(calibration)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("#### Reliability")
        st.plotly_chart(reliability_figure(calibration), config=_CONFIG, key="reliability", alt=told)
        st.caption("On the broken line it is right as often as it says. Larger dots have more cases.")
        with st.expander("Its figures", icon=":material/table:"):
            st.html(draw("evaluate/tables", "figures", *group_rows(calibration)))
    with right:
        st.markdown("#### Risk against coverage")
        st.plotly_chart(
            coverage_figure(calibration.coverage), config=_CONFIG, key="coverage", alt=tell_coverage(calibration)
        )
        st.caption(tell_coverage(calibration))
        with st.expander("Its figures", icon=":material/table:"):
            st.html(draw("evaluate/tables", "figures", *coverage_rows(calibration)))


def _render_figures(calibration: Calibration) -> None:
    figures = (
        (
            "Calibration error (ECE)",
            calibration.ece.value,
            f"95%: {calibration.ece.low:.3f} to {calibration.ece.high:.3f}",
        ),
        ("By chance alone", calibration.noise_floor, f"at most {calibration.noise_limit:.3f}, 19 times of 20"),
        ("Brier score", calibration.brier.value, f"95%: {calibration.brier.low:.3f} to {calibration.brier.high:.3f}"),
    )
    for (label, value, below), column in zip(figures, st.columns(len(figures)), strict=True):
        shown = f"{value:.3f}" if value is not None else "–"
        column.metric(label, shown, delta=below, delta_color="off", delta_arrow="off", border=True)
    unstated = (
        f"; {count_cases(calibration.unstated)} without a stated confidence are left out"
        if calibration.unstated
        else ""
    )
    st.caption(f"Over {count_cases(calibration.cases)} in which a request was read{unstated}.")
