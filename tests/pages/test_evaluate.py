"""The Evaluate page in every state, run by Streamlit's own test runner."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.evaluation.cases import save_case
from db.evaluation.results import count_results
from db.evaluation.run_values import KeptRun, ResultFilter
from db.evaluation.runs import claim_run, finish_run, list_runs, mark_baseline
from db.policies.saving import save_draft
from db.users import User, find_user
from domains.drafts import begin_draft
from engine.editing.edits import SetThreshold
from evals.evaluate.data_sets import narrow
from evals.evaluate.own_files import read_own_file
from evals.evaluate.room import begin_run
from evals.evaluate.specs import DeciderSpec
from settings import load_settings
from tests.pages.opening import open_at
from tests.pages.test_compare import button, checked, html, wait
from ui import background
from ui.evaluate import data_sets
from ui.evaluate.exporting import export_run
from ui.given.recorded import find_turn_input

ENGINE, BASELINE = DeciderSpec("engine", "Engine"), DeciderSpec("baseline", "Baseline")
LINES = (
    {"text": "add a task to buy tea", "tool": "add_task", "arguments": {"title": "buy tea"}, "tags": ["shop"]},
    {"text": "show my tasks", "tool": "list_tasks", "tags": ["shop"]},
    {"text": "what a lovely day", "tool": None},
    {
        "text": "mark the passport task as done",
        "tool": "complete_task",
        "target": "Renew passport",
        "severity": "critical",
        "tasks": [{"id": "p", "number": 3, "title": "Renew passport"}],
    },
    {"text": "delete everything", "tool": "add_task"},
)
FILE = "".join(json.dumps(line) + "\n" for line in LINES)
"""The last label is wrong on purpose: no decider adds a task for it."""


@pytest.fixture(autouse=True)
def llm_off(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


@pytest.fixture
def maya(workbench: Database) -> User:
    with workbench.read() as session:
        user = find_user(session, "maya")
    assert user
    return user


def run_file(database: Database, user: User, *specs: DeciderSpec, content: str = FILE, name: str = "Mine") -> KeptRun:
    """A finished run over a file, as the page's thread would have made it."""
    begun = begin_run(database, user.id, read_own_file(content, "own.jsonl"), specs or (ENGINE, BASELINE), name=name)
    begun.work.run()
    begun.work.finish("done")
    return find(database, user)


def find(database: Database, user: User) -> KeptRun:
    with database.read() as session:
        return list_runs(session, user.id)[0]


def open_page(**address: str) -> AppTest:
    return open_at("evaluate", {"user": "maya", **address}, seconds=120)


def told(page: AppTest) -> str:
    """All that is said in sentences, without the signs that keep it from being formatted."""
    kinds = (page.markdown, page.caption, page.info, page.success, page.warning, page.error)
    return "\n".join(str(each.value) for kind in kinds for each in kind).replace("\\", "")


def rows(page: AppTest) -> int:
    return html(page).count('class="tc-message"')


def test_a_new_page_says_what_to_do(workbench: Database) -> None:
    page = open_page()
    assert "No run yet" in told(page)
    assert page.multiselect(key="evaluate_sets").value == ["ours"]
    assert page.multiselect(key="evaluate_deciders").value == ["engine", "baseline"]
    assert button(page, "Run 1,").disabled is False
    assert "LLM of this session is off" in told(page)


def test_a_run_is_started_narrowed_and_shown_with_its_intervals(workbench: Database, maya: User) -> None:
    page = open_page()
    page.multiselect(key="evaluate_kind").set_value(["identity"]).run()
    count = len(narrow(data_sets._load_ours(maya, "tasks"), {"kind": {"identity"}}).cases)
    checked(button(page, f"Run {count} cases").click().run())
    page = wait(page)
    assert f"of {count} cases" in told(page)
    assert "95%:" in told(page)
    run = find(workbench, maya)
    assert (run.status, run.done, run.total) == ("done", 2 * count, 2 * count)
    assert run.name == "Our cases: identity"
    assert "Asked needlessly" in html(page)


