"""The Compare page in every state, run by Streamlit's own test runner."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.evaluation.cases import save_case
from db.evaluation.comparisons import (
    KEPT_RUNS,
    add_lines,
    finish_comparison,
    list_comparisons,
    remove_comparison,
    start_comparison,
)
from db.users import create_user
from domains.loading import load_policy
from engine.policy.loading import serialise
from settings import load_settings
from tests.assistant.conftest import calls
from tests.llm.fault_server import hang, serve
from tests.pages.test_tasks import person
from ui import background
from ui.compare.export import export_csv, export_jsonl
from ui.given.recorded import find_turn_input

ROOT = Path(__file__).parent.parent.parent
TEXTS = "add a task to buy milk tomorrow\nmark the passport task as done\nI forget what the residue is"


@pytest.fixture(autouse=True)
def llm_off(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


def open_page(**address: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "compare.py"), default_timeout=60)
    for name, value in address.items():
        page.query_params[name] = value
    return checked(page.run())


def checked(page: AppTest) -> AppTest:
    assert not page.exception, page.exception
    return page


def button(page: AppTest, label: str) -> Any:
    return next(each for each in page.button if each.label.startswith(label))


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def wait(page: AppTest) -> AppTest:
    for thread in background.threads():
        thread.join(30)
    return checked(page.run())


def compare(page: AppTest, texts: str = TEXTS) -> AppTest:
    page.text_area(key="compare_text").set_value(texts).run()
    checked(button(page, "Compare").click().run())
    return wait(page)


def add_model(page: AppTest, url: str) -> None:
    page.text_input(key="compare_url").set_value(url)
    page.text_input(key="compare_model").set_value("m")
    page.text_input(key="compare_secret").set_value("sk-secret-never-shown-anywhere")
    button(page, "Add").click().run()
    checked(page)


def test_a_new_page_explains_itself(workbench: Database) -> None:
    page = open_page()
    assert any("Nothing compared yet" in each.value for each in page.markdown)
    assert page.multiselect(key="compare_deciders").value == ["engine", "baseline"]
    assert any("LLM of this session is off" in each.value for each in page.caption)


def test_a_pasted_list_shows_each_call_and_marks_what_differs(workbench: Database) -> None:
    page = compare(open_page())
    shown = html(page)
    assert "#10 Renew passport" in shown
    assert '<div class="tc-mark"><span title="due_date">due date</span> nothing</div>' in shown
    assert "0.0% <span>0 of 3</span>" in shown
    assert page.segmented_control(key="only").options[:3] == ["All 3", "Differ 1", "One silent 2"]
    silent = shown[shown.index("○ calls nothing") :]
    assert "no call" not in silent[: silent.index("</td>")], "it is said once"


def test_what_is_expected_shows_right_and_wrong_and_two_wrong_ones_are_no_tick(workbench: Database) -> None:
    page = compare(open_page(), "show my tasks\tDelete a task\nadd a task to buy milk\tAdd a task\nhello")
    shown = html(page)
    wrong = shown[shown.index("show my tasks") : shown.index("add a task to buy milk")]
    assert "<b>Delete a task</b>" in wrong
    assert wrong.count("✕ wrong") == 2
    assert "✓" not in wrong
    assert "<b>50.0%</b> <span>1 of 2</span>" in shown
    assert page.segmented_control(key="only").options[:3] == ["All 3", "Some wrong 1", "All right 1"]
    page.segmented_control(key="only").set_value("wrong").run()
    assert "add a task to buy milk" not in html(checked(page))


def test_saved_cases_are_compared_in_their_own_context(workbench: Database) -> None:
    with workbench.write() as session:
        user = person(workbench)
        things = [{"id": "k", "number": 1, "title": "Feed the koala"}]
        context = {"tasks": things, "now": "2026-03-04T10:00:00"}
        save_case(session, user.id, "mark the koala one as done", context, {"intent": "complete_task", "task": "k"})
    page = open_page()
    page.segmented_control(key="compare_source").set_value("saved").run()
    checked(button(page, "Compare 1 line").click().run())
    shown = html(wait(page))
    assert "#1 Feed the koala" in shown
    assert "✓ right" in shown


def test_the_filters_show_only_what_fits(workbench: Database) -> None:
    page = compare(open_page())
    page.segmented_control(key="only").set_value("differs").run()
    assert "buy milk tomorrow" in html(checked(page))
    assert "residue" not in html(page)
    page.segmented_control(key="only").set_value("broken").run()
    assert any("No line fits" in each.value for each in page.info)
    page.segmented_control(key="only").set_value("all").run()
    page.selectbox(key="intent").set_value("complete_task").run()
    assert "passport" in html(checked(page))
    assert "buy milk" not in html(page)


def test_nothing_to_compare_is_said(workbench: Database) -> None:
    page = open_page()
    button(page, "Compare").click().run()
    assert any("no message to compare" in each.value for each in checked(page).error)
    page.text_area(key="compare_text").set_value("hello").run()
    page.multiselect(key="compare_deciders").set_value([]).run()
    button(page, "Compare").click().run()
    assert any("at least one decider" in each.value for each in checked(page).error)


def test_a_file_is_read_and_its_bad_lines_are_told(workbench: Database) -> None:
    page = open_page()
    page.segmented_control(key="compare_source").set_value("file").run()
    tasks = [{"id": "z", "number": 99, "title": "Tune the harpsichord"}]
    lines = [json.dumps({"text": "delete the harpsichord task", "tasks": tasks}), "{broken", '{"text": "who am i"}']
    page.file_uploader(key="compare_file").upload("mine.jsonl", "\n".join(lines).encode(), "application/json").run()
    assert any("line 2" in each.value for each in checked(page).warning)
    button(page, "Compare 2 lines").click().run()
    wait(page)
    assert "#99 Tune the harpsichord" in html(page)
    assert any("1 line could not be used" in each.label for each in page.expander)
    with workbench.read() as session:
        (run,) = list_comparisons(session, person(workbench).id)
    assert run.name == "mine.jsonl"
    given = find_turn_input(person(workbench), f"line:{run.id}:1")
    assert given
    assert given.context_wire["tasks"] == tasks
    assert f"turn=line%3A{run.id}%3A1" in html(page)


def test_a_model_that_was_added_answers_and_its_key_is_nowhere_on_the_page(workbench: Database) -> None:
    with serve(calls("add_task", title="buy milk")) as server:
        page = open_page()
        add_model(page, server.url)
        assert page.multiselect(key="compare_deciders").value == ["engine", "baseline", "added:0"]
        compare(page, "add a task to buy milk")
        assert server.requests
    shown = html(page) + str(page)
    assert "sk-secret" not in shown
    assert "13 tokens" in shown


def test_an_address_that_is_none_is_refused_in_a_sentence(workbench: Database) -> None:
    page = open_page()
    add_model(page, "not an address")
    assert any("must look like" in each.value for each in page.error)
    assert page.multiselect(key="compare_deciders").value == ["engine", "baseline"]


@cache
def edited_policy() -> bytes:
    """The English policy with another act threshold: nothing is sure enough any more."""
    text = serialise(load_policy("en"))
    assert "  act: 0.7" in text
    return text.replace("  act: 0.7", "  act: 1.0").encode()


def upload_policy(page: AppTest, content: bytes) -> AppTest:
    page.file_uploader(key="compare_policy").upload("mine.yaml", content, "application/yaml").run()
    return checked(button(page, "Add this policy").click().run())


def test_another_policy_takes_part_and_what_it_decides_otherwise_is_marked(workbench: Database) -> None:
    page = upload_policy(open_page(), edited_policy())
    page.multiselect(key="compare_deciders").set_value(["engine", "added:0"]).run()
    compare(page, "mark the passport task as done")
    assert page.segmented_control(key="only").options[1] == "Differ 1"
    assert '<span class="tc-mark"' in html(page)


def test_a_broken_policy_is_refused_with_the_line_of_the_mistake(workbench: Database) -> None:
    lines = edited_policy().decode().split("\n")
    place = next(number for number, line in enumerate(lines, start=1) if line.startswith("  act:"))
    lines[place - 1] = "  act: 7"
    page = upload_policy(open_page(), "\n".join(lines).encode())
    assert any(f"line {place}" in each.value.replace("\\", "") for each in page.error)
    assert page.multiselect(key="compare_deciders").value == ["engine", "baseline"]


@pytest.mark.parametrize(
    "content", [b"- 1\n- 2\n", b"\xff\xfe", b"words: 3", b"a: [", b"\x00", b"", b"[\n" * 100_000, b"x" * 3_000_000]
)
def test_what_is_no_policy_is_refused(workbench: Database, content: bytes) -> None:
    page = upload_policy(open_page(), content)
    assert len(page.error) == 1


def test_a_policy_reaches_no_file(workbench: Database) -> None:
    page = upload_policy(open_page(), edited_policy() + b"\nweights: ../../pyproject.toml\n")
    assert any("unknown section" in each.value for each in page.error)


def test_a_run_under_way_can_be_cancelled_and_keeps_what_is_finished(workbench: Database) -> None:
    with serve(hang) as server:
        page = open_page()
        add_model(page, server.url)
        page.text_area(key="compare_text").set_value("who am i\nshow my tasks").run()
        checked(button(page, "Compare").click().run())
        assert button(page, "Compare").disabled
        assert server.asked.wait(20)
        button(page, "Cancel").click().run()
        wait(page)
    assert any("was cancelled" in each.value for each in page.info)
    assert not button(page, "Compare").disabled


def test_runs_are_named_reopened_by_link_and_removed(workbench: Database) -> None:
    page = open_page()
    page.text_input(key="compare_name").set_value("First").run()
    compare(page, "who am i")
    compare(page, "show my tasks")
    with workbench.read() as session:
        second, first = list_comparisons(session, person(workbench).id)
    assert (first.name, second.name) == ("First", "show my tasks")
    page = open_page(run=first.id)
    assert "who am i" in html(page)
    button(page, "Remove this run").click().run()
    assert "show my tasks" in html(checked(page))
    with workbench.read() as session:
        assert [run.id for run in list_comparisons(session, person(workbench).id)] == [second.id]


def test_a_run_is_renamed(workbench: Database) -> None:
    page = compare(open_page(), "who am i")
    with workbench.read() as session:
        (run,) = list_comparisons(session, person(workbench).id)
    page.text_input(key=f"rename_run_{run.id}").set_value("Better name")
    button(page, "Rename").click().run()
    checked(page)
    with workbench.read() as session:
        assert list_comparisons(session, person(workbench).id)[0].name == "Better name"


def test_a_run_that_a_stop_of_the_workbench_cut_off_says_so(workbench: Database) -> None:
    with workbench.write() as session:
        start_comparison(session, person(workbench).id, name="x", deciders=["Engine"], total=5, problems=())
    assert any("stopped with the workbench" in each.value for each in open_page().info)


def test_only_the_latest_runs_are_kept_and_nobody_reaches_anothers(workbench: Database) -> None:
    maya = person(workbench)
    with workbench.write() as session:
        nina = create_user(session, "Nina")
        theirs = start_comparison(session, nina.id, name="n", deciders=["Engine"], total=1, problems=())
        for number in range(KEPT_RUNS + 3):
            start_comparison(session, maya.id, name=str(number), deciders=["Engine"], total=1, problems=())
        assert [run.name for run in list_comparisons(session, maya.id)][-1] == "3"
        assert not remove_comparison(session, maya.id, theirs)
        assert len(list_comparisons(session, nina.id)) == 1
    assert find_turn_input(maya, f"line:{theirs}:1") is None
    assert find_turn_input(maya, "line:x:y") is None


def test_a_run_that_was_removed_takes_no_more_lines(workbench: Database) -> None:
    maya = person(workbench)
    with workbench.write() as session:
        run = start_comparison(session, maya.id, name="n", deciders=["Engine"], total=1, problems=())
        remove_comparison(session, maya.id, run)
        assert not add_lines(session, run, [], [])
        finish_comparison(session, run, "done")


def test_exports_hold_every_line_and_no_cell_runs_as_a_formula(workbench: Database) -> None:
    compare(open_page(), "=1+1\nadd a task to buy milk")
    with workbench.read() as session:
        (run,) = list_comparisons(session, person(workbench).id)
    rows = list(csv.DictReader(io.StringIO(export_csv(run, "all", None).decode("utf-8-sig"))))
    assert rows[0]["text"] == "'=1+1"
    assert rows[1]["Engine: call"].startswith('add_task(title="buy milk"')
    first, second = [json.loads(line) for line in export_jsonl(run, "all", None).splitlines()]
    assert (first["id"], first["text"]) == (1, "=1+1")
    assert second["answers"]["Engine"]["intent"] == "add_task"


def test_markup_in_a_message_is_shown_and_not_run(workbench: Database) -> None:
    page = compare(open_page(), "add a task to <img src=x onerror=alert(1)>")
    assert "<img src=x" not in html(page)
    assert "&lt;img src=x" in html(page)
