"""The first screen of the demo: what one will see, which scenarios there are, and a script of one's own."""

from __future__ import annotations

import streamlit as st

from ui.counting import count_of
from ui.demo.controls import render_projector_switch
from ui.demo.own_file import UPLOAD_KEY, read_faults, take_file
from ui.demo.pace import planned_seconds
from ui.demo.run import DemoRun, keep_run
from ui.demo.script import Scenario
from ui.demo.script_file import OWN_FILE, ScriptError, load_own_scenarios, read_script
from ui.lanes import current_endpoint, is_llm_on, llm_label
from ui.markdown import verbatim
from ui.resources import warm_model
from ui.state.demo import keep_own_script, read_own_script, show_run
from ui.templates import draw
from ui.two_line_buttons import render_two_line_button

_COLUMNS = 3


def render_start() -> None:
    own = _find_own()
    scenarios = own or load_own_scenarios()
    warm_model(current_endpoint())
    st.html(draw("demo/start", "heading", _describe_llm()))
    with st.container(horizontal=True, vertical_alignment="center", key="demo_start"):
        count = f"all {len(scenarios)} scenarios" if len(scenarios) > 1 else "the scenario"
        st.button(
            f"Play {count} · about {_minutes(scenarios)}",
            icon=":material/play_arrow:",
            type="primary",
            key="play_all",
            shortcut="P",
            on_click=begin,
            args=(scenarios,),
        )
        render_projector_switch()
        st.space("stretch")
        _render_own_file(own)
    st.markdown("**Or one at a time**" if len(scenarios) > 1 else "")
    with st.container(key="demo_list", gap="small"):
        for first in range(0, len(scenarios), _COLUMNS):
            _render_row(scenarios, first)


def _render_row(scenarios: tuple[Scenario, ...], first: int) -> None:
    places = range(first, min(first + _COLUMNS, len(scenarios)))
    for column, place in zip(st.columns(_COLUMNS), places, strict=False):
        upper, lower = f"**{verbatim(scenarios[place].name)}**", f":small[{verbatim(scenarios[place].about)}]"
        with column:
            render_two_line_button(upper, lower, key=f"scenario-{place}", on_click=begin, args=(scenarios, place))


def begin(scenarios: tuple[Scenario, ...], only: int | None = None) -> None:
    """Play all of them, or begin with one: it waits at its score, where the next one is a press away."""
    run = DemoRun(scenarios, place=only or 0, on_its_own=only is None)
    keep_run(run)
    show_run(run.id)


def _describe_llm() -> str:
    if not is_llm_on():
        return "The LLM lane is off, so only the engine plays: Settings turns it on."
    where = "on this machine, offline" if current_endpoint().kind == "embedded" else "as under Settings"
    return f"The LLM lane: {llm_label()}, {where}."


def _minutes(scenarios: tuple[Scenario, ...]) -> str:
    """As one says it before one begins: nobody plans by tenths of a minute."""
    seconds = planned_seconds(scenarios)
    return count_of(round(seconds / 60), "minute") if seconds >= 60 else count_of(round(seconds), "second")


def _find_own() -> tuple[Scenario, ...] | None:
    text = read_own_script()
    try:
        return read_script(text) if text else None
    except ScriptError:  # said where it was loaded
        return None


def _render_own_file(own: tuple[Scenario, ...] | None) -> None:
    with st.popover("A script of your own", icon=":material/upload_file:"):
        st.file_uploader(
            "Scenarios as YAML", type=["yaml", "yml"], key=UPLOAD_KEY, on_change=take_file, max_upload_size=1
        )
        faults = read_faults()
        if faults:
            st.error("Nothing was loaded. This is wrong with the file:", icon=":material/error:")
            st.html(draw("demo/start", "faults", faults))
        elif own:
            st.success(f"{len(own)} of your own, checked and loaded.", icon=":material/check_circle:")
            st.button("Back to ours", icon=":material/undo:", on_click=keep_own_script, args=("",))
        st.download_button(
            "Ours, as an example",
            OWN_FILE.read_text(encoding="utf-8"),
            "twolane-demo.yaml",
            "application/yaml",
            icon=":material/download:",
            on_click="ignore",
        )