def test_nothing_chosen_cannot_be_run(workbench: Database) -> None:
    page = open_page()
    page.multiselect(key="evaluate_deciders").set_value([]).run()
    assert "Choose at least one decider." in told(page)
    assert button(page, "Run 1,").disabled
    page.multiselect(key="evaluate_sets").set_value([]).run()
    assert "Choose at least one data set." in told(page)
    page.multiselect(key="evaluate_sets").set_value(["saved"]).run()
    assert "You have none yet" in told(checked(page))


def test_the_baseline_cannot_hold_conversations_and_it_says_so(workbench: Database) -> None:
    page = open_page()
    page.multiselect(key="evaluate_sets").set_value(["conversations"]).run()
    assert "Baseline cannot hold conversations" in told(page)
    assert button(page, "Run ").disabled


def test_own_lines_are_used_and_bad_ones_told_by_their_number(workbench: Database, maya: User) -> None:
    page = open_page()
    page.multiselect(key="evaluate_sets").set_value(["file"]).run()
    assert "every bad line by its number" in told(page)
    content = FILE + "no json\n" + json.dumps({"text": "hello"}) + "\n"
    page.file_uploader(key="evaluate_file").upload("own.jsonl", content.encode(), "application/json").run()
    assert "line 6: " in told(page)
    assert "line 7: " in told(page)
    checked(button(page, "Run 5 cases").click().run())
    wait(page)
    run = find(workbench, maya)
    assert len(run.problems) == 2
    assert run.size == 5


def test_saved_cases_are_a_data_set(workbench: Database, maya: User) -> None:
    with workbench.write() as session:
        save_case(
            session, maya.id, "who am i", {"tasks": [], "now": "2026-03-02T09:00:00"}, {"intent": "identity_query"}
        )
    page = open_page()
    page.multiselect(key="evaluate_sets").set_value(["saved"]).run()
    checked(button(page, "Run 1 case").click().run())
    wait(page)
    assert find(workbench, maya).set_name == "Saved cases"


def test_the_table_shows_what_failed_first_and_filters_by_verdict(workbench: Database, maya: User) -> None:
    run_file(workbench, maya)
    page = open_page()
    shown = page.segmented_control(key="only")
    assert shown.value == "failed"
    assert "delete everything" in html(page)
    assert "buy tea" not in html(page)
    shown.set_value("right").run()
    assert "buy tea" in html(checked(page))
    assert "delete everything" not in html(page)
    page.segmented_control(key="only").set_value("all").run()
    assert rows(page) == 5
    page.text_input(key="q").set_value("PASSPORT").run()
    assert rows(page) == 1
    assert "critical" in html(page)


def test_filters_live_in_the_address(workbench: Database, maya: User) -> None:
    run_file(workbench, maya)
    page = open_page(only="all", slice="tag:shop", who="1")
    assert rows(page) == 2
    assert page.selectbox(key="who").value == 1
    page.selectbox(key="slice").set_value("any").run()
    assert rows(page) == 5
    assert "slice" not in page.query_params


def test_every_run_of_the_page_says_what_is_chosen(workbench: Database, maya: User) -> None:
    """A browser that loads the code of a field late sees only the latest run: the field must not start elsewhere."""
    run_file(workbench, maya)
    older = find(workbench, maya)
    run_file(workbench, maya)
    page = open_page(view="slices", who="1", run=older.id, domain="tasks").run()
    assert page.selectbox(key="who").proto.default == 1
    assert page.selectbox(key="run").proto.default == 1
    assert list(page.segmented_control(key="view").proto.default) == [3]
    assert list(page.multiselect(key="evaluate_deciders").proto.default) == [0, 1]


def test_a_cell_of_the_matrix_shows_its_messages_and_can_be_taken_off(workbench: Database, maya: User) -> None:
    run_file(workbench, maya)
    page = open_page(view="confusion", meant="add_task", came="add_task", only="all")
    assert rows(page) == 1
    assert "buy tea" in html(page)
    button(page, "Meant “Add a task”").click().run()
    assert rows(checked(page)) == 5
    assert "The matrix as a table" in [each.label for each in page.expander]


