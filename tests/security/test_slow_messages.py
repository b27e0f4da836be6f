"""No message of 10,000 characters takes over 50 ms of CPU; one that would is told that it is too long."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

import pytest

from benchmarks.fuzz_messages import _HOSTILE
from domains.composing import compose
from domains.deciders import load_decider
from domains.loading import load_domain
from domains.machines.decider import MachineDecider
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from domains.machines.values import Machine
from engine.completing.values import Request
from engine.decision import Context, Reason
from engine.targets.memory_index import MemoryIndex
from engine.text.normalise import TEXT_LIMIT, WORD_LIMIT
from engine.values import Task

MOST_SECONDS = 0.05
NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
TASKS = Context(MemoryIndex([Task(str(place), place, f"Buy milk {place}") for place in range(1, 200)]), NOW)
FLEET = MemoryFleet([Machine(f"m{place}", f"Lamp {place}") for place in range(200)])
SAID = (
    "please rename 'call mom' to 'call Mom and Dad'",
    "TASK-5 done",
    "add a task to meet Jo tomorrow at 8am",
    "turn on lamp 7",
    "1 2 3",
    "ricordami di chiamare Anna domani alle otto",
)


def least_seconds(read: Callable[[str], object], text: str) -> float:
    """The least of some tries: a busy machine may make any one of them slow."""
    times = []
    for _ in range(5):
        began = time.process_time()
        read(text)
        times.append(time.process_time() - began)
        if times[-1] < MOST_SECONDS:
            break
    return min(times)


READERS: dict[str, Callable[[str], object]] = {
    "engine": lambda text: load_decider().decide(text, TASKS),
    "baseline": lambda text: load_decider("baseline").decide(text, TASKS),
    "machines": lambda text: MachineDecider().decide(text, Context(FleetIndex(FLEET), NOW)),
    "compose": lambda text: compose(Request(text, "add_task", {}, tasks=TASKS)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("link", ["", " ", ", ", " and "])
def test_no_message_takes_over_50_ms(reader: str, link: str) -> None:
    read = READERS[reader]
    read("add a task")  # what is loaded once is loaded now
    read("aggiungi un'attività")
    slow = {}
    for piece in (*_HOSTILE, *SAID):
        text = ((piece + link) * TEXT_LIMIT)[:TEXT_LIMIT]
        if (took := least_seconds(read, text)) > MOST_SECONDS:
            slow[piece[:40]] = round(took * 1000)
    assert slow == {}


def test_a_message_of_too_many_words_is_told_so() -> None:
    decision = load_decider().decide("milk " * (WORD_LIMIT + 1), TASKS)
    assert (decision.action, decision.reason, decision.calls) == ("reply", Reason.TOO_LONG, ())
    assert f"under {WORD_LIMIT}" in decision.message


def test_the_same_few_words_again_and_again_are_not_read() -> None:
    decision = load_decider().decide("change it to eggs, " + "delete " * 150, TASKS)
    assert (decision.action, decision.reason, decision.calls) == ("reply", Reason.TOO_LONG, ())
    assert "again and again" in decision.message


def test_a_long_list_with_words_in_common_is_read() -> None:
    things = ", ".join(f"call {name} about the {thing}" for name in ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
                       for thing in ("roof", "rent"))  # fmt: skip
    decision = load_decider().decide(f"add {things}", TASKS)
    assert decision.reason is not Reason.TOO_LONG


@pytest.mark.parametrize("language", load_domain("machines").languages)
def test_machines_say_so_too(language: str) -> None:
    decision = MachineDecider().decide("lamp " * 400, Context(FleetIndex(FLEET), NOW, language=language))
    assert (decision.reason, decision.calls) == (Reason.TOO_LONG, ())
    assert "150" in decision.message


def test_a_call_is_not_completed_from_a_flood_of_words() -> None:
    composed = compose(Request("lamp " * 400, "add_task", {}, tasks=TASKS))
    assert (composed.status, composed.calls) == ("failed", ())
    assert "too many words" in composed.message
