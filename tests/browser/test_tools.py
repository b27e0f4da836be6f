"""From a new token to a call that is seen live, in a real browser, with a real client beside it.

That open task lists follow such calls: `test_tasks.py`, two tabs."""

from __future__ import annotations

import httpx2
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.mcp_door.workbench import RawClient, result_of
from tests.workbench import Workbench


@pytest.mark.thorough("tests/pages/test_tokens.py::test_a_token_is_shown_once_and_works")
def test_a_token_made_here_opens_the_tools_and_its_calls_show_live(open_page: OpenPage, workbench: Workbench) -> None:
    settings = open_page("/settings")
    settings.get_by_role("textbox", name="Name").last.fill("My laptop")
    settings.get_by_role("button", name="Make a token").click()
    settings.get_by_role("button", name="Yes, make it").click()
    expect(settings.get_by_text("Copy it now")).to_be_visible()
    token = settings.get_by_test_id("stCode").filter(has_text="twl_").inner_text().strip()

    tools = open_page("/tools", 1024, 768)
    expect(tools.get_by_text("No program has called yet")).to_be_visible()

    with httpx2.Client(timeout=30) as http:
        client = RawClient(http, f"{workbench.url}/mcp", token, None)
        client.open()
        assert result_of(client.call("add_task", title="Paint the blue door"))["status"] == "success"
        expect(tools.locator(".tm-calls")).to_contain_text("Paint the blue door")
        expect(tools.locator(".tm-calls")).to_contain_text("By hand")
        held = result_of(client.call("delete_task", task_identifier="blue door"))
        expect(tools.locator(".tm-calls")).to_contain_text("asked before deleting")
        assert result_of(client.call("confirm_call", confirmation=held["confirmation"]))["status"] == "success"

        settings.get_by_role("button", name="I have copied it").click()
        expect(settings.get_by_text(token)).to_have_count(0)
        settings.get_by_role("button", name="Revoke", exact=True).click()
        settings.get_by_role("button", name="Revoke it").click()
        expect(settings.get_by_text("is revoked")).to_be_visible()
        assert client.call("get_user_info").status_code == 401
