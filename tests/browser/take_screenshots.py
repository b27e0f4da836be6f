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

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.example_history import fill_history
from tests.browser.get_browser import FLAGS, find_browser
from tests.browser.task_grid import TaskGrid
from tests.workbench import ROOT, running_workbench

PICTURES = ROOT / "docs" / "images"
LLM_SECONDS = 60
COMPARED = (
    "add a task to call Anna tomorrow at 3pm",
    "mark the passport task as done",
    "I keep forgetting the milk",
    "what's due this week?",
    "delete the dentist task",
    "don't delete anything",
)
CONVERSATION = ("mark delete old backups as done", "what a lovely morning", "add a task to call Anna tomorrow at 3pm")


def show_tasks(page: Page) -> None:
    TaskGrid(page).titles()


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
    page.get_by_role("textbox", name="One message a line").fill("\n".join(COMPARED))
    page.get_by_role("textbox", name="One message a line").press("Control+Enter")
    page.get_by_role("button", name=f"Compare {len(COMPARED)} lines").click()
    expect(page.get_by_text(f"All {len(COMPARED)}")).to_be_visible(timeout=LLM_SECONDS * 1000)
    page.mouse.move(5, 400)
    expect(page.get_by_role("tooltip")).to_have_count(0)
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
    expect(page.get_by_text("Nothing that was right becomes wrong.")).to_be_visible(timeout=120_000)


def show_machines(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    for text in ("Il frigo della sala è connesso, e che temperatura ha?", "Accendi la luce del frigo"):
        box.fill(text)
        box.press("Enter")
        expect(page.locator(".tl-said").last).to_contain_text(text)
    page.get_by_role("button", name="Frigo Cucina", exact=True).click()
    expect(page.locator(".tm-card.tl-changed")).to_contain_text("Frigo Cucina")


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


SHOTS: tuple[tuple[str, str, Callable[[Page], None]], ...] = (
    ("tasks", "/tasks", show_tasks),
    ("chat", "/chat", show_chat),
    ("demo", "/demo", show_demo),
    ("score", "/demo", show_score),
    ("projector", "/demo?projector=1", show_demo),
    ("machines", "/machines", show_machines),
    ("inspect", "/inspect?text=mark+the+passport+task+as+done", show_inspect),
    ("compare", "/compare", show_compare),
    ("evaluate", "/evaluate?view=confusion", show_evaluate),
    ("policy", "/policy?text=I+keep+forgetting+the+milk&want=add_task", show_policy),
    ("history", "/history?user=jonas&chart=agreement", show_history),
    ("review", "/history?user=jonas&view=review", show_review),
)


def main(names: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    expect.set_options(timeout=LLM_SECONDS * 1000)  # the machine may have other work, too
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        for scheme in ("light", "dark"):
            with (
                tempfile.TemporaryDirectory() as folder,
                running_workbench(Path(folder), llm="embedded") as workbench,
            ):
                with ThreadPoolExecutor() as elsewhere:  # Playwright's loop runs in this thread
                    elsewhere.submit(fill_history, workbench.database, "jonas").result()
                for name, path, show in (shot for shot in SHOTS if shot[0] in names):
                    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
                    page.goto(workbench.url + path)
                    show(page)
                    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
                    page.mouse.move(5, 400)  # no tooltip in the picture
                    page.wait_for_load_state("networkidle")
                    page.screenshot(path=PICTURES / f"{name}-{scheme}.png")
                    print(f"docs/images/{name}-{scheme}.png")
                    page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name, _, _ in SHOTS])
