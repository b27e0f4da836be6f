"""Takes the pictures in docs/ from the running app: `make screenshots`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ROOT, running_workbench
from tests.browser.get_browser import FLAGS, find_browser
from tests.browser.task_grid import TaskGrid

PICTURES = ROOT / "docs" / "images"
SHOTS = (("tasks-light.png", "/tasks", "light"), ("tasks-dark.png", "/tasks", "dark"))


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
            TaskGrid(page).titles()
            page.mouse.move(5, 400)  # no tooltip in the picture
            page.wait_for_load_state("networkidle")
            page.screenshot(path=PICTURES / name)
            print(f"docs/images/{name}")
        browser.close()


if __name__ == "__main__":
    main()
