"""axe-core over every page, in both themes and three widths: nothing serious, nothing critical."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from evals.evaluate.deciders import DeciderSpec
from evals.evaluate.own_files import read_own_file
from evals.evaluate.room import begin_run
from tests.browser.conftest import SECONDS, NewTab, as_somebody, show, wait_until_drawn
from tests.browser.get_axe import find_axe
from tests.workbench import Somebody

PAGES = {
    "Chat": ("/chat",),
    "Inspect": ("/inspect?text=delete+the+passport+task",),
    "Compare": ("/compare",),
    "Evaluate": ("/evaluate", "/evaluate?view=confusion", "/evaluate?view=calibration", "/evaluate?view=messages"),
    "Policy": (
        "/policy?text=I+keep+forgetting+the+milk&want=add_task",
        "/policy?view=browse",
        "/policy?view=edit",
        "/policy?view=versions",
    ),
    "History": ("/history", "/history?view=review", "/history?view=clients"),
    "Tasks": ("/tasks",),
    "Machines": ("/machines", "/machines?view=Bench"),
    "Tools": ("/tools", "/tools?view=registry", "/tools?view=mapping", "/tools?view=guidance"),
    "Settings": ("/settings",),
}
WIDTHS = (1440, 1024, 390)
_LOOK = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
    .filter(found => ['serious', 'critical'].includes(found.impact))
    .map(found => found.id + ': ' + found.nodes.map(node => node.html.slice(0, 120)).join(' | '))"""


@cache
def read_axe() -> str:
    script = find_axe()
    assert script, "Run `make browser` first."
    return script.read_text(encoding="utf-8")


def find_violations(page: Page) -> list[str]:
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=2 * SECONDS)
    page.evaluate(read_axe())  # past the page's own policy, which takes no script from elsewhere
    found: list[str] = page.evaluate(_LOOK)
    return found


def say_something(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("show my tasks")
    box.press("Enter")
    expect(page.locator(".tl-said").last).to_contain_text("show my tasks")
    wait_until_drawn(page)


def keep_run(somebody: Somebody) -> None:
    """A finished run, so that Evaluate has something to show."""
    lines = '{"text": "show my tasks", "tool": "list_tasks"}\n{"text": "who am i", "tool": "delete_task"}\n'
    specs = [DeciderSpec("engine", "Engine"), DeciderSpec("baseline", "Baseline")]
    begun = begin_run(somebody.workbench.database, somebody.id, read_own_file(lines, "own.jsonl"), specs)
    begun.work.run()
    begun.work.finish("done")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("title", PAGES)
def test_nothing_keeps_people_from_using_a_page(new_tab: NewTab, maya: Somebody, title: str, theme: str) -> None:
    page: Any = new_tab(color_scheme=theme)
    if title == "Evaluate":
        keep_run(maya)
    found: dict[str, list[str]] = {}
    for path in PAGES[title]:
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        show(page, maya.workbench.url + as_somebody(path, maya.handle))
        expect(page).to_have_title(f"{title} · Twolane")
        if title == "Chat":
            say_something(page)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            found[f"{path} at {width}"] = find_violations(page)
    assert {place: each for place, each in found.items() if each} == {}
