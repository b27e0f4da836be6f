"""What drafts are tried on, where several want it at once: nobody waits for another's thousand conversations."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from domains.drafts import PolicyDraft, begin_draft
from engine.decision import Decider
from engine.editing.edits import AddPhrase
from evals.effect.finding import EffectBase
from evals.effect.probes import Probe, ProbeResult, probe_file
from evals.progress import Progress
from ui.policy.bases import LockedBase
from ui.policy.work import DraftWork, EffectWork, SearchedBase, start_once, supersede

SECONDS = 60


def known(begun: PolicyDraft, count: int, then: Callable[[], None] = lambda: None) -> EffectBase:
    """So many messages that the edit touches."""

    def slow(probe: Probe) -> Probe:
        def run(decider: Decider) -> ProbeResult:
            then()
            return probe.run(decider)

        return replace(probe, run=run)

    texts = [f"holler at me to eat {number} pears" for number in range(count)]
    return EffectBase([slow(each) for each in probe_file(texts, "a.txt", "same", "tasks", "en")], begun.policy, "tasks")


def holler(begun: PolicyDraft) -> PolicyDraft:
    return begun.edit(AddPhrase("remind_me", "holler at me"))


def test_an_effect_that_somebody_waits_for_goes_before_a_search_that_has_begun() -> None:
    begun = begin_draft("tasks", "en")
    draft, known_by_then = holler(begun), list[bool]()
    searching, waiting = threading.Event(), threading.Event()

    def look() -> None:
        searching.set()
        waiting.wait(SECONDS)

    shared = LockedBase(lambda: known(begun, 3, look))
    work = EffectWork(shared, LockedBase(lambda: known(begun, 0)), draft)

    def search() -> None:
        SearchedBase(shared, Progress(0)).find_effect(draft.policy)
        known_by_then.append(work.shown.is_set())

    first, second = threading.Thread(target=search), threading.Thread(target=work.run)
    first.start()
    assert searching.wait(SECONDS)
    second.start()
    while len(shared._turns) < 2:
        second.join(0.01)
    waiting.set()
    for thread in (first, second):
        thread.join(SECONDS)
    assert known_by_then == [True]
    assert work.effect
    assert len(work.effect.broken) == 3


def test_whoever_comes_second_does_not_wait_for_the_end_of_the_first() -> None:
    begun = begin_draft("tasks", "en")
    shared, turns, seen = LockedBase(lambda: known(begun, 0)), list[str](), threading.Event()

    def be_quick() -> None:
        with shared.use():
            turns.append("second")
        seen.set()

    with shared.use(patient=True) as turn:
        other = threading.Thread(target=be_quick)
        other.start()
        while not seen.is_set():
            turn.give_way()
        turns.append("first")
    other.join(SECONDS)
    assert turns == ["second", "first"]


class Counted(DraftWork):
    """Goes on until it is told to end."""

    def run(self) -> None:
        while not self.progress.cancelled:
            self.shown.wait(0.01)


def test_what_somebody_stopped_stays_stopped_and_what_was_superseded_begins_anew() -> None:
    work = start_once(("counted", 1), Counted)
    assert start_once(("counted", 1), Counted) is work
    work.cancel()
    assert work.ended.wait(SECONDS)
    assert start_once(("counted", 1), Counted) is work
    other = start_once(("counted", 2), Counted)
    supersede(("counted", 2))
    assert other.ended.wait(SECONDS)
    again = start_once(("counted", 2), Counted)
    assert again is not other
    again.cancel()
    assert again.ended.wait(SECONDS)
