"""The score: of a scenario at its end, and of all of them."""

from __future__ import annotations

import streamlit as st

from ui.demo.pace import SCORE_SECONDS
from ui.demo.run import DemoRun
from ui.demo.scoring import JudgedStep, judge_scene, score_steps
from ui.demo.stage import find_own_endpoint, read_scene
from ui.demo.views import ScenarioRow, count_right
from ui.lanes import is_llm_on, label_of, llm_label
from ui.resources import now_here
from ui.templates import draw


def render_board(run: DemoRun) -> None:
    """Of the scenario that was just played."""
    steps = _judge(run, run.place)
    own = find_own_endpoint(run.scenario)
    model = label_of(own) if own else llm_label() if is_llm_on() else ""
    board, beside = st.columns([3, 2], gap="large")
    with board:
        st.html(draw("demo/board", "board", score_steps(steps), model))
    with beside:
        st.html(draw("demo/board", "messages", steps))
        following = run.next_scenario
        if following:
            seconds = f"{SCORE_SECONDS / run.speed:.2f}" if run.moves else ""
            st.html(draw("demo/board", "coming_next", following.name, following.about, seconds))
        _render_ways_on(run)


def _render_ways_on(run: DemoRun) -> None:
    with st.container(horizontal=True, key="demo_ways_on"):
        following = run.next_scenario
        if following:
            st.button(
                "Next scenario",
                icon=":material/arrow_forward:",
                type="primary",
                key="demo_next",
                shortcut="N",
                on_click=go_to,
                args=(run, run.place + 1),
            )
        else:
            st.button("The whole score", type="primary", key="demo_whole", shortcut="N", on_click=run.finish)
        st.button("Again", icon=":material/replay:", key="demo_again", on_click=go_to, args=(run, run.place))


def render_whole_board(run: DemoRun) -> None:
    """Of all scenarios that were played."""
    played = {place: _judge(run, place) for place in sorted(run.scenes)}
    board, beside = st.columns([3, 2], gap="large")
    with board:
        st.html(draw("demo/board", "board", score_steps([step for steps in played.values() for step in steps]), ""))
        st.html(draw("demo/board", "chosen"))
        st.button("From the beginning", icon=":material/replay:", key="demo_restart", on_click=go_to, args=(run, 0))
    rows = []
    for place, steps in played.items():
        score = score_steps(steps)
        rows.append(ScenarioRow(run.scenarios[place].name, count_right(score.engine), count_right(score.llm)))
    beside.html(draw("demo/board", "scenarios", rows))


def go_to(run: DemoRun, place: int) -> None:
    with run.lock:
        run.go_to(place)
        run.play()


def _judge(run: DemoRun, place: int) -> tuple[JudgedStep, ...]:
    return judge_scene(run.scenarios[place], read_scene(run.scenes.get(place)), now_here().date())
