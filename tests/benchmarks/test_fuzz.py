"""The fuzzer makes the same messages each time, and sees what it is there to see."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from benchmarks import fuzz
from benchmarks.fuzz import Findings, main, report, run
from benchmarks.fuzz_messages import MessageMaker
from domains.deciders import make_engine
from engine.decision import Context, Decision
from engine.values import ToolCall
from tests.our_cases import our_cases

CASES = our_cases()[::25]


def test_a_few_hundred_messages_are_decided_within_the_closed_lists() -> None:
    findings = Findings()
    run(MessageMaker(CASES, seed=1), 0, 300, findings)
    assert findings.broken == []
    assert len(findings.times_us) == 300
    assert len(findings.kinds) == 7
    assert set(findings.actions) == {"execute", "confirm", "clarify", "reply"}


def test_a_message_is_made_from_the_seed_and_its_number_alone() -> None:
    texts = [MessageMaker(CASES, seed=1).make(number).text for number in range(50)]
    assert [MessageMaker(CASES, seed=1).make(number).text for number in reversed(range(50))] == texts[::-1]
    assert [MessageMaker(CASES, seed=2).make(number).text for number in range(50)] != texts


class Faulty:
    """Raises, deletes unasked or makes a call that no tool takes, by turns."""

    def decide(self, text: str, context: Context) -> Decision:
        decision = make_engine().decide("show my tasks", context)
        if len(text) % 3 == 0:
            raise ValueError("a bug")
        calls = (ToolCall("delete_task" if len(text) % 3 == 1 else "no_such_tool", ()),)
        return replace(decision, action="execute", calls=calls, confidence=2.0)


def test_what_is_wrong_is_found_and_the_run_goes_on() -> None:
    findings = Findings()
    run(MessageMaker([case for case in CASES if not case.pending], seed=1), 0, 60, findings, Faulty())
    told = report(findings)
    for fault in ("ValueError: a bug", "deletes unasked", "there is no tool 'no_such_tool'", "the confidence 2.0"):
        assert any(fault in each for each in findings.broken), fault
    assert f"exceptions and faults    {len(findings.broken)}" in told


def test_the_environment_says_how_many(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FUZZ_MESSAGES", "3")
    assert main(["--start", "7", "--show"]) == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == ["7", "8", "9"]


@pytest.mark.thorough("tests/benchmarks/test_fuzz.py::test_a_few_hundred_messages_are_decided_within_the_closed_lists")
def test_two_processes_find_what_one_finds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(fuzz, "_PIECE", 25)
    told = []
    for processes in ("1", "2"):
        assert main(["--start", "500", "--messages", "90", "--processes", processes]) == 0
        told.append(
            [line for line in capsys.readouterr().out.splitlines() if "time per" not in line and "slowest" not in line]
        )
    assert told[0] == told[1]
    assert told[0][0].split() == ["messages", "90"]


def test_a_run_that_is_broken_off_goes_on_behind_its_last_whole_piece(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken_off(maker: MessageMaker, start: int, count: int, findings: Findings) -> None:
        if start >= 1_040:
            raise KeyboardInterrupt
        findings.times_us.extend([1.0] * count)

    monkeypatch.setattr(fuzz, "_PIECE", 20)
    monkeypatch.setattr(fuzz, "run", broken_off)
    main(["--start", "1000", "--messages", "90"])
    assert "go on with --start 1040" in capsys.readouterr().out


class Slow:
    """Takes a processor's time over the limit for every message."""

    def decide(self, text: str, context: Context) -> Decision:
        decision = make_engine().decide("show my tasks", context)
        until = time.process_time_ns() + (fuzz.MOST_MS + 5) * 1_000_000
        while time.process_time_ns() < until:
            pass
        return decision


def test_messages_that_take_too_long_are_told_by_their_numbers_from_every_piece() -> None:
    whole = Findings()
    for number in (3, 8):
        piece = Findings()
        run(MessageMaker(CASES, seed=1), number, 1, piece, Slow())
        whole.add(piece)
    assert "over 50 ms of CPU        2: 3, 8" in report(whole)
    assert len(whole.broken) == 2
