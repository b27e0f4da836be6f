"""A tab goes from test to test, and nothing goes with it."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.tabs import give_back, take_tab
from tests.workbench import Workbench

LEAVE_TRACES = """() => {
  localStorage.setItem("kept", "here"); sessionStorage.setItem("kept", "there"); document.cookie = "kept=everywhere";
}"""
LOOK = """() => [localStorage.length, sessionStorage.length, document.cookie, innerWidth,
                 matchMedia("(prefers-color-scheme: dark)").matches]"""


def test_a_tab_comes_back_empty_alone_and_knows_nothing(browser: Browser, workbench: Workbench) -> None:
    page = take_tab(browser, 800, 600, "dark")
    page.goto(f"{workbench.url}/health")
    page.evaluate(LEAVE_TRACES)
    assert page.evaluate(LOOK) == [1, 1, "kept=everywhere", 800, True]
    with page.context.expect_page():
        page.evaluate("() => { window.open('/health'); }")
    give_back(page)

    again = take_tab(browser, 1440, 900, "light")
    assert again is page
    assert again.locator("body").inner_html() == ""
    assert again.context.pages == [again]
    again.goto(f"{workbench.url}/health")
    assert again.evaluate(LOOK) == [0, 0, "", 1440, False]
    give_back(again)


def test_a_tab_that_was_closed_is_not_given_to_another(browser: Browser) -> None:
    page = take_tab(browser, 800, 600, "light")
    page.close()
    give_back(page)
    another = take_tab(browser, 800, 600, "light")
    assert not another.is_closed()
    give_back(another)


def test_what_a_page_stores_while_its_tab_is_taken_from_it_is_gone_too(browser: Browser, workbench: Workbench) -> None:
    page = take_tab(browser, 800, 600, "light")
    page.goto(f"{workbench.url}/health")
    page.evaluate("""() => {
      const store = () => { localStorage.setItem("kept", "late"); sessionStorage.setItem("kept", "late"); };
      setInterval(store, 0); addEventListener("pagehide", store);
    }""")
    give_back(page)

    again = take_tab(browser, 800, 600, "light")
    assert again is page
    again.goto(f"{workbench.url}/health")
    assert again.evaluate(LOOK)[:2] == [0, 0]
    give_back(again)
