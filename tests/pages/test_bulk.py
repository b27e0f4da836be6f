"""Bulk runs on Evaluate, History, Policy and Inspect, run by Streamlit's own test runner."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from domains.drafts import begin_draft
from engine.editing.edits import SetThreshold
from evals.__main__ import main
from evals.bulk.folder import RunFolder
from evals.evaluate.confusion import make_confusion
from settings import bulk_logs, bulk_runs, load_settings
from tests.evals.bulk.made_up import LINES, STRICTER, begin, many, run_here, write_lines
from tests.pages.opening import open_at
from tests.pages.test_compare import button, checked, html
from ui.bulk import starting, table
from ui.evaluate.bulk_confidence import confidence_figure
from ui.evaluate.matrix import confusion_figure
from ui.policy import bulk as policy_bulk
from ui.policy.desk import Desk


@pytest.fixture(autouse=True)
def bulk_folder(tmp_path: Path, workbench: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BULK_FOLDER", str(tmp_path / "bulk"))
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()
    yield tmp_path / "bulk"
    load_settings.cache_clear()


def make_run(place: Path, folder: Path, *, both: bool = True, labels: bool = True) -> RunFolder:
    policy = place / "stricter.yaml"
    policy.write_text(STRICTER, encoding="utf-8")
    path = write_lines(place / "log.jsonl", [*LINES, *many(40), "{bad"])
    run = begin(folder, [path], shard=20, policy=policy if both else None, both=both, labels=labels)
    run_here(run)
    return run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """To decide all of its lines takes three times as long as to open a page."""
    place = tmp_path_factory.mktemp("made")
    return make_run(place, place / "one")


@pytest.fixture
def run(made: RunFolder, bulk_folder: Path) -> RunFolder:
    """Under two policies, finished; the test's own."""
    return RunFolder(shutil.copytree(made.path, bulk_runs() / "one"))


def evaluate(**address: str) -> AppTest:
    return open_at("evaluate", {"runs": "bulk", **address}, 60)


def told(page: AppTest) -> str:
    return " ".join(each.value for each in (*page.markdown, *page.caption, *page.info))


def test_without_a_run_the_command_is_shown() -> None:
    for page in (evaluate(), open_at("history", {"view": "bulk"}, 60)):
        assert "No bulk run yet" in told(page)
        assert "python -m evals bulk" in page.code[0].value


def test_the_figures_are_there_at_once_and_the_messages_below(run: RunFolder) -> None:
    page = evaluate()
    assert "right on" in told(page)
    assert "Acted on nothing" in html(page)
    assert "delete everything" in html(page), "what failed comes first"
    assert "1 line could not be used" in [each.label for each in page.expander]


@pytest.mark.parametrize("view", ["confusion", "changes", "parts", "confidence", "rules"])
def test_every_view_has_something_to_say(view: str, run: RunFolder) -> None:
    page = evaluate(bulk_view=view)
    assert len(told(page)) > 60
    if view != "confidence":
        assert "/inspect?turn=bulk%3Aone%3A" in html(page)
    if view in ("confusion", "confidence"):
        assert page.get("plotly_chart")


def test_a_cell_of_the_matrix_is_a_filter(run: RunFolder) -> None:
    page = evaluate(bulk_view="confusion")
    mistake = next(each for each in page.button if "×" in each.label)
    count = int(mistake.label.split(" ×")[0])
    mistake.click()
    checked(page.run())
    assert len(re.findall("turn=bulk", html(page))) == count
    assert any("Meant" in each.label for each in page.button)


def test_a_change_leads_to_its_messages(run: RunFolder) -> None:
    page = open_at("history", {"view": "bulk"}, 60)
    assert "are decided otherwise under" in told(page)
    pair = next(each for each in page.button if "×" in each.label)
    count = int(pair.label.split(" ×")[0])
    pair.click()
    checked(page.run())
    assert len(re.findall("turn=bulk", html(page))) == count
    assert page.query_params["pair"]


