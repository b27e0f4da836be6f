"""The gate: fails on what is more than noise and on broken critical cases, never passes where it cannot tell."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from evals.__main__ import main
from evals.evaluate.gating import hold
from evals.evaluate.sources import load_our_cases
from tests.evals.evaluate.made_up import report_of

RIGHTS = [place % 10 != 0 for place in range(200)]


def spoiled(count: int, rights: list[bool] = RIGHTS) -> list[bool]:
    """So many fewer are right, spread over all of them."""
    places = [place for place, right in enumerate(rights) if right][:: max(1, len(rights) // (count + 1))][:count]
    return [right and place not in places for place, right in enumerate(rights)]


def test_the_same_run_passes() -> None:
    result = hold(report_of(RIGHTS), report_of(RIGHTS))
    assert (result.verdict, result.exit_code) == ("pass", 0)
    assert result.reasons == ("The baseline and this run are right and wrong on the same of 200 cases.",)


def test_a_difference_within_the_noise_passes_and_is_told() -> None:
    result = hold(report_of(RIGHTS), report_of(spoiled(2)))
    assert result.verdict == "pass"
    assert result.comparison
    assert len(result.comparison.broken) == 2
    assert "No difference can be told with 200 cases" in result.reasons[0]


def test_a_difference_that_is_more_than_noise_fails_and_a_gain_does_not() -> None:
    worse, better = report_of(spoiled(20)), report_of(RIGHTS)
    assert hold(better, worse).exit_code == 1
    assert hold(worse, better).exit_code == 0


def test_a_slice_that_is_worse_fails_where_the_whole_does_not() -> None:
    """Ten of the Italian cases are broken, ten of the English ones fixed: on the whole nothing changed."""
    before = [place % 4 != 0 for place in range(200)]
    odd = [place for place in range(200) if place % 2 and before[place]][:10]
    even = [place for place in range(200) if not before[place] and place % 2 == 0][:10]
    after = [(right and place not in odd) or place in even for place, right in enumerate(before)]
    result = hold(report_of(before), report_of(after))
    assert result.comparison
    assert result.comparison.difference.value == 0
    assert result.verdict == "fail"
    assert result.reasons[0].startswith("Language it: -10.0 points over 100 cases")


def test_one_broken_critical_case_fails() -> None:
    result = hold(report_of(RIGHTS, critical=[1]), report_of([*RIGHTS[:1], False, *RIGHTS[2:]], critical=[1]))
    assert result.verdict == "fail"
    assert result.reasons == ("A critical case is broken: case-1 ('message 1').",)
    assert [case.case_id for case in result.broken_critical] == ["case-1"]


def test_a_critical_case_that_was_wrong_before_does_not_fail() -> None:
    assert hold(report_of(RIGHTS, critical=[0]), report_of(RIGHTS, critical=[0])).verdict == "pass"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"fingerprint": "0" * 64}, "other data"),
        ({"created_at": datetime.now(UTC) - timedelta(days=91)}, "stale: it is 91 days old"),
        ({"created_at": datetime(2020, 1, 1)}, "stale"),  # noqa: DTZ001 - as a file may have it
        ({"scoring": 0}, "other rules"),
        ({"status": "cancelled"}, "a run that is cancelled"),
        ({"deciders": ()}, "no result of this decider"),
    ],
)
def test_no_verdict_where_the_baseline_says_nothing(change: dict[str, object], reason: str) -> None:
    baseline = replace(report_of(RIGHTS), **change)  # type: ignore[arg-type]
    result = hold(baseline, report_of(RIGHTS))
    assert (result.verdict, result.exit_code) == ("no verdict", 3)
    assert any(reason in said for said in result.reasons)


def test_no_verdict_without_cases_with_half_a_run_or_with_a_silent_model() -> None:
    assert hold(report_of([]), report_of([])).verdict == "no verdict"
    whole = report_of(RIGHTS)
    half = replace(whole, deciders=(replace(whole.deciders[0], rows=whole.deciders[0].rows[:90]),))
    assert hold(whole, half).verdict == hold(half, whole).verdict == "no verdict"
    rows = tuple(replace(row, verdict="no_answer", passed=False) for row in whole.deciders[0].rows[:1])
    silent = replace(whole, deciders=(replace(whole.deciders[0], rows=(*rows, *whole.deciders[0].rows[1:])),))
    assert "gave no answer to 1 cases" in hold(whole, silent).reasons[0]


def test_a_noisy_decider_against_itself_seldom_fails() -> None:
    """Each case is right nine times of ten, at random: at most one run in twenty may fail by chance."""
    generator = random.Random(20261116)
    runs = [report_of([generator.random() < 0.9 for _ in range(150)]) for _ in range(81)]
    failed = sum(hold(first, second).verdict == "fail" for first, second in pairwise(runs))
    assert failed <= 8


def write_data(folder: Path, *, extra: str = "") -> Path:
    """Some of our own cases as somebody's file."""
    rows = []
    for case in load_our_cases().cases:
        body = case.body["case"]
        if case.slices["kind"] == ("add",) and case.slices["language"] == ("en",) and not body.get("history"):
            turn = body["turns"][-1]
            action = turn.get("action", ["execute"])[0]
            rows.append({"text": turn["say"], "intent": turn["intent"][0], "action": action})
    path = folder / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + extra, encoding="utf-8")
    assert len(rows) > 60
    return path


