"""Takes the pictures in docs/ from the running app: `make screenshots`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import ROOT, running_workbench
from tests.browser.get_browser import FLAGS, find_browser
from tests.browser.task_grid import TaskGrid

PICTURES = ROOT / "docs" / "images"
LLM_SECONDS = 60
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


def show_machines(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    for text in ("Il frigo della sala è connesso, e che temperatura ha?", "Accendi la luce del frigo"):
        box.fill(text)
        box.press("Enter")
        expect(page.locator(".tl-said").last).to_contain_text(text)
    page.get_by_role("button", name="Frigo Cucina", exact=True).click()
    expect(page.locator(".tm-card.tl-changed")).to_contain_text("Frigo Cucina")


SHOTS: tuple[tuple[str, str, Callable[[Page], None]], ...] = (
    ("tasks", "/tasks", show_tasks),
    ("chat", "/chat", show_chat),
    ("machines", "/machines", show_machines),
    ("inspect", "/inspect?text=mark+the+passport+task+as+done", show_inspect),
)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        for scheme in ("light", "dark"):
            with (
                tempfile.TemporaryDirectory() as folder,
                running_workbench(Path(folder), llm="embedded") as workbench,
            ):
                for name, path, show in SHOTS:
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
    main()
