"""A second process finds half of an edit's effect; one that dies or stands still costs nothing but time."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Self

import pytest

from domains.drafts import begin_draft
from engine.decision import Decider
from engine.editing.edits import AddPhrase
from evals.effect import finding
from evals.effect.finding import EffectBase
from evals.effect.helping import ProbeHelper, Tried
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


@pytest.mark.parametrize("spoil", [None, die, signal.pause, lambda: sys.exit(1)])
def test_what_a_second_process_finds_or_fails_to_find_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, spoil: Spoil | None
) -> None:
    monkeypatch.setattr(finding, "FEWEST", 2)
    monkeypatch.setattr(finding, "can_help", lambda: True)
    helpers: list[int] = []

    class Noted(ProbeHelper):
        def __enter__(self) -> Self:
            helpers.append(self.pid)
            return super().__enter__()

    monkeypatch.setattr(finding, "ProbeHelper", Noted)
    begun = begin_draft("tasks", "en")
    effect = EffectBase(make_probes(spoil), begun.policy, "tasks").find_effect(begun.edit(HOLLER).policy)
    assert effect.complete
    assert [row.probe.id for row in effect.broken] == [f"said.txt:{number}" for number in range(1, 41)]
    assert len(helpers) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(helpers[0], 0)  # it is not left behind


def test_it_begins_at_the_end_and_sends_what_it_has() -> None:
    def run(place: int) -> Tried:
        before, after = (ProbeResult((when, place), (), f"{when} {place}") for when in ("before", "after"))
        return Look(before, None), after

    with ProbeHelper(range(100), run) as helper:
        os.waitid(os.P_PID, helper.pid, os.WEXITED | os.WNOWAIT)
        assert helper.has(0)
        assert helper.results == {place: run(place) for place in range(100)}
