"""The Chat page, run by Streamlit's own test runner on the real store; the LLM is a real server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from streamlit.runtime.state.query_params import QueryParams
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.processes import say_goodbye
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.turns.conversations import list_conversations
from engine.values import Task
from settings import load_settings
from tests.llm.fault_server import Answer, FaultServer, call, hang, serve, stream
from tests.pages.opening import open_at
from tests.pages.test_tasks import here, person
from ui.panels.task_panel import panel_html
from ui.talk import live_turns
from ui.words import DRIVER_DOES, WITHOUT_LLM

ROOT = Path(__file__).parent.parent.parent
ServeModel = Callable[..., FaultServer]


@pytest.fixture(autouse=True)
def llm_off(monkeypatch: pytest.MonkeyPatch, workbench: Database) -> None:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, llm_off: None) -> Iterator[ServeModel]:
    """The LLM lane asks a server that gives these answers."""
    with ExitStack() as stack:

        def start(*answers: Answer) -> FaultServer:
            # The first answer goes to the probe for native tools.
            server = stack.enter_context(serve(stream(call("list_tasks", "{}")), *answers))
            monkeypatch.setenv("LLM_ENDPOINT", "auto")
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            monkeypatch.setenv("OPENAI_API_KEY", "sk-never-to-be-seen-anywhere")
            load_settings.cache_clear()
            return server

        yield start


def open_chat(**address: str) -> AppTest:
    return open_at("chat", address)


def say(page: AppTest, text: str) -> AppTest:
    page.chat_input[0].set_value(text).run()
    assert not page.exception
    return page


def wait_for_llm(page: AppTest) -> AppTest:
    """Until no LLM part is under way."""
    for thread in live_turns.threads():
        thread.join(20)
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def open_menu(page: AppTest) -> None:
    page.session_state["conversations_menu"] = True
    page.run()
    assert not page.exception


def conversation_of(page: AppTest) -> str:
    value = page.query_params["conversation"]
    return value if isinstance(value, str) else value[0]


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def tasks(database: Database, handle: str = "maya") -> dict[str, Task]:
    with database.read() as session:
        service = TaskService(session, person(database, handle), here)
        return {task.title: task for task in service.find_all(TaskQuery())}


def test_the_first_visit_explains_and_suggests(workbench: Database) -> None:
    page = open_chat()
    assert "Say it in your own words" in html(page)
    labels = [button.label for button in page.button]
    assert any("Small talk" in label for label in labels)
    assert WITHOUT_LLM in [caption.value for caption in page.caption], "whether the LLM is on is seen before a word"
    with workbench.read() as session:
        assert list_conversations(session, person(workbench).id) == (), "looking starts no conversation"


def test_the_driver_switch_says_what_the_chosen_one_does(workbench: Database, model: ServeModel) -> None:
    model()
    page = open_chat()
    assert DRIVER_DOES["router"] in [caption.value for caption in page.caption]
    page.segmented_control(key="driver_choice").set_value("llm_guarded").run()
    assert DRIVER_DOES["llm_guarded"] in [caption.value for caption in page.caption]
    switch = page.segmented_control(key="driver_choice")
    assert all(does in switch.help for does in DRIVER_DOES.values())


def test_more_tasks_than_the_panel_shows_are_a_link(workbench: Database) -> None:
    shown = panel_html([Task("a", 1, "Buy milk")], {}, (), 5_001, here(), "/tasks?user=maya")
    assert '<a href="/tasks?user=maya">and 5,000 more</a>' in shown


def test_a_suggestion_is_sent_like_a_message(workbench: Database) -> None:
    page = open_chat()
    suggestion = next(button for button in page.button if "Two at once" in button.label)
    suggestion.click().run()
    assert tasks(workbench)["Buy groceries"].completed
    assert "call Anna" in tasks(workbench)


def test_a_message_is_decided_done_and_shown_with_its_evidence(workbench: Database) -> None:
    page = say(open_chat(), "add a task to water the plants, high priority")
    shown = html(page)
    assert "Added &#39;water the plants&#39; (#21), high priority." in shown
    assert 'aria-label="Intent scores"' in shown
    assert "acts from 0.70" in shown
    assert "your words" in shown
    assert 'class="tl-changed"' in shown, "the task is marked beside the chat"
    assert tasks(workbench)["water the plants"].priority == "high"


def test_a_reload_loses_nothing(workbench: Database) -> None:
    page = say(open_chat(), "add a task to water the plants")
    again = open_chat(conversation=conversation_of(page))
    assert "water the plants" in html(again)
    say(again, "make it high priority")
    assert tasks(workbench)["water the plants"].priority == "high"


def test_anothers_conversation_is_not_opened(workbench: Database) -> None:
    page = say(open_chat(), "add a task to buy a secret present")
    other = open_chat(conversation=conversation_of(page), user="jonas")
    assert "secret present" not in html(other)
    assert "conversation" not in other.query_params


def test_deleting_is_confirmed_by_a_button_and_undone_by_another(workbench: Database) -> None:
    page = say(open_chat(), "delete renew passport")
    assert "Renew passport" in tasks(workbench)
    press(page, "Yes")
    assert "Renew passport" not in tasks(workbench)
    assert "tl-gone" in html(page)
    press(page, "Undo")
    assert "Renew passport" in tasks(workbench)
    assert "undone" in html(page)


def test_an_ambiguous_target_is_chosen_by_button(workbench: Database) -> None:
    page = say(open_chat(), "complete buy")
    press(page, "#9 Buy oat milk")
    assert tasks(workbench)["Buy oat milk"].completed


def test_older_turns_fold_and_many_are_paged(workbench: Database) -> None:
    page = open_chat()
    for number in range(11):
        say(page, f"hello number {number}")
    assert html(page).count("<details") == 7
    assert "hello number 2<" not in html(page)
    press(page, "Show 3 earlier turns")
    assert "hello number 2<" in html(page)


def test_text_from_outside_is_never_markup(workbench: Database) -> None:
    page = say(open_chat(), "add a task called <img src=x onerror=alert(1)>")
    assert "<img" not in html(page)
    assert "&lt;img" in html(page)


def test_an_empty_message_is_not_sent(workbench: Database) -> None:
    page = say(open_chat(), "   ")
    with workbench.read() as session:
        assert list_conversations(session, person(workbench).id) == ()
    assert "Say it in your own words" in html(page)


def test_both_lanes_are_shown_with_what_differs(workbench: Database, model: ServeModel) -> None:
    model(stream(call("add_task", json.dumps({"title": "water the plants", "priority": "low"}))))
    page = wait_for_llm(say(open_chat(), "add a task to water the plants, high priority"))
    shown = html(page)
    assert "≠ Differ" in shown
    assert '<b title="priority">priority</b>: high' in shown
    assert "9 + 4 tokens" in shown
    assert "sk-never" not in shown


def test_a_broken_llm_is_one_plain_sentence_and_the_turn_goes_on(workbench: Database, model: ServeModel) -> None:
    server = model(b"HTTP/1.1 500 no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    server.answers[0] = server.answers[1]
    page = wait_for_llm(say(open_chat(), "add a task to water the plants"))
    assert "water the plants" in tasks(workbench)
    assert "The model&#39;s server has a problem of its own (status 500)." in html(page)
    assert "Traceback" not in html(page)


def test_while_the_llm_drives_the_input_waits_and_stop_lets_the_engine_do_it(
    workbench: Database, model: ServeModel
) -> None:
    server = model(hang)
    page = open_chat()
    page.segmented_control(key="driver_choice").set_value("llm").run()
    say(page, "add a task to water the plants")
    assert page.chat_input[0].disabled
    assert "water the plants" not in tasks(workbench)
    assert server.asked.wait(20)
    press(page, "Stop the LLM")
    wait_for_llm(page)
    assert not page.chat_input[0].disabled
    assert "water the plants" in tasks(workbench)
    assert "LLM stopped" in html(page)


def test_a_turn_that_a_stopped_workbench_left_behind_is_given_up(workbench: Database, model: ServeModel) -> None:
    model(hang)
    page = open_chat()
    page.segmented_control(key="driver_choice").set_value("llm").run()
    say(page, "add a task to water the plants")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_turns, "_running", {})  # as after a restart: nobody remembers it
        with workbench.write() as session:
            say_goodbye(session, here())
        page.run()
        page.run()
    assert "Nothing was done: the workbench was stopped" in html(page)
    assert not page.chat_input[0].disabled


def test_a_turn_that_was_cut_off_in_the_middle_says_what_was_done_and_is_gone_on_with(
    workbench: Database, model: ServeModel
) -> None:
    asked_again = threading.Event()

    def hang_at_the_second_question(server: FaultServer, out: object) -> None:
        asked_again.set()
        hang(server, out)

    title = next(iter(tasks(workbench)))
    done = stream(call("complete_task", json.dumps({"task_identifier": title})))
    added = stream(call("add_task", json.dumps({"title": "water the plants"})))
    server = model(done, hang_at_the_second_question, added, stream({"content": "Both are done."}))
    page = open_chat()
    page.segmented_control(key="driver_choice").set_value("llm").run()
    say(page, f"mark {title} as done and add a task to water the plants")
    assert asked_again.wait(20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_turns, "_running", {})  # as after a restart: nobody remembers it
        with workbench.write() as session:
            say_goodbye(session, here())
        page.run()
        page.run()
        assert "cut off before it was finished" in html(page)
        assert tasks(workbench)[title].completed
        assert {"Go on", "Undo"} <= {button.label for button in page.button}
        press(page, "Go on")
        server.released.set()  # whoever hung until now comes back, and must not do it once more
        wait_for_llm(page)
    assert "Both are done." in html(page)
    assert "water the plants" in tasks(workbench)
    assert "Go on" not in {button.label for button in page.button}


def test_a_turn_that_waits_for_nobody_has_a_stop_at_once(workbench: Database, model: ServeModel) -> None:
    model(hang)
    page = open_chat()
    page.segmented_control(key="driver_choice").set_value("llm").run()
    say(page, "add a task to water the plants")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_turns, "_running", {})  # its thread is gone, whatever ended it
        page.run()
        assert page.chat_input[0].disabled
        press(page, "Stop the LLM")
        assert not page.chat_input[0].disabled
    assert "water the plants" not in tasks(workbench)


def test_conversations_are_named_resumed_exported_and_cleared(workbench: Database) -> None:
    page = say(open_chat(), "add a task to water the plants")
    first = conversation_of(page)
    open_menu(page)
    page.text_input(key=f"name-{first}").set_value("Garden").run()
    press(page, "New conversation")
    assert "conversation" not in page.query_params
    say(page, "hello there")
    open_menu(page)
    resume = next(button for button in page.button if button.label.startswith("Garden"))
    resume.click().run()
    assert conversation_of(page) == first
    assert "water the plants" in html(page)
    open_menu(page)
    press(page, "Clear this conversation")
    with workbench.read() as session:
        assert [each.title for each in list_conversations(session, person(workbench).id)] == ["hello there"]
    assert "water the plants" in tasks(workbench), "the tasks stay"


def test_what_is_chosen_in_a_menu_closes_it(workbench: Database) -> None:
    """A menu that stays open covers what it started."""
    page = say(open_chat(), "add a task to water the plants")
    open_menu(page)
    press(page, "New conversation")
    assert not page.session_state["conversations_menu"]
    open_menu(page)
    next(button for button in page.button if str(button.key).startswith("conversation-")).click().run()
    assert not page.session_state["conversations_menu"]


def test_who_drives_is_no_filter_of_history(workbench: Database) -> None:
    """Chosen for the chat, it was a filter of History, in its address, and Back needed two presses."""
    page = say(open_chat(), "add a task to water the plants")
    page.segmented_control(key="driver_choice").set_value("router").run()
    history = AppTest.from_file(str(Path(__file__).parents[2] / "pages" / "history.py"), default_timeout=60)
    for name in ("domain", "decider", "intent", "action", "reason", "driver", "lane", "route", "verdict"):
        if name in page.session_state:  # what one page leaves behind, the next one finds
            history.session_state[name] = page.session_state[name]
    history.run()
    assert not history.exception
    assert "driver" not in history.query_params
    assert not [button for button in history.button if str(button.key).startswith("chip-")]


def test_the_address_is_told_when_a_conversation_begins_and_not_with_every_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    tell = QueryParams._send_query_param_msg
    monkeypatch.setattr(QueryParams, "_send_query_param_msg", lambda params: (told.append(str(params)), tell(params)))
    page = open_chat()
    for text in ("add a task to water the plants", "add a task to pay the rent"):
        say(page, text)
    assert page.query_params["conversation"]
    assert len(told) == 1
