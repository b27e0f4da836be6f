"""The Demo page, run by Streamlit's own test runner on the real store; time does not pass unless somebody steps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.users import list_users
from settings import load_settings
from tests.llm.fault_server import call, serve, stream
from tests.pages.opening import open_at
from tests.ui.demo.test_script_file import GOOD
from ui.demo.run import DemoRun, find_run
from ui.demo.stage import has_decided, read_scene
from ui.talk import live_turns


@pytest.fixture(autouse=True)
def llm_off(monkeypatch: pytest.MonkeyPatch, workbench: Database) -> Iterator[None]:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()
    yield
    for thread in live_turns.threads():
        thread.join(30)


@pytest.fixture(autouse=True)
def time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing comes by itself, however slow the machine is: a test steps."""
    monkeypatch.setattr("ui.demo.start.DemoRun", partial(DemoRun, clock=lambda: 0.0))


def html(page: AppTest) -> str:
    return " ".join(body for each in page.get("html") if "<style" not in (body := str(each.proto.body)))


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception, page.exception
    return page


def run_of(page: AppTest) -> DemoRun:
    value = page.query_params["run"]
    run = find_run(value if isinstance(value, str) else value[0])
    assert run
    return run


def begin(page: AppTest, name: str) -> DemoRun:
    button = next(each for each in page.button if f"**{name}**" in each.label)
    button.click().run()
    assert not page.exception, page.exception
    return run_of(page)


def settle(run: DemoRun) -> None:
    """Until the LLM has answered."""
    for thread in live_turns.threads():
        thread.join(30)
    assert has_decided(read_scene(run.scene)[-1].turn)


def test_a_scenario_from_its_start_to_its_score_and_the_next_one(workbench: Database) -> None:
    page = open_at("demo", {})
    assert "Two lanes, one message" in html(page)
    assert "The LLM lane is off" in html(page)
    assert "Play all 13 scenarios · about 3" in page.button(key="play_all").label
    run = begin(page, "Keyword traps")
    assert page.button(key="demo_play").label == "Pause"
    assert "td-coming" in html(page)
    assert '<mark class="td-point">finish</mark> the report' in html(page), "marked in the message"
    assert '<b class="td-point">finish</b> is part of the title.' in html(page), "and in the note beside it"
    assert "td-lit" not in html(page), "nobody has decided yet"

    press(page, "demo_step")
    assert page.button(key="demo_play").label == "Play", "it waits from now on"
    assert "Added &#39;finish the report&#39; (#3)." in html(page)
    assert 'class="td-light td-lit tl-engine"' in html(page)
    assert "✓ Right" in html(page)
    assert "Delete old backups" in html(page), "the person's tasks beside it"
    press(page, "demo_step")
    assert "Said before" in html(page)
    for _ in range(3):
        press(page, "demo_step")
    assert run.beat == "scored"
    assert "td-board" in html(page)
    assert '<td class="">4</td><td class="td-nought">off</td>' in html(page)
    ways = {button.key for button in page.button}
    assert {"demo_next", "demo_again"} <= ways
    assert not {"demo_play", "demo_step"} & ways, "nothing plays that could be paused"

    press(page, "demo_next")
    assert (run.place, run.beat, run.playing) == (1, "coming", True)
    with workbench.read() as session:
        assert all(not user.handle.startswith("stage") for user in list_users(session)), "nobody's own tasks"
    press(page, "demo_end")
    assert "run" not in page.query_params
    assert not run.playing
    assert "Two lanes, one message" in html(page)


def test_a_reload_shows_the_same_message_and_a_projector_has_no_sidebar(workbench: Database) -> None:
    page = open_at("demo", {})
    run = begin(page, "Deleting safely")
    press(page, "demo_step")
    again = open_at("demo", {"run": run.id, "projector": "1"})
    assert "Are you sure you want to delete" in html(again)
    assert run.said == 1, "it is not said again"
    sheets = " ".join(str(each.proto.body) for each in again.get("html"))
    assert 'stSidebar"]' in sheets
    press(again, "demo_projector")
    assert "projector" not in again.query_params
    gone = open_at("demo", {"run": "of-before-a-restart"})
    assert "Two lanes, one message" in html(gone)
    assert "run" not in gone.query_params


def test_a_dead_llm_is_asked_for_real_and_counts_as_no_answer(workbench: Database) -> None:
    page = open_at("demo", {})
    run = begin(page, "A dead LLM")
    for _ in range(3):
        press(page, "demo_step")
        settle(run)
    press(page, "demo_step")
    assert "– No answer" in html(page)
    assert "nobody · 127.0.0.1:9" in html(page)
    problems = [str(view.turn.llm_summary["problem"]) for view in read_scene(run.scene)]
    assert all(problems), "each card says why"
    assert [view.turn.lane for view in read_scene(run.scene)] == ["engine"] * 3


def test_a_lane_that_is_wrong_is_marked_with_what_would_be_right(
    workbench: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = stream(call("delete_task", '{"task_identifier": "Finish the slides"}'))
    with serve(stream(call("list_tasks", "{}")), wrong) as model:  # the first answer goes to the probe for native tools
        monkeypatch.setenv("LLM_ENDPOINT", "auto")
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-never-to-be-seen-anywhere")
        load_settings.cache_clear()
        page = open_at("demo", {})
        assert "The LLM lane: gpt-4.1-mini" in html(page)
        run = begin(page, "Keyword traps")
        press(page, "demo_step")
        settle(run)
        page.run()
        assert 'class="td-light td-lit tl-llm"' in html(page)
        assert "✗ Wrong" in html(page)
        assert "Right would be: Add a task (finish the report)" in html(page)
        run.finish()
        page.run()
        assert "1 of 1" in html(page), "the engine's, in the score of all"
        assert "0 of 1" in html(page)
        assert "These messages were chosen for a demo" in html(page)


def test_the_machine_that_was_told_something_is_marked_beside_the_stage(workbench: Database) -> None:
    page = open_at("demo", {})
    begin(page, "Machines")
    press(press(page, "demo_step"), "demo_step")
    assert '<article class="tm-card tl-changed" aria-label="Frigo Cucina">' in html(page)


def test_a_script_of_ones_own_is_played_and_a_wrong_one_is_told_line_by_line(workbench: Database) -> None:
    page = open_at("demo", {})
    page.file_uploader(key="demo_file").upload(
        "mine.yaml", GOOD.replace("bought\n      note", "sold\n      note").encode(), "text/yaml"
    ).run()
    assert not page.exception, page.exception
    assert "<b>Line 7</b>: “sold” does not stand in what is said" in html(page)
    assert "13 scenarios" in page.button(key="play_all").label
    page.file_uploader(key="demo_file").upload("mine.yaml", GOOD.encode(), "text/yaml").run()
    assert "Play the scenario" in page.button(key="play_all").label
    run = begin(page, "Milk")
    press(page, "demo_step")
    assert "&#39;Buy milk&#39; (#1) is done." in html(page)
    assert run.scenario.name == "Milk"
