"""The effect of a draft as the page tells it: what is known while it goes on, and at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from domains.drafts import PolicyDraft, begin_draft
from engine.decision import Decider
from engine.editing.edits import AddPhrase
from evals.effect import helping
from evals.effect.finding import EditEffect, EffectBase
from evals.effect.probes import Probe, ProbeResult, probe_file
from evals.progress import Progress
from ui.policy.bases import LockedBase
from ui.policy.effects import tell_progress
from ui.policy.work import EffectWork

TEXTS = ("holler at me to eat", "holler at me to sleep", "what a day")


def locked(begun: PolicyDraft, probes: Sequence[Probe]) -> LockedBase:
    return LockedBase(lambda: EffectBase(probes, begun.policy, "tasks"))


def test_what_is_known_is_told_while_the_rest_goes_on() -> None:
    begun = begin_draft("tasks", "en")
    draft = begun.edit(AddPhrase("remind_me", "holler at me"))
    told: list[str] = []

    def noting(probe: Probe) -> Probe:
        def run(decider: Decider) -> ProbeResult:
            told.append(tell_progress(work, work.so_far))
            return probe.run(decider)

        return replace(probe, run=run)

    probes = [noting(probe) for probe in probe_file(TEXTS, "same.txt", "same", "tasks", "en")]
    work = EffectWork(locked(begun, probes), locked(begun, ()), draft)
    assert not work.so_far.complete
    work.run()
    assert told[0] == "So far: 0 fixed, 0 broken, 0 changed; 0 of 2 messages that it may touch looked at."
    assert told[-1] == "So far: 0 fixed, 1 broken, 0 changed; 1 of 2 messages that it may touch looked at."
    assert work.effect
    assert work.effect.complete
    assert len(work.so_far.broken) == 2
    assert tell_progress(work, work.effect) == "Looking for the conversations it can touch …"


def test_how_long_conversations_will_take_is_told_once_there_is_a_pace() -> None:
    begun = begin_draft("tasks", "en")
    work = EffectWork(locked(begun, ()), locked(begun, ()), begun)
    work.effect = EditEffect((), 0, 90, 0.0, complete=False)
    work.progress = Progress(90)
    assert tell_progress(work, work.so_far) == "Playing the conversations it can touch: 0 of 90."
    work.progress = Progress(90, done=30, started=time.monotonic() - 60)
    assert tell_progress(work, work.so_far).endswith(": 30 of 90, about 2 min left.")


def test_of_conversations_too_it_is_told_how_many_more_to_expect(monkeypatch: pytest.MonkeyPatch) -> None:
    # What another process runs is not noted here, and how much that is hangs on who is the quicker.
    monkeypatch.setattr(helping, "count_helpers", lambda: 0)
    begun = begin_draft("tasks", "en")
    draft = begun.edit(AddPhrase("remind_me", "holler at me"))
    texts = [f"holler at me to eat {count} pears" for count in range(70)]
    told: list[str] = []

    def noting(probe: Probe) -> Probe:
        def run(decider: Decider) -> ProbeResult:
            told.append(tell_progress(work, work.so_far))
            return probe.run(decider)

        return replace(probe, source="conversations", run=run)

    played = [noting(probe) for probe in probe_file(texts, "played.txt", "same", "tasks", "en")]
    work = EffectWork(locked(begun, ()), locked(begun, played), draft)
    work.run()
    assert "more to be expected" not in told[0]
    assert any("70" in each and each.endswith(" more to be expected.") for each in told)


def test_looking_ahead_leaves_nothing_for_the_first_edit_to_look_at() -> None:
    probes = probe_file(TEXTS, "same.txt", "same", "tasks", "en")
    base = locked(begin_draft("tasks", "en"), probes)
    progress = Progress(0)
    base.look_ahead(progress)
    assert progress.done == progress.total == 3
    with base.use() as turn:
        assert all(turn.base.looks.find(probe) for probe in probes)


def test_what_conversations_come_to_is_told_one_by_one() -> None:
    begun = begin_draft("tasks", "en")
    draft = begun.edit(AddPhrase("remind_me", "holler at me"))
    known: list[int] = []

    def noting(probe: Probe) -> Probe:
        def run(decider: Decider) -> ProbeResult:
            known.append(len(work.so_far.rows))
            return probe.run(decider)

        return replace(probe, source="conversations", run=run)

    messages = probe_file(TEXTS[:1], "same.txt", "same", "tasks", "en")
    played = [noting(probe) for probe in probe_file(TEXTS, "played.txt", "same", "tasks", "en")]
    work = EffectWork(locked(begun, messages), locked(begun, played), draft)
    work.run()
    assert known == [1, 1, 2, 2]  # each is played before the edit and after it
    assert work.effect
    assert work.so_far.rows == work.effect.rows
    assert len(work.effect.rows) == 3


def test_of_a_wide_edit_it_is_told_how_many_more_to_expect() -> None:
    begun = begin_draft("tasks", "en")
    work = EffectWork(locked(begun, ()), locked(begun, ()), begun)
    work.progress = Progress(900, done=300)
    so_far = EditEffect((), 300, 900, 0.0, complete=False)
    said = "So far: 0 fixed, 0 broken, 0 changed; 300 of 900 messages that it may touch looked at"
    assert tell_progress(work, so_far) == f"{said}."
    assert tell_progress(work, replace(so_far, more=(40, 75))) == f"{said}; 40 to 75 more to be expected."
    assert tell_progress(work, replace(so_far, more=(0, 12))) == f"{said}; up to 12 more to be expected."
    assert tell_progress(work, replace(so_far, more=(0, 0))) == f"{said}; no more are to be expected."
