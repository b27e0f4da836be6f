"""Every page, in both themes and three widths: axe-core finds nothing serious and nothing critical, nothing is cut off
sideways, and the page's own content policy keeps nothing back.

A page is opened once for all of that, at its narrowest, and then its width and its theme change: loading it anew each
time would take most of the work. From one page to the next it goes as by the browser's Back, which loads none of
Streamlit's scripts anew. Each rule runs where it can find something else: those about what is there and how it is laid
out in the widths of `LOOKED_AT`, in both themes those about colours. At the last width, where all there is can be seen,
it is both at once in the first theme: most of the work of either is to find out what there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from evals.evaluate.own_files import read_own_file
from evals.evaluate.room import begin_run
from evals.evaluate.specs import DeciderSpec
from tests.browser.conftest import SECONDS, NewTab, as_somebody, show, wait_until_drawn, wait_until_same
from tests.browser.get_axe import find_axe
from tests.pages.test_history import converse
from tests.rounds import rounds
from tests.workbench import Somebody

LONG_WORD = "averyveryverylongword" * 8
FIRST_VIEWS = {  # two walks, not one: a test ends after five minutes
    "of messages": (
        "/chat",
        "/inspect?text=remind+me+to+send+the+important+papers+to+Anna+next+Friday+at+5",
        "/compare",
        "/evaluate",
        "/policy?text=I+keep+forgetting+the+milk&want=add_task",
    ),
    "of what there is": ("/history", "/tasks", "/machines", "/tools", "/settings"),
}
OTHER_VIEWS = {  # a few views to a test: busy cores take minutes for more
    "Evaluate": ("/evaluate?view=confusion", "/evaluate?view=against"),
    "Evaluate, in parts": ("/evaluate?view=slices", "/evaluate?view=calibration"),
    "Evaluate, to decide": ("/evaluate?view=thresholds", "/evaluate?view=labels"),
    "Policy": ("/policy?view=versions", "/policy?view=browse"),
    "Policy, at work": ("/policy?view=edit", "/policy?view=several"),
    "History": ("/history?view=review", "/history?view=clients"),
    "Machines": ("/machines?view=Bench",),
    "Tools": ("/tools?view=registry", "/tools?view=mapping", "/tools?view=guidance"),
}
HEIGHTS = {390: 844, 1024: 768, 1440: 900}
LOOKED_AT = tuple(HEIGHTS)[rounds(2, 0) :]
"""Where axe-core looks: on a large screen; `make test-all` also on a phone and in between."""
ON_A_PHONE = {"Chat"}
"""Where it always looks on a phone, too: what is different there is the frame, which all pages have."""
GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 20, 31)"}
"""The pages' backgrounds, from `.streamlit/config.toml`."""
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that a theme matters to. They take two thirds of axe-core's work."""
NO_COLOURS = {rule: {"enabled": False} for rule in COLOURS}
_LOOK = """async options => (await axe.run(document, {resultTypes: ['violations'], ...options})).violations
    .filter(found => ['serious', 'critical'].includes(found.impact))
    .map(found => found.id + ': ' + found.nodes.map(node => node.html.slice(0, 120)).join(' | '))"""
_CUT_OFF = """() => {
    const lines = location.pathname === '/compare' && innerWidth > 390 ? ['.tc-scroll'] : [];
    return ['.stMain', '.ti-verdict', '.ti-message', ...lines].filter(
        part => [...document.querySelectorAll(part)].some(each => each.scrollWidth > each.clientWidth + 1));
}"""
"""Tables of figures, and on a phone those of lines, scroll by themselves."""
_GO_ON = "address => { history.pushState({}, '', address); dispatchEvent(new PopStateEvent('popstate')); }"
_SCROLLED = "() => document.querySelector('.stMain').scrollTop"


@cache
def read_axe() -> str:
    script = find_axe()
    assert script, "Run `make browser` first."
    return script.read_text(encoding="utf-8")


def find_violations(page: Page, **options: object) -> list[str]:
    """By all rules, unless `runOnly` or `rules` say otherwise."""
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=2 * SECONDS)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(read_axe())  # past the page's own policy, which takes no script from elsewhere
    found: list[str] = page.evaluate(_LOOK, options)
    return found


