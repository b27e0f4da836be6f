"""Finds the browser that the tests drive, or gets it: an installed one, Debian's package, Playwright's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
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
    installed = [os.environ.get("TWOLANE_BROWSER"), *map(shutil.which, NAMES)]
    found = next((path for path in installed if path and _starts(path)), None)
    return found or _playwright_browser()


def get_browser() -> str | None:
    return find_browser() or (_install_from_packages() and find_browser()) or (_download() and find_browser()) or None


def _playwright_browser() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() and _starts(path) else None


def _starts(path: str) -> bool:
    return _succeeds(path, "--version", quiet=True)


def _install_from_packages() -> bool:
    if not shutil.which("apt-get"):
        return False
    prefix = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if prefix and not shutil.which("sudo"):
        return False
    print("Getting a browser for the tests from the system's packages …", flush=True)
    install = ("apt-get", "install", "--yes", "--no-install-recommends", "chromium")
    return _succeeds(*prefix, "apt-get", "update", quiet=True) and _succeeds(*prefix, *install, quiet=True)


def _download() -> bool:
    print("Getting a browser for the tests from Playwright …", flush=True)
    return _succeeds(sys.executable, "-m", "playwright", "install", "chromium")


def _succeeds(*command: str, quiet: bool = False) -> bool:
    output = subprocess.DEVNULL if quiet else None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, stdout=output, stderr=output, env=environment, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    found = get_browser()
    if not found:
        sys.exit(
            "The tests need a browser, and none could be had. Install Chromium (on Debian and Ubuntu: "
            "apt-get install chromium; on macOS: brew install chromium), or set TWOLANE_BROWSER to the path of one."
        )
    print(f"Browser: {found}")