def test_failed_cells_are_buttons_too(workbench: Database, maya: User) -> None:
    run_file(workbench, maya)
    page = open_page(view="confusion")
    checked(button(page, "1 × Add a task").click().run())
    assert page.query_params["meant"] == "add_task"
    assert rows(page) == 1
    assert "delete everything" in html(page)


def test_every_view_opens_for_every_decider(workbench: Database, maya: User) -> None:
    run_file(workbench, maya)
    for view in ("scoreboard", "confusion", "against", "slices", "calibration", "thresholds", "labels"):
        for who in ("0", "1"):
            open_page(view=view, who=who)


def test_every_view_opens_for_a_set_of_one_case_and_one_decider(workbench: Database, maya: User) -> None:
    run_file(workbench, maya, ENGINE, content=json.dumps(LINES[0]))
    for view in ("scoreboard", "confusion", "against", "slices", "calibration", "thresholds", "labels"):
        open_page(view=view)
    assert "nothing to hold it against" in told(open_page(view="against"))
    assert "no parts to tell apart" in told(open_page(view="slices"))
    assert "It takes two deciders" in told(open_page(view="labels"))


def test_two_deciders_are_told_apart_by_four_tiles(workbench: Database, maya: User) -> None:
    run_file(workbench, maya)
    page = open_page(view="against")
    labels = [each.label for each in page.button if each.key and each.key.startswith("tile-")]
    counts = [int(label.split("**")[1]) for label in labels]
    assert sum(counts) == 5
    assert "No difference can be told with 5 cases" in told(page)
    assert rows(page) == 5
    page.button(key="tile-neither").click().run()
    assert rows(checked(page)) == counts[3]
    assert page.query_params["change"] == "neither"
    page.button(key="tile-neither").click().run()
    assert rows(checked(page)) == 5


def test_a_run_is_held_against_the_baseline_by_what_was_fixed_and_broken(workbench: Database, maya: User) -> None:
    before = run_file(workbench, maya, ENGINE, name="Before")
    with workbench.write() as session:
        mark_baseline(session, maya.id, before.id, is_baseline=True)
    run_file(workbench, maya, DeciderSpec("baseline", "Engine"), name="Now")
    page = open_page(view="against")
    options = page.segmented_control(key="change").options
    assert options[0] == "All 5"
    broken = int(options[2].split()[-1])
    assert broken > 0
    assert page.segmented_control(key="change").value == "broken"
    assert rows(page) == broken
    page.segmented_control(key="change").set_value("all").run()
    assert rows(checked(page)) == 5


def test_runs_on_other_cases_are_compared_on_what_they_share(workbench: Database, maya: User) -> None:
    run_file(workbench, maya, ENGINE, name="Before")
    run_file(workbench, maya, ENGINE, content="".join(json.dumps(line) + "\n" for line in LINES[:3]), name="Part")
    page = open_page(view="against")
    assert "compared on the 3 that they share" in told(page)


def test_labels_in_doubt_are_settled_and_taken_back(workbench: Database, maya: User) -> None:
    # Two deciders that are the same one agree wherever they are sure.
    content = "".join(
        json.dumps({"text": text, "tool": "delete_task"}) + "\n" for text in ("show my tasks", "who am i")
    )
    run_file(workbench, maya, ENGINE, DeciderSpec("engine", "Engine again"), content=content)
    page = open_page(view="labels")
    assert "0 of 2 settled" in progress(page)
    assert "Engine and Engine again agree on" in html(page)
    button(page, "Label is right").click().run()
    assert "1 of 2 settled" in progress(checked(page))
    button(page, "Label is wrong").click().run()
    assert "2 of 2 settled" in progress(checked(page))
    assert any("Say on Inspect" in each.proto.label for each in page.get("link_button"))
    button(page, "Undo").click().run()
    assert "1 of 2 settled" in progress(checked(page))


