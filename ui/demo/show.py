"""The stage: one message at a time, both lanes lighting up, what the person has beside them. It draws itself again some
times a second while it plays, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from db.audit import find_undone
from db.machines.service import MachineQuery
from db.machines.views import read_fleet_view
from db.reach import MACHINES
from ui.demo.board import render_board, render_whole_board
from ui.demo.run import DemoRun, StageScene
from ui.demo.scoring import judge_scene
from ui.demo.stage import find_own_endpoint, has_decided, make_scene, read_scene, say_line
from ui.demo.views import light_lanes, view_earlier, view_message
from ui.lanes import current_endpoint
from ui.notices import render_notice
from ui.panels.beside import machine_marks, read_tasks_beside, render_task_panel
from ui.panels.fleet import fleet_html
from ui.resources import is_model_getting_ready, load_database, now_here
from ui.talk import live_turns
from ui.templates import draw
from ui.turns.card import TurnView
from ui.turns.said import listed_in
from ui.words import say_undone

_LOOK_SECONDS = 0.3
_SHOWN_MACHINES = 6


def render_show(run: DemoRun) -> None:
    """The part that moves is a fragment: the session is free between two looks."""
    drawn = _drawn(run, read_scene(run.scene))
    st.fragment(_render_stage, run_every=_LOOK_SECONDS if drawn.moves else None)(run, drawn)


class Drawn(NamedTuple):
    """What the bar above shows, and whether the stage is looked at again: where that changes, so does the page."""

    place: int
    playing: bool
    over: bool
    moves: bool


def _drawn(run: DemoRun, views: Sequence[TurnView]) -> Drawn:
    thinking = any(not has_decided(view.turn) for view in views)
    return Drawn(run.place, run.playing, run.beat == "over", run.moves or thinking)


def _render_stage(run: DemoRun, drawn: Drawn) -> None:
    with run.lock:
        views = read_scene(run.scene)
        last = views[-1].turn if views else None
        decided = last is None or has_decided(last)
        stage = run.look(decided=decided, drives=last is not None and last.lane is None)
        if run.tick(stage, make_scene, say_line):
            views = read_scene(run.scene)
    if _drawn(run, views) != drawn:
        st.rerun()
    render_notice()
    if run.beat == "over":
        render_whole_board(run)
    elif run.beat == "scored":
        render_board(run)
    else:
        _render_message(run, views)


def _render_message(run: DemoRun, views: Sequence[TurnView]) -> None:
    coming = run.beat == "coming"
    steps = judge_scene(run.scenario, views, now_here().date())
    view, judged = (None, None) if coming or not views else (views[-1], steps[-1])
    earlier = len(views) - (0 if view is None else 1)
    words, things = st.columns([5, 2], gap="medium")
    with words:
        st.html(draw("demo/stage", "progress", run.said, len(run.scenario.steps), run.beat, ""))
        if earlier:
            st.html(draw("demo/stage", "before", view_earlier(steps[:earlier], views[:earlier])))
        if run.step:
            st.html(draw("demo/stage", "now", view_message(run.step, coming=coming)))
        if view:
            lists = [tasks for result in view.turn.results if (tasks := listed_in(result))]
            st.html(draw("demo/stage", "reply", view.turn.reply or say_undone(view.turn.driver), lists))
        live = live_turns.find(view.turn.id) if view else None
        getting_ready = is_model_getting_ready(find_own_endpoint(run.scenario) or current_endpoint())
        lanes = light_lanes(view, judged, live.text if live else "", getting_ready=getting_ready)
        for column, lit in zip(st.columns(2), lanes, strict=True):
            right = judged.right if judged else ""
            column.html(draw("demo/stage", "lane_light", lit.view, lit.light, lit.judged, right))
    with things, st.container(key="demo_things"):
        _render_things(run, views[-1] if views else None)


def _render_things(run: DemoRun, last: TurnView | None) -> None:
    scene = run.scene
    if scene is None:
        return
    if run.scenario.domain == MACHINES:
        _render_machines(scene, last)
    else:
        with load_database().read() as session:
            tasks = read_tasks_beside(session, scene.actor, last)
        render_task_panel(scene.actor, last, tasks)


def _render_machines(scene: StageScene, last: TurnView | None) -> None:
    actor = scene.actor
    with load_database().read() as session:
        changed = [result["audit_id"] for result in last.turn.results if result["audit_id"]] if last else []
        undone = find_undone(session, actor.id, changed)
    fleet = read_fleet_view(load_database(), actor, now_here, MachineQuery(limit=_SHOWN_MACHINES))
    st.markdown(f"**Machines** :gray[{fleet.connected:,} of {fleet.total:,} connected]")
    st.html(fleet_html(fleet, machine_marks(last.turn if last else None, undone)))
