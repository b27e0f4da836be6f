"""What a demo does on its stage: a person of its own for every scenario, its messages through both lanes."""

from __future__ import annotations

from dataclasses import replace

from assistant import Assistant, Lanes
from db.audit import Origin
from db.machines.seed import seed_machines
from db.reach import MACHINES
from db.turns.conversations import start_conversation
from db.turns.turns import StoredTurn, find_turns, read_decisions, read_turns
from db.users import create_user
from domains.loading import load_domain
from domains.tasks.calls import adding_from
from llm.decider import LLMDecider
from llm.embedded import MODEL_NAME
from llm.endpoint import Endpoint
from settings import load_settings
from ui.demo.run import StageScene
from ui.demo.script import Scenario
from ui.lanes import current_composer, domain_engine, domain_lanes, is_llm_on
from ui.resources import load_database, make_executor, now_here
from ui.talk.sending import say
from ui.turns.card import TurnView, make_view

_NOBODY = Endpoint("custom", "http://127.0.0.1:9/v1", "nobody", timeout_seconds=5)
"""For the LLM that is dead: port 9 of this machine, where nothing listens. It is asked for real."""
_PAUSE_SECONDS = 0.1
"""Between two tries at that address: an audience need not wait for what will not come."""


def make_scene(scenario: Scenario) -> StageScene:
    """Nobody's own tasks are touched."""
    with load_database().write() as session:
        actor = create_user(session, "Demo stage", handle="stage", stage=True)
        conversation_id = start_conversation(session, actor.id, domain=scenario.domain)
    executor = make_executor(actor)
    for task in scenario.tasks:
        executor.execute(adding_from(task.arguments(now_here().date())), Origin("seed"))
    if scenario.domain == MACHINES:
        seed_machines(load_database(), actor, now_here)
    return StageScene(actor, conversation_id)


def say_line(scenario: Scenario, scene: StageScene, text: str) -> bool:
    """The engine's part is done when this returns. False: it could not be said; a notice says why."""
    before = len(read_scene(scene))
    assistant = Assistant(load_database(), scene.actor, now_here, load_domain(scenario.domain))
    gone = say(assistant, lambda: scene.conversation_id, text, lambda: make_lanes(scenario), driver=scenario.driver)
    return not gone and len(read_scene(scene)) > before


def make_lanes(scenario: Scenario) -> Lanes:
    """Both, with the LLM that the scenario asks for. A lane that somebody has switched off stays off, but for the one
    that would not answer anyway."""
    domain = load_domain(scenario.domain)
    lanes = domain_lanes(domain)
    endpoint = find_own_endpoint(scenario)
    if endpoint is None:
        return lanes
    llm = LLMDecider(
        endpoint,
        pause_seconds=_PAUSE_SECONDS,
        composer=current_composer(),
        domain=domain,
        engine=domain_engine(domain),
    )
    return replace(lanes, llm=llm)


def find_own_endpoint(scenario: Scenario) -> Endpoint | None:
    """The scenario's own LLM; None: that of the session, which may be off."""
    if scenario.llm == "nobody":
        return _NOBODY
    if scenario.llm == "embedded" and is_llm_on():
        return Endpoint("embedded", "", MODEL_NAME, timeout_seconds=load_settings().llm_timeout_seconds)
    return None


_final: dict[str, TurnView] = {}
"""Turns that will not change any more: a stage is looked at some times a second."""
_MOST_FINAL = 500


def read_scene(scene: StageScene | None) -> tuple[TurnView, ...]:
    """Its turns so far, with what both lanes decided."""
    if scene is None:
        return ()
    with load_database().read() as session:
        turns = read_turns(session, scene.actor.id, scene.conversation_id, whole=False)
        new = [turn.id for turn in turns if turn.id not in _final]
        whole = find_turns(session, scene.actor.id, new) if new else ()
        bodies = read_decisions(session, scene.actor.id, new)
    views = {turn.id: make_view(turn, bodies.get(turn.id, {}), undone=False) for turn in whole}
    _keep_final([view for view in views.values() if not view.waits and view.turn.lane])
    return tuple(views.get(turn.id) or _final[turn.id] for turn in turns)


def _keep_final(views: list[TurnView]) -> None:
    _final.update({view.turn.id: view for view in views})
    for old in list(_final)[:-_MOST_FINAL]:
        _final.pop(old, None)


def has_decided(turn: StoredTurn) -> bool:
    """Both lanes, or the one that is on."""
    return turn.llm_status != "waiting" and turn.lane is not None