def progress(page: AppTest) -> str:
    return " ".join(each.proto.text for each in page.get("progress"))


@pytest.mark.thorough("tests/pages/test_policy.py::test_a_draft_on_trial_decides_in_this_session")
def test_thresholds_from_costs_are_taken_into_a_draft(
    workbench: Database, maya: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = narrow(data_sets._load_ours(maya, "tasks"), {"kind": {"add", "smalltalk", "unknown", "complete"}})
    begun = begin_run(workbench, maya.id, ours, [ENGINE])
    begun.work.run()
    begun.work.finish("done")
    page = open_page(view="thresholds", wrong_act="1")
    assert page.slider(key="wrong_act").value == 1
    checked(button(page, "Add to the next run").click().run())
    drafts = [label for label in page.multiselect(key="evaluate_deciders").options if label.startswith("Draft: act 0.")]
    assert len(drafts) == 1
    assert "is among the deciders of a new run" in told(page)
    asked: list[dict[str, str]] = []
    monkeypatch.setattr(st, "switch_page", lambda _page, query_params: asked.append(query_params))
    checked(button(page, "Take into a draft").click().run())
    (address,) = asked
    policy = open_at("policy", address, seconds=120)
    act = float(drafts[0].split("act ")[1].split(",")[0])
    assert f"act {act:.2f}" in told(policy)
    assert "Nothing is in force before it is saved" in told(policy)
    assert "thresholds" not in policy.query_params, "a reload does not take them again"
    assert [each for each in policy.button if each.key and each.key.startswith("out-0-")], "it is an edit of the draft"
    assert policy.segmented_control(key="view").value == "edit"
    for work_id in background.running_ids():  # what the draft does to all cases is Policy's matter
        background.cancel(work_id)
    page.slider(key="wrong_act").set_value(20).run()
    assert page.query_params["wrong_act"] == "20"


def test_only_what_failed_is_run_again(workbench: Database, maya: User) -> None:
    first = run_file(workbench, maya)
    page = open_page()
    checked(button(page, "Run this 1 case again").click().run())
    wait(page)
    part = find(workbench, maya)
    assert (part.part_of, part.size, part.labels) == (first.id, 1, first.labels)
    assert "a part of another run" in told(page)


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(workbench: Database, maya: User) -> None:
    begun = begin_run(workbench, maya.id, read_own_file(FILE, "own.jsonl"), [ENGINE])
    with workbench.write() as session:  # by a workbench that is gone
        claim_run(session, maya.id, begun.run_id, begun.work.owner)
    page = open_page()
    assert "was cut off when the workbench stopped" in told(page)
    checked(button(page, "Go on").click().run())
    page = wait(page)
    assert find(workbench, maya).status == "done"
    assert "of 5 cases" in told(page)


def test_a_cancelled_run_says_how_far_it_came(workbench: Database, maya: User) -> None:
    begun = begin_run(workbench, maya.id, read_own_file(FILE, "own.jsonl"), [ENGINE])
    with workbench.write() as session:
        finish_run(session, begun.run_id, begun.work.owner, "cancelled")
    page = open_page()
    assert "This run was cancelled. 0 of 5 answers are here." in told(page)
    assert "appear here with the first answers" in told(page)


def test_a_run_is_named_made_the_baseline_and_removed(workbench: Database, maya: User) -> None:
    run = run_file(workbench, maya)
    page = open_page()
    page.text_input(key=f"rename_run_{run.id}").set_value("Before the change")
    button(page, "Rename").click().run()
    checked(button(page, "Make baseline").click().run())
    kept = find(workbench, maya)
    assert (kept.name, kept.is_baseline) == ("Before the change", True)
    assert page.selectbox(key="run").options[0].startswith("★ Before the change")
    checked(button(page, "Remove this run").click().run())
    assert "No run yet" in told(page)


def test_nobody_sees_the_runs_of_another(workbench: Database, maya: User) -> None:
    run = run_file(workbench, maya)
    page = open_at("evaluate", {"user": "jonas", "run": run.id}, seconds=120)
    assert "No run yet" in told(page)
    with workbench.read() as session:
        jonas = find_user(session, "jonas")
        assert count_results(session, run.id, ResultFilter()) == 5
    assert jonas
    assert find_turn_input(jonas, f"case:{run.id}:0:0") is None
    assert export_run(jonas, run.id, None, lambda _report: "something") == ""


def test_a_case_opens_on_inspect_in_its_own_situation(workbench: Database, maya: User) -> None:
    run = run_file(workbench, maya)
    page = open_page(only="all", q="passport")
    assert f"/inspect?turn=case%3A{run.id}%3A0%3A3&amp;user=maya" in html(page)
    given = find_turn_input(maya, f"case:{run.id}:0:3")
    assert given
    assert given.text == "mark the passport task as done"
    assert [task["title"] for task in given.context_wire["tasks"]] == ["Renew passport"]
    inspect = open_at("inspect", {"user": "maya", "turn": f"case:{run.id}:0:3"}, seconds=120)
    assert "as the case has it" in told(inspect)
    assert "#3 “Renew passport”" in html(inspect)


@pytest.mark.parametrize(
    "broken", ["case:", "case:x:0:0", "case:{run}:0", "case:{run}:0:99", "case:{run}:9:0", "case:{run}:0:²"]
)
def test_a_case_that_does_not_exist_is_none(workbench: Database, maya: User, broken: str) -> None:
    run = run_file(workbench, maya)
    assert find_turn_input(maya, broken.format(run=run.id)) is None


def test_a_message_is_never_drawn_as_mark_up(workbench: Database, maya: User) -> None:
    content = json.dumps({"text": "<img src=x onerror=alert(1)>", "tool": "add_task", "id": "<b>id</b>"})
    run_file(workbench, maya, content=content, name="<i>name</i>")
    page = open_page()
    assert "<img" not in html(page)
    assert "&lt;img" in html(page)
    assert "<b>id</b>" not in html(page)


def test_machines_have_their_own_cases(workbench: Database, maya: User) -> None:
    page = open_page(domain="machines")
    assert page.multiselect(key="evaluate_deciders").value == ["engine"]
    assert "Our conversations" not in page.multiselect(key="evaluate_sets").options


def test_a_model_that_was_added_takes_part_alone_composed_or_as_half_of_a_driver(workbench: Database) -> None:
    page = open_page()
    page.text_input(key="evaluate_url").set_value("http://localhost:9/v1")
    page.text_input(key="evaluate_model").set_value("m")
    page.text_input(key="evaluate_secret").set_value("sk-secret-never-shown-anywhere")
    checked(button(page, "Add").click().run())
    assert page.multiselect(key="evaluate_deciders").value == ["engine", "baseline", "added:0"]
    ways = {label.partition(" · ")[0] for label in page.multiselect(key="evaluate_deciders").options}
    assert {"LLM", "LLM and composer", "Both, weighed", "LLM, guarded"} <= ways
    page.multiselect(key="evaluate_deciders").set_value(["router:0"]).run()
    assert button(checked(page), "Run 1,").disabled is False
    assert "sk-secret" not in told(page) + html(page)


@pytest.mark.thorough(
    "tests/evals/evaluate/test_running.py::test_a_saved_version_of_the_policy_is_a_decider_also_after_a_restart"
)
def test_a_saved_version_of_the_policy_takes_part(workbench: Database, maya: User) -> None:
    draft = begin_draft("tasks", "en").edit(SetThreshold("act", 0.99))
    with workbench.write() as session:
        version = save_draft(session, draft, author="maya", since=0, note="act later")
    page = open_page()
    label = "Policy en 1: act later"
    assert label in page.multiselect(key="evaluate_deciders").options
    page.multiselect(key="evaluate_kind").set_value(["identity"]).run()
    page.multiselect(key="evaluate_deciders").set_value(["engine", f"version:{version.id}"]).run()
    checked(button(page, "Run ").click().run())
    wait(page)
    assert find(workbench, maya).labels == ("Engine", label)
