"""The Chat page in a real browser, against the running workbench."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_accessibility import GROUNDS
from tests.browser.test_settings import use_address
from tests.llm.fault_server import FaultServer, call, hang, serve, stream
from tests.workbench import Somebody


def chat(open_page: OpenPage, path: str = "/chat") -> Page:
    page = open_page(path)
    expect(input_of(page)).to_be_enabled()
    return page


def input_of(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def say(page: Page, text: str, reply: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(text)
    box.press("Enter")
    expect(last_reply(page)).to_contain_text(reply)


def last_reply(page: Page) -> Locator:
    return page.locator(".tl-reply").last


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).last.click()


def test_the_bare_address_leads_to_a_chat_where_small_talk_calls_nothing_and_a_task_is_added_and_marked(
    open_page: OpenPage, maya: Somebody
) -> None:
    before = maya.tasks()
    page = chat(open_page, "/")
    expect(page).to_have_url(re.compile(f"/chat.*user={maya.handle}"))
    expect(page.locator(".tl-tasks")).to_contain_text("Renew passport")
    say(page, "what a lovely morning", "I look after your tasks")
    expect(page.get_by_role("region", name="Engine").locator(".tl-tool")).to_have_count(0)
    assert maya.tasks() == before
    say(page, "add a task to water the plants tomorrow", "Added 'water the plants' (#21), due tomorrow.")
    expect(page.get_by_role("region", name="Engine").last).to_contain_text("Add a task")
    expect(page.locator(".tl-tasks .tl-changed")).to_contain_text("water the plants")
    assert "water the plants" in [task.title for task in maya.tasks()]
    say(page, "add a task to call Anna and mark buy groceries as done", "'Buy groceries' (#6) is done.")
    expect(page.get_by_role("region", name="Engine").last.locator(".tl-tool")).to_have_text(
        ["Add a task", "Complete a task"]
    )
    expect(page.locator(".tl-tasks .tl-changed")).to_have_count(2)


@pytest.mark.thorough("tests/pages/test_chat.py::test_a_reload_loses_nothing")
def test_the_second_one_of_a_list_is_completed_and_a_reload_loses_nothing(open_page: OpenPage, maya: Somebody) -> None:
    page = chat(open_page)
    say(page, "show my tasks", "10 of your 20 tasks")
    second = page.locator(".tl-list li").nth(1).inner_text()
    say(page, "mark the second one as done", "is done")
    number = re.search(r"#(\d+)", second)
    assert number
    done = {task.number for task in maya.tasks(filter="completed")}
    assert int(number[1]) in done
    say(page, "delete renew passport", "Are you sure")
    page.reload()
    expect(last_reply(page)).to_contain_text("Are you sure")
    press(page, "No")
    expect(last_reply(page)).to_contain_text("I leave it")
    expect(page.locator(".tl-said")).to_have_count(4)


@pytest.mark.thorough("tests/pages/test_chat.py::test_an_ambiguous_target_is_chosen_by_button")
def test_an_ambiguous_delete_is_chosen_confirmed_and_undone_by_button(open_page: OpenPage, maya: Somebody) -> None:
    page = chat(open_page)
    say(page, "delete buy", "Which one did you mean")
    press(page, "#9 Buy oat milk")
    expect(last_reply(page)).to_contain_text("Are you sure")
    press(page, "Yes")
    expect(last_reply(page)).to_contain_text("Deleted 'Buy oat milk'")
    assert "Buy oat milk" not in [task.title for task in maya.tasks()]
    press(page, "Undo")
    expect(last_reply(page)).to_contain_text("undone")
    assert "Buy oat milk" in [task.title for task in maya.tasks()]


@pytest.mark.thorough("tests/pages/test_chat.py::test_anothers_conversation_is_not_opened")
def test_two_people_never_see_each_others_tasks_or_words(open_page: OpenPage, maya: Somebody, jonas: Somebody) -> None:
    hers, his = chat(open_page), chat(open_page, f"/chat?user={jonas.handle}")
    say(hers, "add a task to buy a secret present", "Added 'buy a secret present'")
    say(his, "mark the secret present task as done", "couldn't find")
    expect(his.locator(".tl-tasks")).not_to_contain_text("secret present")
    expect(his.locator(".tl-tasks")).to_contain_text("Pay the rent")
    stolen = chat(open_page, hers.url[hers.url.index("/chat") :].replace(maya.handle, jonas.handle))
    expect(stolen.get_by_text("Say it in your own words")).to_be_visible()


@pytest.mark.thorough(
    "tests/browser/test_tasks.py::test_two_tabs_see_each_others_changes_and_those_made_elsewhere_without_a_reload"
)
def test_two_tabs_on_one_conversation_show_the_same(open_page: OpenPage) -> None:
    one = chat(open_page)
    say(one, "add a task to water the plants", "Added")
    other = chat(open_page, one.url[one.url.index("/chat") :])
    say(other, "make it high priority", "high priority")
    expect(last_reply(one)).to_contain_text("high priority")
    say(one, "mark it as done", "is done")
    expect(last_reply(other)).to_contain_text("is done")


def test_the_keyboard_is_enough_and_the_sidebar_shows_where_it_is(open_page: OpenPage, maya: Somebody) -> None:
    page = chat(open_page)
    say(page, "delete renew passport", "Are you sure")
    page.get_by_role("button", name="Yes", exact=True).focus()
    page.keyboard.press("Enter")
    expect(last_reply(page)).to_contain_text("Deleted")
    page.locator(".tl-fold summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tl-fold").first.get_by_role("region", name="Engine")).to_be_visible()
    page.get_by_test_id("stSidebarNavLink").first.focus()
    page.keyboard.press("Tab")
    focused = page.locator("[data-testid=stSidebarNavLink]:focus-visible")
    expect(focused).to_have_css("outline-style", "solid")
    expect(focused).to_have_css("outline-width", "3px")


@pytest.mark.thorough("tests/browser/test_accessibility.py::test_nothing_keeps_people_from_using_a_page")
def test_text_has_enough_contrast_in_both_themes(open_page: OpenPage) -> None:
    page = chat(open_page)
    say(page, "mark delete old backups as done", "is done")
    say(page, "what a lovely morning", "I look after")
    page.locator(".tl-fold summary").first.click()
    for theme, ground in GROUNDS.items():
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", ground)
        assert page.evaluate(CONTRAST, READ) == [], theme


READ = [".tl-muted", ".tl-verdict", ".tl-route", ".tl-source", ".tl-tool", ".tl-time", ".tl-lane b", ".tl-tasks td",
        ".tl-chip", ".tl-said", ".tl-between a"]  # fmt: skip
CONTRAST = """(selectors) => {
  const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
  const paint = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = (pixel) => {
    const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = [0, 1, 2].map((i) => linear(pixel[i] / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const grounds = (element) => {
    const found = [];
    for (let each = element; each; each = each.parentElement) found.unshift(getComputedStyle(each).backgroundColor);
    return found;
  };
  const faint = [];
  for (const selector of selectors) for (const element of document.querySelectorAll(selector)) {
    if (!element.checkVisibility() || !element.innerText.trim()) continue;
    const ground = grounds(element);
    const [one, other] = [light(paint(ground)), light(paint([...ground, getComputedStyle(element).color]))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faint.push(`${selector} ${element.innerText.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return faint;
}"""


@pytest.fixture
def model() -> Iterator[FaultServer]:
    with serve(stream(call("list_tasks", "{}"))) as server:
        yield server


def chat_with(open_page: OpenPage, model: FaultServer) -> Page:
    """The chat of a session that has chosen this model on the Settings page."""
    page = open_page("/settings")
    use_address(page, model.url, "scripted")
    page.get_by_role("link", name="Chat").click()
    expect(page.get_by_role("heading", name="Chat", level=1)).to_be_attached()
    expect(input_of(page)).to_be_enabled()
    return page


@pytest.mark.thorough(
    "tests/pages/test_chat.py::test_while_the_llm_drives_the_input_waits_and_stop_lets_the_engine_do_it"
)
def test_an_llm_that_hangs_delays_nothing_and_the_page_does_not_jump(open_page: OpenPage, model: FaultServer) -> None:
    model.answers.append(hang)
    page = chat_with(open_page, model)
    page.get_by_role("radio", name="Engine", exact=True).click()
    say(page, "hello", "I look after your tasks")
    say(page, "add a task to water the plants", "Added 'water the plants'")
    expect(page.get_by_text("Say it in your own words")).to_have_count(0)
    engine, llm = page.get_by_role("region", name="Engine"), page.get_by_role("region", name="LLM")
    expect(llm).to_contain_text("Thinking")
    stop = page.get_by_role("button", name="Stop the LLM")
    expect(stop).to_have_count(1)  # the one of the turn before goes when the page is drawn
    place = engine.bounding_box()
    stop.click()
    expect(page.get_by_text("LLM stopped")).to_be_visible()
    assert engine.bounding_box() == place


@pytest.mark.thorough("tests/pages/test_chat.py::test_a_broken_llm_is_one_plain_sentence_and_the_turn_goes_on")
def test_the_llm_drives_and_the_engine_takes_over_when_it_breaks(open_page: OpenPage, model: FaultServer) -> None:
    title = json.dumps({"title": "buy tea"})
    model.answers += [
        stream(call("add_task", title)),
        stream({"content": "Tea is on your list."}),
        b"HTTP/1.1 401 no\r\n\r\n",
    ]
    page = chat_with(open_page, model)
    page.get_by_role("radio", name="LLM", exact=True).click()
    say(page, "please add tea to my list", "Added 'buy tea'")
    expect(last_reply(page)).to_contain_text("The model says: “Tea is on your list.”")
    expect(page.get_by_text("The LLM drives.")).to_be_visible()
    say(page, "add a task to water the plants", "Added 'water the plants'")
    expect(page.get_by_text("The LLM gave no answer, so the engine decided.")).to_be_visible()
    expect(page.get_by_role("region", name="LLM").last).to_contain_text("refused the key")
