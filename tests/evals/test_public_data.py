"""Public rows are read from outside, with one seed, and judged by the labels that they accept."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from domains.tasks.baseline.decider import make_baseline
from engine.decision import Context, Decision
from evals import public_data
from evals.__main__ import main
from evals.public_data import load_rows, run_rows
from evals.public_report import report_rows


def row(number: int, text: str, *accept: str, source: str = "one", lang: str = "en") -> dict[str, object]:
    return {"id": f"r{number}", "text": text, "intent": accept[0], "accept": accept, "source": source, "lang": lang}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tiers = {
        "tasks": [row(1, "add a task to wash", "add_task"), row(2, "mostra", "list_tasks", lang="it")],
        "lists": [row(3, "add eggs to the shopping list", "add_task", "unknown")],
        "borderline": [],
        "negatives": [row(4, "what is love", "unknown"), row(5, "hello", "unknown", source="two")],
    }
    for tier, rows in tiers.items():
        with gzip.open(tmp_path / f"{tier}_dev.jsonl.gz", "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(each) + "\n" for each in rows)
    return tmp_path


def test_figures_are_per_language_and_per_source(folder: Path) -> None:
    report = report_rows("baseline", run_rows(make_baseline(), load_rows(folder, "dev")))
    english, italian = report.languages
    assert (english.accuracy.count, english.accuracy.total) == (1, 1)
    assert english.false_actions_by_source["one"].value == 1.0
    assert english.false_actions_by_source["two"].value == 0.0
    assert english.false_actions_macro.value == 0.5
    assert english.lenient["lists"].value == 1.0
    assert italian.accuracy.count == 0
    assert report.overall.acting.ece.total == 2


def test_a_large_source_is_capped_the_same_way_each_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_data, "NEGATIVES_PER_SOURCE", 3)
    with gzip.open(folder / "negatives_dev.jsonl.gz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row(number, "hello", "unknown")) + "\n" for number in range(9))
    first = [each.id for each in load_rows(folder, "dev") if each.tier == "negatives"]
    assert len(first) == 3
    assert first == [each.id for each in load_rows(folder, "dev") if each.tier == "negatives"]


def test_a_row_on_which_the_decider_raises_is_counted_and_the_rest_goes_on(folder: Path) -> None:
    class Fragile:
        def decide(self, text: str, context: Context) -> Decision:
            if text == "hello":
                raise RuntimeError("by design")
            return make_baseline().decide(text, context)

    report = report_rows("fragile", run_rows(Fragile(), load_rows(folder, "dev")))
    assert (report.errors.count, report.errors.total) == (1, 5)


def test_the_command_line_reports_public_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    errors = folder / "errors.jsonl"
    assert main(["--data", str(folder), "--decider", "baseline", "--errors", str(errors)]) == 0
    printed = capsys.readouterr().out
    assert "accuracy by source" in printed
    assert "ECE where an intent is read" in printed
    assert {json.loads(line)["text"] for line in errors.read_text(encoding="utf-8").splitlines()} == {
        "mostra",
        "what is love",
    }


def test_a_folder_without_data_is_an_error_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "tasks_dev.jsonl.gz" in capsys.readouterr().err
