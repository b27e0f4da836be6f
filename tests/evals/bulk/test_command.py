"""`python -m evals bulk` from end to end: figures, a run that goes on, one that is killed, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evals.__main__ import main
from evals.bulk import command, running
from evals.bulk.files import BulkError
from evals.bulk.folder import RunFolder, State
from evals.bulk.running import ThisProcess, run_shards
from settings import ROOT, load_settings
from tests.evals.bulk.made_up import LINES, STRICTER, begin, many, run_here, write_lines


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "messages.jsonl", [*LINES, "{bad"])


def bulk(*arguments: object) -> int:
    return main(["bulk", *map(str, arguments)])


def test_it_prints_figures_and_keeps_the_run(
    messages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "stricter.yaml"
    policy.write_text(STRICTER, encoding="utf-8")
    out = tmp_path / "run"
    assert bulk("--data", messages, "--policy", policy, "--against", "files", "--out", out, "--shard", 3) == 0
    said = capsys.readouterr()
    assert "7 messages of 1 file, 6 with a label, 1 bad lines" in said.out
    assert "messages.jsonl, line 8: not valid JSON" in said.out
    assert "stricter.yaml decides" in said.out
    assert "would no longer act" in said.out
    assert "a second" in said.err
    assert len(RunFolder(out).shard_paths()) == 3
    figures = json.loads((out / "figures.json").read_text(encoding="utf-8"))
    assert figures["messages"] == 7
    assert RunFolder(out).state().status == "done"


def test_figures_come_as_json_too(messages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bulk("--data", messages, "--out", tmp_path / "run", "--json", "--decider", "baseline") == 0
    assert json.loads(capsys.readouterr().out)["sides"]["0"]["actions"]


def test_without_dask_it_says_so_and_gives_the_same_figures(
    messages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "has_dask", lambda: False)
    assert bulk("--data", messages, "--out", tmp_path / "here") == 0
    assert bulk("--data", messages, "--out", tmp_path / "there", "--on", "local") == 0
    assert "pip install --require-hashes -r constraints-bulk.txt" in capsys.readouterr().err
    assert (tmp_path / "here" / "figures.json").read_bytes() == (tmp_path / "there" / "figures.json").read_bytes()
    assert bulk("--data", messages, "--out", tmp_path / "cluster", "--on", "tcp://nowhere:8786") == 2


def test_a_run_without_a_folder_is_one_of_the_workbench(
    messages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BULK_FOLDER", str(tmp_path / "bulk"))
    load_settings.cache_clear()
    try:
        assert bulk("--data", messages) == 0
    finally:
        load_settings.cache_clear()
    assert len(list((tmp_path / "bulk" / "runs").glob("*/figures.json"))) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "say which messages"),
        (("--data", "nowhere.jsonl"), "there is no file nowhere.jsonl"),
        (("--data", "{messages}", "--policy", "nowhere.yaml"), "there is no policy nowhere.yaml"),
        (("--data", "{messages}", "--decider", "baseline", "--against", "files"), "the baseline has none"),
        (("--data", "{messages}", "--on", "the moon"), "--on takes"),
        (("--data", "{messages}", "--now", "soon"), "--now must be a time"),
        (("--data", "{messages}", "--shard", "0"), "at least one message"),
        (("--resume", "nowhere"), "holds no run"),
        (("--resume", "nowhere", "--data", "{messages}"), "--resume takes"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    arguments: tuple[str, ...], sentence: str, messages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = () if "--resume" in arguments else ("--out", messages.parent / "run")
    assert bulk(*(each.replace("{messages}", str(messages)) for each in arguments), *out) == 2
    assert sentence in capsys.readouterr().err


def test_what_is_finished_is_not_done_again(
    messages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--data", messages, "--out", tmp_path / "run", "--shard", 2)
    assert bulk(*arguments) == 0
    whole = (tmp_path / "run" / "figures.json").read_bytes()
    RunFolder(tmp_path / "run").shard_path(2).unlink()
    done: list[int] = []
    decide = running.decide_shard
    monkeypatch.setattr(running, "decide_shard", lambda job, shard: done.append(shard.number) or decide(job, shard))
    assert bulk("--resume", tmp_path / "run") == 0
    assert done == [2]
    assert (tmp_path / "run" / "figures.json").read_bytes() == whole
    assert bulk(*arguments) == 0
    assert done == [2], "the same command goes on, too"
    state = RunFolder(tmp_path / "run").state()
    assert (state.messages, state.bad, state.shards) == (7, 1, 4)
    messages.write_text('{"text": "another"}\n', encoding="utf-8")
    capsys.readouterr()
    assert bulk(*arguments) == 2
    assert bulk("--resume", tmp_path / "run") == 2
    said = capsys.readouterr().err
    assert "holds another run" in said
    assert "files have changed since" in said


def test_only_one_process_works_on_a_folder(messages: Path, tmp_path: Path) -> None:
    run = begin(tmp_path / "run", [messages])
    with run.locked():
        assert run.is_worked_on()
        with pytest.raises(BulkError, match="another process"), run.locked():
            pass
    assert not run.is_worked_on()


def test_a_stopped_run_keeps_what_it_has(messages: Path, tmp_path: Path) -> None:
    run = begin(tmp_path / "run", [messages], shard=2)

    def stop(state: State) -> None:
        if state.shards == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_shards(run, ThisProcess(), stop)
    assert run.state().status == "stopped"
    assert run.figures() is None
    assert run.merge()["messages"] == 4
    assert run_here(run)["messages"] == 7


def test_a_run_that_is_killed_goes_on_from_its_shards(tmp_path: Path) -> None:
    """As a real process, killed at once when its first shard is there."""
    path = write_lines(tmp_path / "a.jsonl", many(400))
    out = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-m", "evals", "bulk", "--data", str(path), "--out", str(out), "--shard", "20"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    for line in process.stderr:
        if line.startswith("20 messages"):
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()
    killed = RunFolder(out)
    before = len(killed.shard_paths())
    assert 1 <= before < 20
    assert not killed.is_worked_on(), "the lock went with the process"
    assert run_here(killed) == run_here(begin(tmp_path / "whole", [path], shard=20))
    assert killed.state().messages == 400