def test_a_run_of_one_policy_is_looked_through_on_history(tmp_path: Path) -> None:
    make_run(tmp_path, bulk_runs() / "one", both=False, labels=False)
    page = open_at("history", {"view": "bulk", "q": "passport"}, 60)
    assert "decided under one policy" in told(page)
    assert "mark the passport task as done" in html(page)
    assert "show my tasks" not in html(page)
    without = evaluate()
    assert "nobody said what was meant" in told(without)


def test_a_message_opens_in_inspect_with_its_context(run: RunFolder) -> None:
    page = open_at("inspect", {"turn": "bulk:one:0:3"}, 60)
    assert page.text_input[0].value == "mark the passport task as done" or "passport" in told(page) + html(page)
    for strange in ("bulk:one:0:9999", "bulk:nowhere:0:0", "bulk:../one:0:0", "bulk:one:x:y"):
        assert "passport" not in html(open_at("inspect", {"turn": strange}, 60))


def test_without_duckdb_the_figures_are_there_and_a_sentence_says_what_to_install(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "has_duckdb", lambda: False)
    page = evaluate()
    assert "right on" in told(page)
    assert "constraints-bulk.txt" in page.info[0].value


def test_a_run_that_was_cut_off_shows_what_it_has_and_goes_on(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    run.shard_path(1).unlink()
    (run.path / "figures.json").unlink()
    run.keep_state(run.state().__class__("running", messages=20, shards=2))
    asked: list[list[str]] = []
    monkeypatch.setattr(starting, "start_command", lambda _folder, arguments: asked.append(list(arguments)))
    page = evaluate()
    assert "was cut off" in told(page)
    assert "right on" in told(page)
    checked(button(page, "Go on").click().run())
    assert asked == [["--resume", str(run.path)]]


@pytest.mark.thorough("tests/pages/test_bulk.py::test_a_run_that_was_cut_off_shows_what_it_has_and_goes_on")
def test_a_draft_is_replayed_over_big_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page writes both policies and starts the command; here it is run in this process."""
    asked: list[list[str]] = []
    bulk_logs().mkdir(parents=True)
    write_lines(bulk_logs() / "year.jsonl", many(20))
    monkeypatch.setattr(policy_bulk, "start_command", lambda _folder, arguments: asked.append(list(arguments)))
    page = open_at("policy", {"view": "edit"}, 120)
    draft = begin_draft("tasks", "en").edit(SetThreshold("act", 0.999))
    page.session_state["policy_desks"] = {("tasks", "en"): Desk("tasks", "en", draft, None, 0)}
    checked(page.run())
    page.multiselect(key="policy_bulk_files").select("year.jsonl")
    checked(page.run())
    checked(button(page, "Replay under this draft").click().run())
    assert [main(["bulk", *arguments]) for arguments in asked] == [0]
    (run,) = [RunFolder(path.parent) for path in bulk_runs().glob("*/figures.json")]
    assert run.plan().names == ("draft", "the project's files")
    assert run.merge()["changes"]["messages"] > 0
    assert f"run={run.id}" in html(page), "in the same tab: a link in Markdown would open another"


def test_large_counts_fit_into_the_squares_of_the_matrix() -> None:
    cells = {("add_task", "add_task"): 99_999, ("add_task", "asks"): 872_345, ("unknown", "unknown"): 8_723_450}
    figure = confusion_figure(make_confusion(cells, ("add_task", "unknown")), shares=False, chosen=None)
    assert set(figure.data[0].text) == {"99,999", "872k", "8.7M"}


def test_the_two_sides_of_a_confidence_are_a_bar_and_a_line() -> None:
    figure = confidence_figure([[0, 5, 10], [1, 5, 9]], ["new", "before"])
    assert [each.type for each in figure.data] == ["bar", "scatter"]
    assert list(figure.data[0].y) == [0, 5, 10]
    assert figure.layout.yaxis.type == "log", "one message among millions is seen, too"
