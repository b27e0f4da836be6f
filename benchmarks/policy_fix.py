"""`python -m benchmarks.policy_fix`: from a misread message in Chat to a version in force that reads it right, clicked
in a browser on a workbench of its own: how many clicks, and how long the machine takes.

Nobody thinks in between, so all of it is the machine's part, the browser's included. Where others keep the machine
busy, the clock says little: what the server itself worked is printed, too.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.chromium import close_chromium, get_chromium
from tests.browser.conftest import as_somebody, show
from tests.browser.policy_walk import PATIENT, mend, say
from tests.workbench import make_somebody, start_workbench

ROUNDS = 3
_TICKS = os.sysconf("SC_CLK_TCK")


def worked(pid: int) -> float:
    """Seconds of a processor that the process worked itself."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        workbench, server = start_workbench(Path(folder))
        try:
            for number in range(1, ROUNDS + 1):
                page = get_chromium().new_page()
                page.set_default_timeout(PATIENT)
                somebody = make_somebody(workbench, "maya")
                show(page, workbench.url + as_somebody("/chat", somebody.handle))
                message = "holler at me to water the orchids"
                say(page, message)
                start, before = time.monotonic(), worked(server.pid)
                clicks = mend(page, message)
                say(page, message)
                expect(page.locator(".tl-reply").last).to_contain_text("water the orchids")
                took, work = time.monotonic() - start, worked(server.pid) - before
                sys.stdout.write(f"{number}: {clicks} clicks, {took:.1f} s, {work:.1f} s of a processor (server)\n")
                sys.stdout.flush()
                page.close()
        finally:
            close_chromium()
            server.terminate()
            server.wait(timeout=30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
