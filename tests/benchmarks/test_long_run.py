"""`make test-long` runs every part, whatever becomes of those before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.long_run import main, make_commands, run_all


def test_the_environment_sets_the_size(tmp_path: Path) -> None:
    for name in ("tasks_dev.jsonl.gz", "tasks_test.jsonl.gz", "lists_dev.jsonl.gz"):
        (tmp_path / name).touch()
    commands = make_commands({"DATA": str(tmp_path), "SOAK_SECONDS": "7", "FUZZ_PROCESSES": "3"})
    assert list(commands) == [
        "fuzz",
        "hostile endpoint",
        "hostile lines",
        "flips",
        "public data, dev",
        "public data, test",
        "embedded model over all cases",
        "every test, in every round",
        "soak: people chat",
        "soak: MCP clients",
    ]
    assert commands["public data, test"] == ("-m", "evals", "--data", str(tmp_path), "--split", "test")
    assert commands["soak: people chat"][-1] == "7"
    assert commands["fuzz"][-2:] == ("--processes", "3")


def test_a_part_that_fails_does_not_end_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    failed = run_all({"bad": ("-c", "raise SystemExit(3)"), "good": ("-c", "print('good figures')")})
    printed = capfd.readouterr().out
    assert failed == ["bad"]
    assert "== bad: failed with 3" in printed
    assert "good figures" in printed


def test_a_folder_without_data_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA", str(tmp_path))
    assert main([]) == 2
    assert "holds no tasks_<split>.jsonl.gz" in capsys.readouterr().err


def test_without_data_it_is_said_that_a_part_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATA", raising=False)
    monkeypatch.setenv("EVERY_ROUND", "")  # and is put back
    assert main(["--only", "public data"]) == 0
    assert "Public data is left out" in capsys.readouterr().out
