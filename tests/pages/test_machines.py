"""The Machines page, run by Streamlit's own test runner on the real store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.audit import Origin
from db.connection import Database
from db.machines.models import MachineRow
from db.machines.seed import touch_fleet
from db.turns.conversations import list_conversations
from db.users import create_user
from engine.values import make_call
from settings import load_settings
from tests.llm.fault_server import call, serve, stream
from tests.pages.opening import open_at
from tests.pages.test_tasks import person
from ui.machines.bench_input import EXAMPLE_PAYLOAD
from ui.resources import make_executor, now_here, open_once
from ui.talk import live_turns

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.usefixtures("workbench", "llm_off")


@pytest.fixture
def llm_off(monkeypatch: pytest.MonkeyPatch, workbench: Database) -> None:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()


def open_machines(**address: str) -> AppTest:
    return open_at("machines", address)


def say(page: AppTest, text: str) -> AppTest:
    page.chat_input[0].set_value(text).run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "".join(each.proto.body for each in page.get("html") if not each.proto.body.startswith("<style"))


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def state_of(workbench: Database, name: str, handle: str = "maya") -> dict[str, str]:
    user = person(workbench, handle)
    result = make_executor(user).execute(make_call("device_detail", {"device_name": name}, "person"), Origin("person"))
    state = result.payload["state"]
    assert isinstance(state, dict)
    return state


def test_the_fleet_is_shown_with_its_state() -> None:
    drawn = html(open_machines())
    for words in ("Frigo Cucina", "FRIGO001", "● connected", "○ not connected", "power <b>on</b>", "°C"):
        assert words in drawn


def test_a_request_is_carried_out_and_its_card_is_marked(workbench: Database) -> None:
    page = say(open_machines(), "turn on the light of Frigo Cucina")
    drawn = html(page)
    assert "Frigo Cucina: light switched on." in drawn
    assert "tm-card tl-changed" in drawn
    assert "machine_command_execute" in drawn
    assert "/inspect?turn=" in drawn
    assert state_of(workbench, "Frigo Cucina")["light"] == "on"


def test_a_question_is_answered_by_button_and_undone(workbench: Database) -> None:
    page = say(open_machines(), "accendi la luce del frigo")
    assert {"Frigo Cucina", "Frigo Sala", "Frigo Cantina", "None of them"} <= set(labels(page))
    page = press(page, "Frigo Cucina")
    assert state_of(workbench, "Frigo Cucina")["light"] == "on"
    assert "Frigo Sala" not in labels(page), "the question is no longer open"
    page = press(page, "Undo")
    assert state_of(workbench, "Frigo Cucina")["light"] == "off"
    assert ">undone<" in html(page)
    assert "Undo" not in labels(page)


def test_none_of_them_does_nothing(workbench: Database) -> None:
    page = press(say(open_machines(), "spegni il frigo"), "None of them")
    assert "nothing was done" in html(page) or "non è stato fatto nulla" in html(page)
    assert state_of(workbench, "Frigo Cucina")["power"] == "on"


def test_what_people_often_do_next_is_one_click_away(workbench: Database) -> None:
    page = say(open_machines(), "turn on the light of Frigo Cucina")
    offered = [button for button in page.button if button.key and button.key.startswith("next-")]
    assert offered
    offered[0].click().run()
    assert not page.exception
    with workbench.read() as session:
        assert [each.turns for each in list_conversations(session, person(workbench).id, domain="machines")] == [2]


def test_what_was_learned_is_shown_and_forgotten() -> None:
    page = press(say(open_machines(), "accendi la luce del frigo"), "Frigo Cucina")
    assert any("Frigo Cucina" in each.value and "once so far" in each.value for each in page.markdown)
    page = press(page, "Forget all")
    assert not any("so far" in each.value for each in page.markdown)


def test_clearing_the_chat_leaves_the_machines(workbench: Database) -> None:
    page = press(say(open_machines(), "turn off Frigo Cucina"), "Clear the chat")
    assert "Say as little as you like." in html(page)
    assert state_of(workbench, "Frigo Cucina")["power"] == "off"


def test_an_example_can_be_tried_with_a_click() -> None:
    page = open_machines()
    next(button for button in page.button if button.key == "first-words-0").click().run()
    assert "Frigo Cucina: luce accesa." in html(page)


def test_everybody_has_machines_of_their_own(workbench: Database) -> None:
    drawn = html(open_machines(user="jonas"))
    assert "Blast chiller" in drawn
    assert "Frigo Cucina" not in drawn
    page = say(open_machines(user="jonas"), "turn off FRIGO001")
    assert "tl-changed" not in html(page)
    assert state_of(workbench, "Frigo Cucina")["power"] == "on"


def test_a_person_without_machines_can_load_the_demo_fleet(workbench: Database) -> None:
    with workbench.write() as session:
        user = create_user(session, "Nora")
    page = open_machines(user=user.handle)
    assert [info.value for info in page.info] == ["You have no machines yet."]
    page = press(page, "Load demo machines")
    assert "Frigo Cucina" in html(page)


def test_a_large_fleet_is_searched(workbench: Database) -> None:
    with workbench.write() as session:
        for number in range(30):
            key = f"vetrina {number}"
            session.add(
                MachineRow(
                    id=key,
                    user_id=person(workbench).id,
                    name=key.title(),
                    name_key=key,
                    serial=f"V{number:03}",
                    serial_key=f"v{number:03}",
                    created_at=now_here(),
                )
            )
        touch_fleet(session, person(workbench).id)
    page = open_machines()
    assert "and 12 more" in html(page)
    page.text_input(key="machine_search").set_value("vetrina 29").run()
    assert "Vetrina 29" in html(page)
    assert "Abbattitore" not in html(page)
    page.text_input(key="machine_search").set_value("nowhere").run()
    assert any("No machine has these words" in caption.value for caption in page.caption)


def test_hostile_words_are_shown_as_they_are() -> None:
    page = say(open_machines(), "<img src=x onerror=alert(1)>")
    assert "<img" not in html(page)
    assert "&lt;img src=x" in html(page)


def test_switched_off_the_page_says_so(monkeypatch: pytest.MonkeyPatch, workbench: Database) -> None:
    monkeypatch.setenv("ENABLE_INTELLIGENT_COMPOSITION", "false")
    load_settings.cache_clear()
    page = open_machines()
    assert "completing is switched off" in page.segmented_control(key="view").label
    page = say(page, "turn off Frigo Cucina")
    assert "switched off" in html(page)
    assert state_of(workbench, "Frigo Cucina")["power"] == "on"


def test_while_the_store_is_busy_the_page_says_so_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, workbench: Database, database_url: str
) -> None:
    monkeypatch.setenv("DATABASE_PATIENCE_SECONDS", "0.2")
    load_settings.cache_clear()
    open_once.cache_clear()
    page = open_machines()
    with workbench.write():
        page = say(page, "turn off Frigo Cucina")
    assert any("busy" in error.value and "turn off Frigo Cucina" in error.value for error in page.error)
    assert state_of(workbench, "Frigo Cucina")["power"] == "on"
    say(page, "turn off Frigo Cucina")
    assert state_of(workbench, "Frigo Cucina")["power"] == "off"


def open_bench() -> AppTest:
    return open_machines(view="Bench")


def test_the_bench_shows_the_reasoning_of_a_call_by_hand() -> None:
    page = open_bench()
    page.text_input(key="bench_message").set_value("Accendi la luce del frigo").run()
    drawn = html(page)
    assert "Asks back" in drawn
    assert "several machines fit" in drawn
    assert "action: turn on" in drawn
    assert "by a part of its name or place" in drawn
    page.text_area(key="bench_arguments").set_value('{"device_name": "Frigo Sala"}').run()
    assert not page.exception
    drawn = html(page)
    assert "Completes" in drawn
    assert "as it runs" in drawn


def test_the_conversation_on_the_bench_counts() -> None:
    page = open_bench()
    page.text_area(key="bench_history").set_value(
        "user: Ho un problema con il frigo cucina\nassistant: Posso aiutarti. Cosa succede?"
    ).run()
    drawn = html(page)
    assert "Completes" in drawn
    assert "conversation" in drawn


def test_a_mistake_on_the_bench_is_told_with_its_place() -> None:
    page = open_bench()
    page.text_area(key="bench_arguments").set_value('{"device_name": }').run()
    assert not page.exception
    assert any("line 1, column 17" in error.value.replace("\\", "") for error in page.error)


def test_a_pasted_payload_brings_its_own_machines() -> None:
    page = open_bench()
    page.segmented_control(key="bench_source").set_value("Pasted payload").run()
    assert "Ho trovato 2 macchine" in html(page)
    payload = {**EXAMPLE_PAYLOAD, "user_message": "Avvia lo sbrinamento"}
    page.text_area(key="bench_payload").set_value(json.dumps(payload)).run()
    assert not page.exception
    drawn = html(page)
    assert "Completes" in drawn
    assert "start_defrost" in drawn
    page.segmented_control(key="bench_fleet_2").set_value("My machines").run()
    assert "Asks back" in html(page)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ('{"user_message": 5}', "user_message must be a text"),
        ('{"function_call": {}}', "function_call.name is missing"),
        ('{"user_message": "x", "machine_context": [{"id": "a"}]}', "machine_context[1].name is missing"),
        ("[]", "Payload must be a JSON object"),
        ('{"user_message": "x", "conversation_history": [5]}', "history"),
    ],
)
def test_a_payload_that_cannot_be_read_says_where(payload: str, words: str) -> None:
    page = open_bench()
    page.segmented_control(key="bench_source").set_value("Pasted payload").run()
    page.text_area(key="bench_payload").set_value(payload).run()
    assert not page.exception
    assert any(words in error.value.replace("\\", "") for error in page.error)


def test_a_call_about_tasks_is_completed_from_the_persons_own() -> None:
    page = open_bench()
    page.selectbox(key="bench_tool").set_value("complete_task").run()
    page.text_input(key="bench_message").set_value("mark the passport task as done").run()
    assert not page.exception
    assert "Completes" in html(page)
    assert "Complete a task" in html(page)


def test_nothing_on_the_bench_is_carried_out(workbench: Database) -> None:
    page = open_bench()
    page.text_input(key="bench_message").set_value("Spegni il frigo cucina").run()
    assert "Completes" in html(page)
    assert state_of(workbench, "Frigo Cucina")["power"] == "on"


def test_both_lanes_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = json.dumps({"device_name": "Frigo Cucina", "command_name": "turn_on_light"})
    answers = stream(call("machine_command_execute", arguments), finish="tool_calls"), stream({"content": "Done."})
    probed = stream(call("list_tasks", "{}"))  # the first answer goes to the probe for native tools
    with serve(probed, *answers) as server:
        monkeypatch.setenv("LLM_ENDPOINT", "auto")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-never-to-be-seen-anywhere")
        monkeypatch.setenv("OPENAI_MODEL", "m")
        load_settings.cache_clear()
        page = say(open_machines(), "turn on the light of Frigo Cucina")
        for thread in live_turns.threads():
            thread.join(20)
        page.run()
    drawn = html(page)
    assert "Frigo Cucina: light switched on." in drawn
    assert drawn.count("turn on light") >= 2
    assert "tl-agree" in drawn
