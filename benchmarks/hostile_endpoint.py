"""Every fault of the hostile endpoint through the LLM lane: none may raise, take over its time, or fill the memory.

python -m benchmarks.hostile_endpoint
python -m benchmarks.hostile_endpoint --only "400 MB"
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from dataclasses import asdict, dataclass
from datetime import datetime

from domains.loading import load_domain
from engine.border.wire import write_decision
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from llm.trace import LLMTurn
from tests.llm.fault_server import Answer
from tests.security.hostile_endpoint import ENDLESS, FAULTS, serve

SECONDS = 6.0
_SHORT = 0.5
_SLACK = 1.0
_MOST_MEGABYTES = 200
"""By which the whole run, the hostile server included, may grow."""


@dataclass(frozen=True, slots=True)
class Tried:
    name: str
    outcome: str
    seconds: float
    problem: str = ""
    """What should not have happened."""


def ask(answer: Answer, seconds: float, text: str = "hello") -> LLMTurn:
    context = Context(tasks=MemoryIndex([Task("a", 1, "Buy milk")]), now=datetime(2026, 3, 4, 10))  # noqa: DTZ001
    with serve(answer) as server:
        endpoint = Endpoint("openai", server.url, "m", "sk-a-secret-that-nobody-may-see", seconds)
        return LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01).ask(text, context)


def written(turn: LLMTurn) -> bytes:
    """As the store and the pages take it: strict JSON in UTF-8. Raises where it cannot be written."""
    shown = {"decision": write_decision(turn.decision, load_domain().catalogue), "trace": asdict(turn.trace)}
    return json.dumps(shown, ensure_ascii=False, allow_nan=False, default=str).encode()


def try_fault(name: str) -> Tried:
    limit = _SHORT if name in ENDLESS else SECONDS
    began = time.monotonic()
    try:
        turn = ask(FAULTS[name], limit)
        written(turn)
    except Exception as error:  # what this looks for
        return Tried(name, "raised", time.monotonic() - began, f"{type(error).__name__}: {str(error)[:200]}")
    took = time.monotonic() - began
    outcome = turn.trace.failure or turn.trace.outcome
    return Tried(name, outcome, took, "took longer than its limit" if took > limit + _SLACK else "")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="faults whose name contains this")
    options = parser.parse_args(arguments)
    ask(FAULTS["an answer that breaks off"], SECONDS)  # everything is loaded, and not on a fault's account
    before = _peak_megabytes()
    tried = [try_fault(name) for name in FAULTS if options.only in name]
    for each in tried:
        print(f"{each.seconds:6.2f} s  {each.outcome:12} {each.name}{'  ' + each.problem if each.problem else ''}")
    grown = _peak_megabytes() - before
    failed = [each for each in tried if each.problem]
    print(f"{len(tried)} faults, {len(failed)} not held; the peak of memory grew by {grown:.0f} MB")
    return 1 if failed or grown > _MOST_MEGABYTES else 0


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    sys.exit(main())
