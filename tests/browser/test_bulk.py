"""Bulk runs in a real browser: figures, pages of messages, one on Inspect, what would change; on a phone too."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, wait_until_drawn, wait_until_same
from tests.browser.test_accessibility import COLOURS, GROUNDS, HEIGHTS, find_violations
from tests.evals.bulk.made_up import LINES, STRICTER, begin, many, run_here, write_lines
from tests.workbench import Workbench

MESSAGES = 40
SIDEWAYS = "() => { const main = document.querySelector('.stMain'); return main.scrollWidth > main.clientWidth + 1; }"


@pytest.fixture
def run_id(workbench: Workbench, tmp_path: Path) -> str:
    """A finished run under two policies, in the folder that the server reads."""
    name = uuid.uuid4().hex[:8]
    policy = tmp_path / "stricter.yaml"
    policy.write_text(STRICTER, encoding="utf-8")
    lines = write_lines(tmp_path / "log.jsonl", [*LINES, *many(MESSAGES), "{bad"])
    run = begin(workbench.folder / "bulk" / "runs" / name, [lines], shard=20, policy=policy, both=True)
    run_here(run)
    return name


def choose(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).click()
    wait_until_drawn(page)


@pytest.mark.thorough("tests/pages/test_bulk.py::test_a_message_opens_in_inspect_with_its_context")
def test_from_the_figures_over_the_pages_to_one_message_on_inspect(open_page: OpenPage, run_id: str) -> None:
    page = open_page(f"/evaluate?runs=bulk&run={run_id}")
    expect(page.get_by_text("right on").first).to_be_visible()
    expect(page.get_by_text("1 line could not be used")).to_be_visible()
    total = MESSAGES + len(LINES)
    choose(page, f"All {total}")
    expect(page.locator(".te-messages tbody tr")).to_have_count(25)
    expect(page.get_by_text(f"1–25 of {total}")).to_be_visible()
    page.get_by_role("button", name="Page 2").click()
    expect(page.get_by_text(f"26–{total} of {total}")).to_be_visible()
    row = page.locator(".te-messages tbody tr", has_text="add a task to buy tea").first
    row.get_by_role("link", name="Inspect").click()
    expect(page.get_by_role("heading", name="Inspect", level=1)).to_be_visible()
    expect(page.locator(".ti-verdict")).to_contain_text("buy tea")
    assert len(page.context.pages) == 1, "a link inside the app stays in its tab"


@pytest.mark.thorough("tests/pages/test_bulk.py::test_a_change_leads_to_its_messages")
def test_rules_are_told_in_words_and_what_changes_is_found_by_a_press(open_page: OpenPage, run_id: str) -> None:
    page = open_page(f"/evaluate?runs=bulk&bulk_view=rules&run={run_id}")
    rules = page.locator(".te-table tbody th")
    expect(rules.filter(has_text="a way of asking to add a task").first).to_be_visible()
    assert not [told for told in rules.all_inner_texts() if ":" in told.partition("\n")[0] or "_" in told]
    page = open_page(f"/history?view=bulk&run={run_id}")
    expect(page.get_by_text("are decided otherwise under")).to_be_visible()
    expect(page.locator(".te-messages tbody tr").first).to_be_visible()
    wait_until_drawn(page)
    before = page.locator(".te-messages tbody tr").count()
    page.get_by_role("button", name="Add a task → Asks back").click()
    wait_until_drawn(page)
    expect(page.locator(".te-messages")).to_contain_text("Add a task")
    assert 0 < page.locator(".te-messages tbody tr").count() <= before


@pytest.mark.thorough("tests/browser/test_accessibility.py::test_nothing_keeps_people_from_using_a_page")
@pytest.mark.parametrize(
    "path", ["/evaluate?runs=bulk", "/evaluate?runs=bulk&bulk_view=confusion", "/history?view=bulk"]
)
def test_a_bulk_run_fits_every_window_and_nothing_keeps_people_out(path: str, open_page: OpenPage, run_id: str) -> None:
    page = open_page(f"{path}&run={run_id}", 390, HEIGHTS[390])
    expect(page.locator(".te-messages")).to_be_attached()
    found: dict[str, list[str]] = {}
    for width, height in HEIGHTS.items():
        page.set_viewport_size({"width": width, "height": height})
        wait_until_same(page, SIDEWAYS, False)
        found[f"at {width}"] = find_violations(page, rules={rule: {"enabled": False} for rule in COLOURS})
    for theme, ground in GROUNDS.items():
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", ground)
        found[theme] = find_violations(page, runOnly=list(COLOURS))
    assert {place: each for place, each in found.items() if each} == {}
