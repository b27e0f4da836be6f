"""What a web page elsewhere can do with a workbench that runs on this machine: nothing.

A name that its owner bends to this machine's address (DNS rebinding) shows in Host, a page of another origin in Origin.
"""

from __future__ import annotations

import asyncio

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.workbench import Workbench
from ui.web_guard import content_policy

EVERY_KIND_OF_ROUTE = (
    "/", "/chat", "/settings?user=maya", "/static/index.html", "/favicon.png", "/health", "/ready", "/mcp",
    "/_stcore/health", "/_stcore/host-config", "/_stcore/agent/openapi.json", "/_stcore/upload_file/a/b",
    "/media/x.csv", "/no/such/page",
)  # fmt: skip


@pytest.mark.parametrize("path", EVERY_KIND_OF_ROUTE)
def test_no_route_answers_under_a_foreign_name(workbench: Workbench, path: str) -> None:
    port = workbench.url.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", f"localhost.evil.example:{port}"):
        answer = httpx2.get(workbench.url + path, headers={"Host": host})
        assert (answer.status_code, answer.json()["error"]) == (421, "wrong_host")


@pytest.mark.parametrize("path", [path for path in EVERY_KIND_OF_ROUTE if path != "/mcp"])
def test_no_route_answers_a_page_of_another_origin(workbench: Workbench, path: str) -> None:
    """Also not one of another program on this machine, which has another port."""
    for origin in ("http://evil.example", "http://localhost:1", "null"):
        answer = httpx2.post(workbench.url + path, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["error"]) == (403, "foreign_origin")


def open_socket(workbench: Workbench, origin: str | None, host: str | None = None) -> int:
    """The status with which the handshake is refused; 101 where it is accepted."""
    port = int(workbench.url.rpartition(":")[2])
    address = f"ws://{host or 'localhost'}:{port}/_stcore/stream"

    async def shake_hands() -> int:
        try:
            # The name stands in the address, and with it in Host; the connection goes to this machine.
            async with connect(address, origin=origin, host="localhost", port=port, proxy=None):  # type: ignore[arg-type]
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    return asyncio.run(shake_hands())


def test_the_web_socket_opens_for_our_own_pages_only(workbench: Workbench) -> None:
    assert open_socket(workbench, workbench.url) == 101
    assert open_socket(workbench, "http://evil.example") == 403
    assert open_socket(workbench, "http://localhost:1") == 403
    port = workbench.url.rpartition(":")[2]
    assert open_socket(workbench, f"http://evil.example:{port}", host="evil.example") == 403
    assert open_socket(workbench, None, host="evil.example") == 403


@pytest.mark.parametrize("path", ["/", "/chat", "/health", "/mcp", "/_stcore/health", "/no/such/page"])
def test_every_answer_says_that_it_belongs_in_no_frame_and_takes_nothing_from_elsewhere(
    workbench: Workbench, path: str
) -> None:
    answer = httpx2.get(workbench.url + path)
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'self'" in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_the_policy_lets_no_script_of_a_page_run_that_streamlit_did_not_write() -> None:
    scripts = next(each for each in content_policy("localhost").split("; ") if each.startswith("script-src"))
    assert "unsafe" not in scripts
    assert "http" not in scripts