def say_something(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("show my tasks")
    box.press("Enter")
    expect(page.locator(".tl-said").last).to_contain_text("show my tasks")
    wait_until_drawn(page)


def compare_a_long_word(page: Page) -> None:
    box = page.get_by_role("textbox", name="One message a line")
    box.fill(f"add a task to {LONG_WORD}")
    box.press("Control+Enter")
    page.get_by_role("button", name="Compare 1 line").click()
    expect(page.locator(".tc-lines")).to_contain_text("averyvery")
    wait_until_drawn(page)


def open_a_turn(page: Page) -> None:
    if "view=" not in page.url:
        page.locator(".tl-fold summary").first.click()
        expect(page.get_by_role("region", name="Engine")).to_be_visible()


STEPS: dict[str, Callable[[Page], None]] = {
    "Chat": say_something,
    "Compare": compare_a_long_word,
    "History": open_a_turn,
}


def keep_run(somebody: Somebody) -> None:
    """A finished run with something for every view of Evaluate: two deciders that agree against a label."""
    lines = [{"text": "show my tasks", "tool": "delete_task"}, {"text": f"add a task to {LONG_WORD}", "tool": None}]
    specs = [DeciderSpec("engine", "Engine"), DeciderSpec("engine", "Engine again")]
    content = "".join(json.dumps(line) + "\n" for line in lines)
    begun = begin_run(somebody.workbench.database, somebody.id, read_own_file(content, "own.jsonl"), specs)
    begun.work.run()
    begun.work.finish("done")


@pytest.mark.parametrize("walk", FIRST_VIEWS)
def test_nothing_keeps_people_from_using_a_page(new_tab: NewTab, maya: Somebody, walk: str) -> None:
    look_at(new_tab, maya, FIRST_VIEWS[walk])


@pytest.mark.thorough("tests/browser/test_accessibility.py::test_nothing_keeps_people_from_using_a_page")
@pytest.mark.parametrize("views", OTHER_VIEWS)
def test_nothing_keeps_people_from_using_its_other_views(new_tab: NewTab, maya: Somebody, views: str) -> None:
    look_at(new_tab, maya, OTHER_VIEWS[views])


def go_on(page: Page, address: str, title: str) -> None:
    page.evaluate(_GO_ON, address)
    expect(page).to_have_title(f"{title} · Twolane", timeout=2 * SECONDS)  # from here on it is drawn as the other page
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=2 * SECONDS)
    wait_until_drawn(page)


def title_of(path: str) -> str:
    return path.partition("?")[0].strip("/").capitalize()


def look_at(new_tab: NewTab, maya: Somebody, paths: Sequence[str]) -> None:
    page = new_tab(390, HEIGHTS[390])
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None)
    titles = [title_of(path) for path in paths]
    if "Evaluate" in titles:
        keep_run(maya)
    if "History" in titles:
        converse(maya.workbench.database, ("mark the passport task as done", "who am i"), handle=maya.handle)
    found: dict[str, list[str]] = {}
    for title, path in zip(titles, paths, strict=True):
        page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
        page.emulate_media(color_scheme="light")
        address = maya.workbench.url + as_somebody(path, maya.handle)
        if f"{title} ·" in page.title() or path == paths[0]:
            show(page, address)  # a view of the same page has its title, too: nothing would tell when it is there
        else:
            go_on(page, address, title)
        expect(page).to_have_title(f"{title} · Twolane")
        assert page.evaluate(_SCROLLED) == 0, "on a phone it starts at its top"
        STEPS.get(title, wait_until_drawn)(page)
        for width, height in HEIGHTS.items():
            page.set_viewport_size({"width": width, "height": height})
            wait_until_same(page, _CUT_OFF, [])
            if width != max(HEIGHTS) and (width in LOOKED_AT or (title in ON_A_PHONE and width == min(HEIGHTS))):
                found[f"{path} at {width}"] = find_violations(page, rules=NO_COLOURS)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", GROUNDS["light"])
        found[f"{path} at {width}, light"] = find_violations(page)
        page.emulate_media(color_scheme="dark")
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", GROUNDS["dark"])
        found[f"{path} at {width}, dark"] = find_violations(page, runOnly=list(COLOURS))
    assert {place: each for place, each in found.items() if each} == {}
    assert refused == []


def test_what_is_wrong_would_be_found(new_tab: NewTab) -> None:
    page = new_tab(390, 844)
    page.set_content("""<html lang="en"><title>Wrong</title><main class="stMain" style="width: 300px; overflow: auto">
        <p style="width: 999px; color: #eee; background: #fff">faint</p><img src="data:,"></main></html>""")
    assert page.evaluate(_CUT_OFF) == [".stMain"]
    assert rules_of(find_violations(page, rules=NO_COLOURS)) & {"image-alt", "color-contrast"} == {"image-alt"}
    assert rules_of(find_violations(page, runOnly=list(COLOURS))) == {"color-contrast"}
    assert rules_of(find_violations(page)) >= {"image-alt", "color-contrast"}


def rules_of(found: list[str]) -> set[str]:
    return {each.partition(":")[0] for each in found}
