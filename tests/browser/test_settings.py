"""The Settings page in a real browser, against the running workbench and endpoints that answer for real."""

from __future__ import annotations

import socket

import pytest
from playwright.sync_api import Locator, Page, expect

from llm.prices import find_price, load_prices
from tests.browser.conftest import SIZES, OpenPage, wait_until_drawn, wait_until_same
from tests.browser.grid import Grid
from tests.llm.fault_server import call, serve, status, stream
from tests.workbench import Workbench

KEY = "sk-nobody-may-see-this-key-0000"
LISTED = status(200, body='{"object": "list", "data": [{"id": "large"}, {"id": "small"}]}')
PRICE = 2
"""Its column in the table of prices: behind the one that picks rows and the models' names."""
CALLS = stream(call("add_task", '{"title": "buy milk"}'))


def alert(page: Page, text: str) -> Locator:
    return page.get_by_test_id("stAlert").filter(has_text=text)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def type_address(page: Page, address: str) -> None:
    page.get_by_role("radio", name="Another address").click()
    field = page.get_by_role("textbox", name="Address")
    field.fill(address)
    field.press("Tab")
    expect(field).to_have_value(address)


def use_address(page: Page, address: str, model_name: str) -> None:
    """From now on, the LLM of this browser session is the one at this address."""
    type_address(page, address)
    model = page.get_by_role("combobox", name="Model's name")
    model.fill(model_name)
    model.press("Enter")
    press(page, "Use this connection")
    expect(alert(page, f"Now in use: {model_name}")).to_be_visible()


def slider(page: Page, label: str) -> Locator:
    return page.get_by_role("slider", name=label)


def test_an_address_is_tested_used_and_its_key_shown_nowhere(open_page: OpenPage, workbench: Workbench) -> None:
    with serve(LISTED, CALLS) as server:
        page = open_page("/settings")
        expect(page.get_by_text("The LLM lane is off")).to_be_visible()
        type_address(page, server.url)
        page.get_by_role("textbox", name="Key").fill(KEY)
        press(page, "Test connection")
        expect(alert(page, "large at")).to_contain_text("calls tools natively")
        press(page, "Use this connection")
        expect(alert(page, "Now in use: large")).to_be_visible()
        expect(page.get_by_text("Key …0000")).to_be_visible()
        expect(page.get_by_role("textbox", name="Key")).to_have_value("")
        assert KEY not in page.content()
        assert KEY not in page.url
        assert any(KEY in line for line in server.headers)
    kept = b"".join(each.read_bytes() for each in workbench.folder.iterdir() if each.is_file())
    assert KEY.encode() not in kept  # neither in the database nor in the server's log


@pytest.mark.thorough(
    "tests/ui/test_kept_choices.py::test_what_was_chosen_holds_in_another_tab_and_in_no_other_browser"
)
def test_what_was_chosen_is_there_after_a_visit_to_another_page_and_gone_in_another_session(
    open_page: OpenPage,
) -> None:
    page = open_page("/settings")
    expect(slider(page, "Act by itself from")).to_have_attribute("aria-valuetext", "0.70")
    slider(page, "Act by itself from").press("ArrowRight")
    expect(page.get_by_text("Changed: act by itself from 0.71")).to_be_visible()
    use_address(page, "http://localhost:9/v1", "typed-by-hand")
    page.get_by_role("link", name="Tasks").click()
    expect(page.get_by_role("heading", name="Tasks", level=1)).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_text("typed-by-hand · localhost:9")).to_be_visible()
    expect(slider(page, "Act by itself from")).to_have_attribute("aria-valuetext", "0.71")
    expect(page.get_by_role("textbox", name="Address")).to_have_value("http://localhost:9/v1")
    other = open_page("/settings")
    expect(other.get_by_text("The LLM lane is off")).to_be_visible()
    expect(slider(other, "Act by itself from")).to_have_attribute("aria-valuetext", "0.70")


@pytest.mark.thorough("tests/pages/test_settings.py::test_a_dead_address_says_so")
def test_a_dead_address_gives_its_sentence_and_nothing_runs_out_of_the_window(open_page: OpenPage) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        page = open_page("/settings")
        type_address(page, f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        press(page, "Test connection")
        expect(alert(page, "cannot be reached")).to_contain_text("Is the server running?")
    expect(page.get_by_text("Traceback")).to_have_count(0)
    for width, height in SIZES:  # with all fields of a connection, which the page as it opens does not have
        page.set_viewport_size({"width": width, "height": height})
        wait_until_same(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth", True)


@pytest.mark.thorough(
    "tests/pages/test_settings.py::test_a_table_that_was_saved_is_shown_and_looking_at_it_changes_nothing"
)
def test_a_price_is_edited_saved_for_everybody_and_taken_back(open_page: OpenPage, workbench: Workbench) -> None:
    prices = workbench.folder / "prices.yaml"
    page = open_page("/settings")
    grid = Grid(page)
    expect(grid.cell(0, PRICE)).to_have_text("1.25")
    wait_until_drawn(page)
    grid.type_into(0, PRICE, "-1")
    expect(alert(page, "Not saved yet")).to_contain_text("between 0")
    assert not prices.exists()
    grid.type_into(0, PRICE, "3.5")
    expect(alert(page, "10 prices saved")).to_be_visible()
    price = find_price(load_prices(prices), "gpt-5")
    assert price
    assert price.input_usd == 3.5
    other = open_page("/settings")
    expect(Grid(other).cell(0, PRICE)).to_have_text("3.5")
    press(other, "Back to the prices that come along")
    press(other, "Remove it")
    expect(alert(other, "Back to the prices")).to_be_visible()
    assert not prices.exists()