def gate(*options: object) -> int:
    return main(["gate", *map(str, options)])


@pytest.mark.thorough("tests/evals/evaluate/test_gate.py::test_the_same_run_passes")
def test_the_command_passes_twenty_times_out_of_twenty_on_the_same_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, baseline = write_data(tmp_path), tmp_path / "baseline.json"
    assert gate("--data", data, "--write", baseline) == 0
    codes = [gate("--data", data, "--baseline", baseline) for _ in range(20)]
    assert codes == [0] * 20
    assert capsys.readouterr().out.count("PASS") == 20


def test_the_command_fails_on_a_policy_broken_on_purpose_and_writes_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, baseline = write_data(tmp_path), tmp_path / "baseline.json"
    gate("--data", data, "--write", baseline)
    policy = tmp_path / "broken.yaml"
    policy.write_text("language: en\nthresholds: {act: 0.99}\n", encoding="utf-8")
    junit, markdown = tmp_path / "gate.xml", tmp_path / "gate.md"
    code = gate("--data", data, "--baseline", baseline, "--policy", policy, "--junit", junit, "--markdown", markdown)
    assert code == 1
    assert "FAIL" in capsys.readouterr().out
    assert "<failure" in junit.read_text(encoding="utf-8")
    assert "❌ fail" in markdown.read_text(encoding="utf-8")


def test_the_command_gives_no_verdict_on_changed_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    baseline = tmp_path / "baseline.json"
    gate("--data", write_data(tmp_path), "--write", baseline)
    changed = write_data(tmp_path, extra='\n{"text": "add bread", "intent": "add_task"}')
    assert gate("--data", changed, "--baseline", baseline) == 3
    assert "NO VERDICT" in capsys.readouterr().out
    broken_line = write_data(tmp_path, extra="\n{")
    assert gate("--data", broken_line, "--baseline", baseline) == 3


def test_a_baseline_of_nothing_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, baseline = tmp_path / "bad.jsonl", tmp_path / "baseline.json"
    data.write_text("{", encoding="utf-8")
    assert gate("--data", data, "--write", baseline) == 2
    assert "there is no case in the data" in capsys.readouterr().err
    assert not baseline.exists()


def test_the_command_called_wrongly_is_neither_a_pass_nor_a_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = tmp_path / "nothing.json"
    assert gate() == 2
    assert gate("--baseline", nothing) == 2
    nothing.write_text("", encoding="utf-8")
    assert gate("--baseline", nothing) == 2
    nothing.write_text("{}", encoding="utf-8")
    assert gate("--baseline", nothing) == 2
    told = capsys.readouterr().err
    assert "nothing.json is empty" in told
    assert "cannot be used as a baseline: it is no exported evaluation" in told
