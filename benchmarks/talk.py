"""What the store and the conversation cost a decision: the same messages alone, in a conversation, and with more tasks.

python -m benchmarks.talk                          the turns of cases/conversations
python -m benchmarks.talk FILE ...                 those of other files
python -m benchmarks.talk --sizes 0 1000           fewer sizes

Each message is decided in three ways, in turn: without history and tasks; with the history that it has in its
conversation and that many tasks around its own; the ratios are those of the sums over all messages.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.sentences import make_tasks
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from evals.conversations.reading import load_conversations
from training.written import each_turn

_FILES = Path("cases/conversations")
SIZES = (1_000, 100_000)
_ROUNDS = 5
_MOST = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=sorted(_FILES.glob("*.yaml")), metavar="FILE")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), metavar="TASKS")
    options = parser.parse_args()
    decider = RuleDecider(load_domain())
    turns = [
        (standing.turn.say, standing.context)
        for conversation in load_conversations(options.files)
        for standing in each_turn(conversation, decider.domain)
        if standing.context.history
    ][:_MOST]
    alone = [(say, replace(context, history=(), pending=None, tasks=MemoryIndex())) for say, context in turns]
    rows = [("alone", _measure(decider, alone))]
    for size in options.sizes:
        around = MemoryIndex(make_tasks(size))
        rows.append(
            (f"history, {size:,} tasks", _measure(decider, [(say, replace(each, tasks=around)) for say, each in turns]))
        )
    print(f"{len(turns)} messages, each the quickest of {_ROUNDS} rounds")
    for name, times in rows:
        ratio = sum(times) / sum(rows[0][1])
        middle, mean = statistics.median(times), statistics.mean(times)
        print(f"{name:26} mean {mean:7.0f} µs   median {middle:7.0f} µs   {ratio:.2f} times alone")
    if len(rows) > 2:
        print(f"the most tasks beside the fewest: {sum(rows[-1][1]) / sum(rows[1][1]):.2f} times")


def _measure(decider: RuleDecider, turns: list[tuple[str, Context]]) -> list[float]:
    """Microseconds of each message, the quickest of some rounds: what else the machine does comes on top."""
    best = [float("inf")] * len(turns)
    for _ in range(_ROUNDS):
        for place, (say, context) in enumerate(turns):
            started = time.perf_counter()
            decider.decide(say, context)
            best[place] = min(best[place], (time.perf_counter() - started) * 1e6)
    return best


if __name__ == "__main__":
    main()
