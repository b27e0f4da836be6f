"""Takes the pictures in docs/ from the running app: `make screenshots`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import ROOT, running_workbench
from tests.browser.get_browser import FLAGS, find_browser
from tests.browser.task_grid import TaskGrid

PICTURES = ROOT / "docs" / "images"
INSPECTED = "/inspect?text=mark+the+passport+task+as+done"
SHOTS = (
    ("tasks-light.png", "/tasks", "light"),
    ("tasks-dark.png", "/tasks", "dark"),
    ("inspect-light.png", INSPECTED, "light"),
    ("inspect-dark.png", INSPECTED, "dark"),
)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_workbench(Path(folder)) as workbench,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        for name, path, scheme in SHOTS:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
            page.goto(workbench.url + path)
            wait_until_drawn(page, path)
            page.mouse.move(5, 400)  # no tooltip in the picture
            page.wait_for_load_state("networkidle")
            page.screenshot(path=PICTURES / name)
            print(f"docs/images/{name}")
        browser.close()


def wait_until_drawn(page: Page, path: str) -> None:
    if path.startswith("/tasks"):
        TaskGrid(page).titles()
    else:
        expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=45_000)
        expect(page.get_by_text("What would flip it")).to_be_attached(timeout=45_000)


if __name__ == "__main__":
    main()
