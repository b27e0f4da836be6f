"""Finds the browser that the tests drive, or gets it: an installed one, Debian's package, Playwright's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
PLACES = {
    "darwin": (
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "win32": (
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    ),
}
"""Where it lies on systems that do not put it on the path."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    """A Chromium that really starts: some systems ship a stub that only says how to install it."""
    return next((path for path in _installed() if _starts(path)), None)


def get_browser() -> str | None:
    return find_browser() or (_install_from_packages() and find_browser()) or (_download() and find_browser()) or None


def how_to_install() -> str:
    """The one sentence for whoever has none and could not be given one."""
    packages = "apt-get install chromium" if _is_root() else "sudo apt-get install chromium"
    if not _is_root() and not shutil.which("sudo"):
        packages = "apt-get install chromium, as root"
    by_hand = {"darwin": "brew install --cask chromium", "win32": "winget install Google.Chrome"}
    command = by_hand.get(sys.platform, packages if shutil.which("apt-get") else "your system's package of Chromium")
    return (
        f"The tests need a browser, and none could be had. Install Chromium: {command} "
        "(or set TWOLANE_BROWSER to the path of one), then run the same command again."
    )


def _installed() -> Iterator[str]:
    asked_for = os.environ.get("TWOLANE_BROWSER")
    found = (asked_for, *map(shutil.which, NAMES), *filter(_exists, PLACES.get(sys.platform, ())))
    yield from filter(None, found)
    yield from _playwright_browser()


def _exists(path: str) -> bool:
    return Path(path).exists()


def _playwright_browser() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if _exists(path):
        yield path


def _starts(path: str) -> bool:
    if sys.platform == "win32":  # there, `chrome --version` opens a window instead of answering
        return _exists(path)
    return _succeeds(path, "--version")


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0  # Windows has none


def _install_from_packages() -> bool:
    if not shutil.which("apt-get"):
        return False
    prefix = [] if _is_root() else ["sudo", "--non-interactive"]
    if prefix and not shutil.which("sudo"):
        return False
    print("Getting a browser for the tests from the system's packages …", flush=True)
    install = ("apt-get", "install", "--yes", "--no-install-recommends", "chromium")
    return _succeeds(*prefix, "apt-get", "update") and _succeeds(*prefix, *install)


def _download() -> bool:
    print("Getting a browser for the tests from Playwright …", flush=True)
    return _succeeds(sys.executable, "-m", "playwright", "install", "chromium")


def _succeeds(*command: str) -> bool:
    """Quietly: what apt and Playwright print when they fail is a page long, and no sentence."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, capture_output=True, env=environment, check=False).returncode == 0
    except OSError:
        return False


def main() -> None:
    found = get_browser()
    if not found:
        sys.exit(how_to_install())
    print(f"Browser: {found}")


if __name__ == "__main__":
    main()
