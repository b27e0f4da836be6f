"""The Machines page in a real browser, against the running workbench."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.workbench import Somebody
from ui.machines.bench_input import EXAMPLE_PAYLOAD


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name)


def say(page: Page, text: str, reply: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(text)
    box.press("Enter")
    expect(page.locator(".tl-reply").last).to_contain_text(reply)


@pytest.mark.thorough("tests/pages/test_machines.py::test_a_question_is_answered_by_button_and_undone")
def test_an_italian_request_is_asked_back_chosen_seen_and_undone_and_a_command_given_elsewhere_shows(
    open_page: OpenPage, maya: Somebody
) -> None:
    page = open_page("/machines")
    expect(card(page, "Frigo Cucina")).to_contain_text("light off")
    say(page, "Accendi la luce del frigo", "Quale?")
    expect(page.get_by_role("button", name="Frigo Cantina", exact=True)).to_be_visible()
    page.get_by_role("button", name="Frigo Cucina", exact=True).click()
    expect(page.locator(".tl-reply").last).to_contain_text("Frigo Cucina: luce accesa.")
    expect(card(page, "Frigo Cucina")).to_contain_text("light on")
    expect(page.locator(".tm-card.tl-changed")).to_have_count(1)
    expect(page.get_by_role("region", name="Engine").last).to_contain_text("your answer")
    say(page, "che temperatura ha?", "Frigo Cucina: temperatura")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(card(page, "Frigo Cucina")).to_contain_text("light off")
    expect(page.locator(".tl-reply").nth(1)).to_contain_text("undone")
    page.reload()
    expect(page.locator(".tl-reply")).to_have_count(3)
    expect(card(page, "Abbattitore")).to_contain_text("defrost idle")
    assert maya.call("machine_command_execute", device_name="Abbattitore", command_name="start_defrost").ok
    expect(card(page, "Abbattitore")).to_contain_text("defrost running")


@pytest.mark.thorough(
    "tests/pages/test_machines.py::test_both_lanes_stand_side_by_side",
    "tests/pages/test_inspect_domains.py::test_a_link_to_a_machine_turn_decides_it_as_it_was_decided",
    "tests/browser/test_narrow_screens.py::test_machines_have_their_box_in_sight_and_a_value_in_a_narrow_card_wraps_at_its_words",
)
def test_a_machine_turn_shows_both_lanes_and_is_taken_apart_on_inspect(open_page: OpenPage) -> None:
    page = open_page("/machines")
    say(page, "Accendi la luce di Frigo Cucina", "Frigo Cucina: luce accesa.")
    lanes = page.locator(".tl-lane")
    expect(lanes).to_have_count(2)
    expect(lanes.first).to_contain_text("Command a machine")
    link = page.get_by_role("link", name="Inspect").last.get_attribute("href")
    assert link
    inspect = open_page(link)
    expect(inspect.locator(".ti-verdict")).to_contain_text("Will command “Frigo Cucina”")
    expect(inspect.get_by_role("combobox", name="Domain")).to_have_value("Machines")
    expect(inspect.get_by_text("Which machine")).to_be_visible()
    expect(inspect.get_by_text("if “Frigo Cucina” were gone")).to_be_visible()


@pytest.mark.thorough("tests/pages/test_machines.py::test_a_payload_that_cannot_be_read_says_where")
def test_the_bench_reads_a_pasted_payload_and_says_where_it_is_wrong(open_page: OpenPage) -> None:
    page = open_page("/machines?view=Bench")
    page.get_by_text("Pasted payload").click()
    field = page.get_by_role("textbox", name="Payload")
    expect(page.locator(".tm-message")).to_contain_text("Ho trovato 2 macchine")
    field.fill(json.dumps({**EXAMPLE_PAYLOAD, "user_message": "Accendi la luce del frigo cucina"}))
    field.press("Control+Enter")
    expect(page.locator(".tm-verdict")).to_contain_text("Completes")
    expect(page.locator(".tm-call")).to_contain_text("turn on light")
    expect(page.get_by_role("table", name="Confidence")).to_contain_text("0.90")
    field.fill('{\n  "user_message": \n}')
    field.press("Control+Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("line 3, column 1")
