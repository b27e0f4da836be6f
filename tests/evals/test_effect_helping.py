"""Further processes find their shares of an edit's effect; one that dies or stands still costs nothing but time."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from domains.drafts import begin_draft
from engine.decision import Decider
from engine.editing.edits import AddPhrase
from evals.effect import helping
from evals.effect.finding import EffectBase
from evals.effect.helping import ProbeHelper, ProbeShares, Tried
from evals.effect.looking import Look
from evals.effect.probes import Probe, ProbeResult, probe_file

HOLLER = AddPhrase("remind_me", "holler at me")
TEXTS = tuple(f"holler at me to eat {count} apples" for count in range(40))
Spoil = Callable[[], object]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def make_probes(spoil: Spoil | None = None) -> tuple[Probe, ...]:
    """Messages that, in any other process than this one, do something else first."""
    here = os.getpid()

    def spoiled(probe: Probe) -> Probe:
        def run(decider: Decider) -> ProbeResult:
            if spoil and os.getpid() != here:
                spoil()
            return probe.run(decider)

        return Probe(probe.id, probe.source, probe.text, probe.domain, probe.language, probe.strings, run)

    return tuple(spoiled(probe) for probe in probe_file(TEXTS, "said.txt", "same", "tasks", "en"))


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("spoil", [None, die, signal.pause, lambda: sys.exit(1)])
def test_what_other_processes_find_or_fail_to_find_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, spoil: Spoil | None, processes: int
) -> None:
    monkeypatch.setattr(helping, "FEWEST", 2)
    monkeypatch.setattr(helping, "count_helpers", lambda: processes)
    helpers: list[int] = []

    class Noted(ProbeHelper[Tried]):
        def __enter__(self) -> Self:
            helpers.append(self.pid)
            return super().__enter__()

    monkeypatch.setattr(helping, "ProbeHelper", Noted)
    begun = begin_draft("tasks", "en")
    effect = EffectBase(make_probes(spoil), begun.policy, "tasks").find_effect(begun.edit(HOLLER).policy)
    assert effect.complete
    assert [row.probe.id for row in effect.broken] == [f"said.txt:{number}" for number in range(1, 41)]
    assert len(helpers) == processes
    for each in helpers:
        with pytest.raises(ProcessLookupError):
            os.kill(each, 0)  # it is not left behind


def try_one(place: int) -> Tried:
    before, after = (ProbeResult((when, place), (), f"{when} {place}") for when in ("before", "after"))
    return Look(before, None), Look(after, None)


def test_it_begins_at_the_end_and_sends_what_it_has() -> None:
    with ProbeHelper(range(100), try_one) as helper:
        os.waitid(os.P_PID, helper.pid, os.WEXITED | os.WNOWAIT)
        helper.take()
        assert helper.results == {place: try_one(place) for place in range(100)}


def test_each_place_is_given_once_whoever_ran_it() -> None:
    with ProbeShares(range(100), try_one, 3) as shares:
        given = list(shares.each())
    assert sorted(place for place, _ in given) == list(range(100))
    assert all(tried in (None, try_one(place)) for place, tried in given)


def test_a_process_that_is_ended_in_the_middle_leaves_no_files_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def write_and_wait(place: int) -> Tried:
        Path(tempfile.mkdtemp()).joinpath("store.db").write_bytes(b"half a conversation")
        signal.pause()
        return try_one(place)

    with ProbeHelper(range(1), write_and_wait) as helper:
        while not any(tmp_path.rglob("store.db")):
            assert helper.wait(0.01)
    assert list(tmp_path.iterdir()) == []
