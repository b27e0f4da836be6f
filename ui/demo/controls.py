"""Above the stage: what plays, pause, step, speed, the projector, and the way out."""

from __future__ import annotations

import streamlit as st

from ui.demo.pace import SPEEDS
from ui.demo.run import DemoRun
from ui.demo.stage import has_decided, make_scene, read_scene, say_line
from ui.state.demo import is_projected, show_run, switch_projector
from ui.state.fields import put_value, read_value
from ui.templates import draw

_SPEED = "demo_speed"
_SPEED_NAMES = {0.5: "½×", 1.0: "1×", 2.0: "2×", 4.0: "4×"}


def render_controls(run: DemoRun) -> None:
    over = run.beat == "over"
    name = "All scenarios" if over else run.scenario.name
    about = "The score of everything that was played." if over else run.scenario.about
    with st.container(horizontal=True, vertical_alignment="center", key="demo_bar"):
        st.html(
            draw("demo/start", "bar", name, about, run.place + 1, 1 if over else len(run.scenarios)), width="stretch"
        )
        if not over and not run.waits_for_somebody:
            _render_playing(run)
        render_projector_switch()
        st.button("End", icon=":material/close:", type="tertiary", key="demo_end", on_click=end, args=(run,))


def _render_playing(run: DemoRun) -> None:
    st.button(
        "Pause" if run.playing else "Play",
        icon=":material/pause:" if run.playing else ":material/play_arrow:",
        type="primary",
        key="demo_play",
        shortcut="P",
        on_click=run.pause if run.playing else run.play,
    )
    st.button(
        "Step",
        icon=":material/skip_next:",
        key="demo_step",
        shortcut="Right",
        help="One message further, and wait.",
        on_click=step,
        args=(run,),
    )
    put_value(_SPEED, run.speed)
    st.segmented_control(
        "Speed",
        SPEEDS,
        format_func=lambda speed: _SPEED_NAMES[speed],
        key=_SPEED,
        required=True,
        label_visibility="collapsed",
        on_change=_take_speed,
        args=(run,),
    )


def render_projector_switch() -> None:
    projected = is_projected()
    st.button(
        "Normal view" if projected else "Projector",
        icon=":material/close_fullscreen:" if projected else ":material/present_to_all:",
        key="demo_projector",
        shortcut="F",
        help="Large type, nothing beside the stage. Its address ends in projector=1.",
        on_click=switch_projector,
    )


def step(run: DemoRun) -> None:
    with run.lock:
        views = read_scene(run.scene)
        run.advance(run.look(decided=not views or has_decided(views[-1].turn)), make_scene, say_line)


def end(run: DemoRun) -> None:
    """Nobody looks at it any more, so it stands still."""
    run.pause()
    show_run(None)


def _take_speed(run: DemoRun) -> None:
    run.speed = float(read_value(_SPEED) or run.speed)
