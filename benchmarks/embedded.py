"""How long the embedded model takes a message, and how many tokens a second it writes: `make bench-llm`.

Run it on a quiet machine; with EMBEDDED_MERGED=false for the adapter beside the weights. The server starts as it does
for everybody; what it reads before the first message is measured apart. The prompt is in its cache from then on.
"""

from __future__ import annotations

import os
import statistics
import time
from datetime import datetime

from benchmarks.sentences import SENTENCES
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from llm.decider import LLMDecider
from llm.shared_server import shared_server
from llm.trace import LLMTurn
from llm.weights import find_merged

_TITLES = ("buy milk", "call the plumber", "pay the rent", "book flights", "water the plants")


def main() -> None:
    began = time.monotonic()
    shared_server().wait_ready(300)
    started = time.monotonic() - began
    tasks = MemoryIndex(Task(title, number, title) for number, title in enumerate(_TITLES, 1))
    context = Context(tasks, datetime(2026, 3, 2, 9))  # noqa: DTZ001 - a wall clock
    turns = [
        LLMDecider().ask(sentence.format(name=_TITLES[place % len(_TITLES)]), context)
        for place, sentence in enumerate(SENTENCES)
    ]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    way = "merged into the weights" if find_merged() else "beside the weights"
    print(f"{len(turns)} messages on {cores} cores, asked by {turns[0].trace.path}, the adapter {way}")
    print(f"ready after {started:.1f} s, the first message answered in {turns[0].trace.total_ms:.0f} ms")
    _print("a message, ms", [turn.trace.total_ms for turn in turns])
    _print("to the first token, ms", [turn.trace.answer.first_token_ms or 0.0 for turn in turns])
    _print("tokens written", [float(turn.trace.answer.answer_tokens or 0) for turn in turns])
    _print("tokens a second", [_speed(turn) for turn in turns])


def _speed(turn: LLMTurn) -> float:
    return 1000 * (turn.trace.answer.answer_tokens or 0) / turn.trace.total_ms


def _print(name: str, values: list[float]) -> None:
    ordered = sorted(values)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{name:24} median {statistics.median(ordered):8.1f}   95% below {high:8.1f}")


if __name__ == "__main__":
    main()
