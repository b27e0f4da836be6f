"""Takes the pictures in docs/ from the running app: `make screenshots`.

`python -m tests.browser.take_screenshots history review` takes some of them.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.example_history import fill_history
from tests.browser.get_browser import FLAGS, find_browser
from tests.workbench import ROOT, running_workbench

PICTURES = ROOT / "docs" / "images"
LLM_SECONDS = 60
COMPARED = {  # what each should come to: it shows right and wrong
    "add a task to call Anna tomorrow at 3pm": "add_task",
    "mark the passport task as done": "complete_task",
    "what's due this week?": "list_tasks",
    "delete the dentist task": "delete_task",
    "I keep forgetting the milk": "add_task",
    "don't delete anything": "nothing",
}
CONVERSATION = ("mark delete old backups as done", "what a lovely morning", "add a task to call Anna tomorrow at 3pm")


def show_chat(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    for text in CONVERSATION:
        expect(box).to_be_enabled(timeout=30_000)
        box.fill(text)
        box.press("Enter")
        expect(page.locator(".tl-said").last).to_contain_text(text)
        expect(page.get_by_role("region", name="LLM").last).to_contain_text("tokens", timeout=LLM_SECONDS * 1000)


def show_inspect(page: Page) -> None:
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=45_000)
    expect(page.get_by_text("What would flip it")).to_be_attached(timeout=45_000)


def show_compare(page: Page) -> None:
    lines = "\n".join(f"{text}\t{expected}" for text, expected in COMPARED.items())
    page.get_by_role("textbox", name="One message a line").fill(lines)
    page.get_by_role("textbox", name="One message a line").press("Control+Enter")
    page.get_by_role("button", name=f"Compare {len(COMPARED)} lines").click()
    expect(page.get_by_text(f"All {len(COMPARED)}")).to_be_visible(timeout=LLM_SECONDS * 1000)
    page.locator(".tc-summary").evaluate("table => table.closest('[data-testid=stMain]').scrollTo(0, 370)")


def show_history(page: Page) -> None:
    expect(page.locator(".js-plotly-plot")).to_have_count(1, timeout=45_000)
    expect(page.locator(".tc-turns")).to_be_visible()


def show_review(page: Page) -> None:
    expect(page.locator(".tl-lanes")).to_be_visible(timeout=45_000)


def show_evaluate(page: Page) -> None:
    page.get_by_role("button", name=re.compile(r"Run 1,\d+ cases")).click()
    expect(page.locator(".st-key-confusion .scatterlayer .point").first).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=120_000)


def show_policy(page: Page) -> None:
    put = page.get_by_role("button", name="Put into the draft").first
    expect(put).to_be_enabled(timeout=120_000)
    put.click()
    expect(page.get_by_role("region", name="With the draft")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("radio", name="Broken 0")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0, timeout=120_000)
    expect(page.get_by_role("button", name="Save and put in force")).to_be_enabled()


def show_machines(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    for text in ("Il frigo della sala è connesso, e che temperatura ha?", "Accendi la luce del frigo"):
        box.fill(text)
        box.press("Enter")
        expect(page.locator(".tl-said").last).to_contain_text(text)
        expect(page.get_by_role("button", name="Stop the LLM")).to_have_count(0)
    page.get_by_role("button", name="Frigo Cucina", exact=True).click()
    expect(page.locator(".tm-card.tl-changed")).to_contain_text("Frigo Cucina")
    expect(page.get_by_role("button", name="Stop the LLM")).to_have_count(0)


def show_demo(page: Page, messages: int = 3) -> None:
    """The keyword traps up to this message, each decided by both lanes."""
    page.get_by_role("button", name="Keyword traps").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    said = int(page.locator(".td-progress").inner_text()[0])  # it may have begun before it was paused
    for place in range(said + 1, messages + 1):
        page.get_by_role("button", name="Step").click()
        expect(page.locator(".td-progress")).to_contain_text(f"{place} of 4 messages", timeout=30_000)
        expect(page.locator(".td-lit.tl-llm")).to_be_visible(timeout=LLM_SECONDS * 1000)


def show_score(page: Page) -> None:
    show_demo(page, messages=4)
    page.get_by_role("button", name="Step").click()
    expect(page.locator(".td-board")).to_be_visible()


def show_start(page: Page) -> None:
    expect(page.get_by_role("button", name="Machines")).to_be_visible()


class Shot(NamedTuple):
    name: str
    path: str
    show: Callable[[Page], None]
    scheme: Literal["light", "dark"] = "light"
    height: int = 900

    @property
    def file(self) -> Path:
        return PICTURES / f"{self.name}-{self.scheme}.png"


SHOTS = (
    Shot("chat", "/chat", show_chat),
    Shot("start", "/demo", show_start),
    Shot("demo", "/demo", show_demo, height=660),
    Shot("score", "/demo", show_score, height=520),
    Shot("projector", "/demo?projector=1", show_demo, scheme="dark", height=720),  # as in a room whose lights are out
    Shot("machines", "/machines", show_machines),
    Shot("inspect", "/inspect?text=mark+the+passport+task+as+done", show_inspect),
    Shot("compare", "/compare", show_compare),
    Shot("evaluate", "/evaluate?view=confusion", show_evaluate),
    Shot("policy", "/policy?text=I+keep+forgetting+the+milk&want=add_task", show_policy, height=880),
    Shot("history", "/history?user=jonas&chart=agreement", show_history),
    Shot("review", "/history?user=jonas&view=review", show_review),
)
"""Each is shown by a page of docs/ or the README (`tests/test_docs_images.py`)."""


def main(names: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    expect.set_options(timeout=LLM_SECONDS * 1000)  # the machine may have other work, too
    with (
        sync_playwright() as play,
        tempfile.TemporaryDirectory() as folder,
        running_workbench(Path(folder), llm="embedded") as workbench,
    ):
        browser = play.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with ThreadPoolExecutor() as elsewhere:  # Playwright's loop runs in this thread
            elsewhere.submit(fill_history, workbench.database, "jonas").result()
        for shot in (each for each in SHOTS if each.name in names):
            page = browser.new_page(viewport={"width": 1440, "height": shot.height}, color_scheme=shot.scheme)
            page.goto(workbench.url + shot.path)
            shot.show(page)
            expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
            page.mouse.move(5, 400)
            expect(page.get_by_test_id("stTooltipContent")).to_have_count(0)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=shot.file, animations="disabled")  # as it is once the lights have come on
            print(shot.file.relative_to(ROOT))
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or [each.name for each in SHOTS])
