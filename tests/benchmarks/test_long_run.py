"""`make test-long` runs every part, whatever becomes of those before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.long_run import main, make_commands, run_all

ROOT = Path(__file__).parents[2]


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
        "hostile messages to the embedded model",
        "every round of what is killed, raced and made up",
        "soak: people chat",
        "soak: MCP clients",
    ]
    assert commands["public data, test"] == ("-m", "evals", "--data", str(tmp_path), "--split", "test")
    assert commands["soak: people chat"][-1] == "7"
    assert commands["fuzz"][-2:] == ("--processes", "3")


def test_every_test_with_fewer_rounds_is_repeated_in_full() -> None:
    files = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    found = {path.relative_to(ROOT).as_posix() for path in files if "tests.rounds" in path.read_text(encoding="utf-8")}
    repeated = {part for command in make_commands({}).values() for part in command}
    assert found <= repeated
    assert len(found) > 5


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
