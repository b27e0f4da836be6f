"""How long after Enter the engine's card is on the screen, in Chromium: `make bench-chat`.

Measured inside the page, from the key to the first frame that shows the card, with an LLM that never answers. Beside
it, in the same run: an echo page, the least that a chat in Streamlit can be; and a conversation of 500 turns.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from assistant import Assistant, Lanes
from db.turns.conversations import start_conversation
from db.users import find_user
from domains.deciders import make_engine
from tests.browser.get_browser import FLAGS, find_browser
from tests.llm.fault_server import call, hang, serve, stream
from tests.workbench import Workbench, free_port, running_workbench
from ui.resources import now_here

MESSAGES, LONG = 60, 500
_WATCH = """(marker) => {
  window.painted = new Promise((resolve) => {
    let began = 0;
    const input = document.querySelector('[data-testid="stChatInputTextArea"]');
    input.addEventListener("keydown", () => { began = performance.now(); }, {once: true, capture: true});
    const look = () => {
      const said = [...document.querySelectorAll(".tl-said")].some((each) => each.textContent.includes(marker));
      const cards = [...document.querySelectorAll(".tl-engine")];
      if (said && cards.length && cards.at(-1).checkVisibility()) {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - began));
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, {subtree: true, childList: true, characterData: true});
  });
}"""


def measure(page: Page, text: str, count: int = MESSAGES) -> list[float]:
    box = page.get_by_test_id("stChatInputTextArea")
    box.wait_for()
    times = []
    for number in range(count + 5):
        marker = f"number {number} of this run"
        box.fill(f"{text} {marker}")
        page.evaluate(_WATCH, marker)
        box.press("Enter")
        times.append(float(page.evaluate("() => window.painted")))
    return times[5:]  # the first ones also load the page's code


def report(name: str, times: list[float]) -> float:
    times = sorted(times)
    median, slow = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"{name:<34} median {median:4.0f} ms   p95 {slow:4.0f} ms", flush=True)
    return median


def fill(workbench: Workbench, turns: int) -> str:
    with workbench.database.write() as session:
        user = find_user(session, "maya")
        assert user
        conversation = start_conversation(session, user.id)
    assistant = Assistant(workbench.database, user, now_here)
    for number in range(turns):
        text = ("show my tasks", f"add a task called errand {number}", "what a lovely day", "mark it as done")[
            number % 4
        ]
        assistant.run_turn(conversation, text, "engine", Lanes(make_engine()))
    return conversation


@contextmanager
def echo_server() -> Iterator[str]:
    port = free_port()
    script = str(Path(__file__).parent / "echo_chat.py")
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedded", action="store_true", help="let the embedded model answer every message instead")
    embedded = parser.parse_args().embedded
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(stream(call("list_tasks", "{}")), hang) as llm,
        running_workbench(
            Path(folder),
            llm="embedded" if embedded else "auto",
            OPENAI_BASE_URL="" if embedded else llm.url,
            REFRESH_SECONDS="2",
        ) as workbench,
        echo_server() as echo,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(echo)
        least = report("an echo page", measure(page, "add a task called"))
        page.goto(f"{workbench.url}/chat")
        ours = report("the engine's card", measure(page, "add a task called"))
        page.goto(f"{workbench.url}/chat?conversation={fill(workbench, LONG)}")
        long = report(f"the same after {LONG} turns", measure(page, "add a task called"))
        print(f"ratio to the echo page {ours / least:.1f}, after {LONG} turns {long / least:.1f}")
        browser.close()


if __name__ == "__main__":
    main()
