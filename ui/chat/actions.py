"""What the Chat page does when somebody sends, answers, undoes, or leads a demonstration."""

from __future__ import annotations

from assistant import Assistant, Lanes
from db.audit import Origin
from db.failures import ToolFailure
from db.turns.conversations import clear_conversation, rename_conversation, start_conversation
from db.users import User, create_user, find_user
from domains.tasks.calls import adding_from
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from ui import lanes
from ui.chat.scenarios import Scenario, load_scenarios
from ui.resources import load_database, make_executor, now_here
from ui.state.chat import (
    choose_conversation,
    close_menus,
    keep_performance,
    put_on_stage,
    read_conversation_id,
    read_performance,
)
from ui.state.fields import read_text
from ui.state.notices import put_notice
from ui.state.people import choose_user
from ui.state.values import Notice, Performance
from ui.talk.sending import say

_NOBODY_HOME = Endpoint("custom", "http://127.0.0.1:9/v1", "nobody-home", timeout_seconds=5)
"""For the scenario about an LLM that is down: port 9 of this machine, where nothing listens."""


def send(user: User, text: str) -> None:
    """Run a message through both lanes. The engine's part is done when this returns."""
    gone = say(
        make_assistant(user), lambda: read_conversation_id(user.id) or _start_conversation(user), text, make_lanes()
    )
    if gone:
        choose_conversation(user.id, None)


def _start_conversation(user: User) -> str:
    with load_database().write() as session:
        conversation_id = start_conversation(session, user.id)
    choose_conversation(user.id, conversation_id)
    return conversation_id


def send_typed(user: User, key: str) -> None:
    text = read_text(key)
    if text.strip():
        send(user, text)


def make_assistant(user: User) -> Assistant:
    return Assistant(load_database(), user, now_here)


def make_lanes() -> Lanes:
    performance = read_performance()
    if performance and load_scenarios()[performance.scenario].llm == "down":
        return Lanes(lanes.current_engine(), LLMDecider(_NOBODY_HOME))
    return lanes.current_lanes()


def start_new(user: User) -> None:
    go_on_with(user, None)


def go_on_with(user: User, conversation_id: str | None) -> None:
    """Another conversation; None: a new one."""
    put_notice(None)
    choose_conversation(user.id, conversation_id)
    close_menus()


def rename(user: User, conversation_id: str, key: str) -> None:
    try:
        with load_database().write() as session:
            rename_conversation(session, user.id, conversation_id, read_text(key))
    except ToolFailure as failure:
        put_notice(Notice("error", failure.message))


def clear(user: User, conversation_id: str) -> None:
    with load_database().write() as session:
        clear_conversation(session, user.id, conversation_id)
    start_new(user)


def begin_scenario(user: User, name: str) -> None:
    """A person of its own for the stage, so that nobody's tasks are touched."""
    before = read_performance()
    return_to = before.return_to if before else user.handle
    scenario = load_scenarios()[name]
    with load_database().write() as session:
        actor = create_user(session, "Demo stage", handle="stage", stage=True)
    _set_the_stage(actor, scenario)
    keep_performance(Performance(name, 0, actor.handle, return_to))
    choose_user(actor.handle)
    choose_conversation(actor.id, None)
    put_on_stage(scenario.driver)
    put_notice(None)
    close_menus()


def play_next(performance: Performance) -> None:
    scenario = load_scenarios()[performance.scenario]
    with load_database().read() as session:
        actor = find_user(session, performance.stage_handle)
    if actor and performance.position < len(scenario.steps):
        send(actor, scenario.steps[performance.position].say)
        keep_performance(
            Performance(performance.scenario, performance.position + 1, performance.stage_handle, performance.return_to)
        )


def end_scenario(performance: Performance) -> None:
    keep_performance(None)
    choose_user(performance.return_to)
    put_on_stage(None)


def _set_the_stage(actor: User, scenario: Scenario) -> None:
    executor = make_executor(actor)
    for task in scenario.tasks:
        executor.execute(adding_from(task.arguments(now_here().date())), Origin("seed"))
