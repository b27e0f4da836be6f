"""Any number of fuzzed messages through the engine: none may raise, and every decision keeps to the closed lists.

python -m benchmarks.fuzz                            FUZZ_MESSAGES messages, or 1,000,000
python -m benchmarks.fuzz --messages 20000
python -m benchmarks.fuzz --processes 16             on so many cores; the findings are the same
python -m benchmarks.fuzz --start 400000             goes on where a run was broken off
python -m benchmarks.fuzz --messages 1 --start 4711 --show
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from array import array
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import get_args

from benchmarks.fuzz_messages import Fuzzed, MessageMaker
from domains.deciders import load_decider
from domains.loading import load_domain
from engine.decision import Action, Decider, Decision, Reason
from engine.values import Span
from evals.cases import load_cases
from evals.intervals import quantile
from evals.scorers import problem_of

DEFAULT_MESSAGES = 1_000_000
MOST_MS = 50
"""Of CPU, for any message."""
_WITHOUT_CALL = ("undo", "redo")
"""What is done by the audit trail, not by a tool."""
_TRIES = 3
_SHOWN = 10
_PIECE = 2_000
"""Messages that are handed out, and counted, together: some ten seconds of a core."""


@dataclass
class Findings:
    """What a run has seen so far."""

    times_us: array[float] = field(default_factory=lambda: array("d"))
    kinds: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int, int] = (0.0, 0, 0)
    """Microseconds, the number of the message, its length."""
    broken: list[str] = field(default_factory=list)
    slow: list[int] = field(default_factory=list)
    """The numbers of messages over `MOST_MS`; each is among what is broken, too."""

    def add(self, other: Findings) -> None:
        self.times_us.extend(other.times_us)
        self.kinds.update(other.kinds)
        self.actions.update(other.actions)
        self.slowest = max(self.slowest, other.slowest)
        self.broken += other.broken
        self.slow += other.slow


def run(maker: MessageMaker, start: int, count: int, findings: Findings, decider: Decider | None = None) -> None:
    decider = decider or load_decider()
    for language in load_domain().languages:  # the policies are read once, and not on a message's time
        decider.decide("hello", replace(maker.make(start).context, language=language))
    for number in range(start, start + count):
        message = maker.make(number)
        began = time.perf_counter_ns()
        try:
            decision = decider.decide(message.text, message.context)
        except Exception as error:  # a bug: the run goes on, to find the others too
            findings.broken.append(f"message {number} ({message.kind}): {type(error).__name__}: {error}")
            continue
        elapsed_us = (time.perf_counter_ns() - began) / 1000
        findings.times_us.append(elapsed_us)
        findings.kinds[message.kind] += 1
        findings.actions[decision.action] += 1
        findings.slowest = max(findings.slowest, (elapsed_us, number, len(message.text)))
        findings.broken += [f"message {number} ({message.kind}): {each}" for each in faults(message, decision)]
        if elapsed_us > MOST_MS * 1000 and (least := least_cpu_ms(decider, message)) > MOST_MS:
            findings.broken.append(f"message {number} ({message.kind}): takes {least:.0f} ms")
            findings.slow.append(number)


def least_cpu_ms(decider: Decider, message: Fuzzed) -> float:
    """What the message itself takes, whatever else the machine was doing."""
    times = []
    for _ in range(_TRIES):
        began = time.process_time_ns()
        decider.decide(message.text, message.context)
        times.append((time.process_time_ns() - began) / 1_000_000)
    return min(times)


def faults(message: Fuzzed, decision: Decision) -> Iterator[str]:
    """What no decision may be, whatever was said."""
    if decision.action not in get_args(Action):
        yield f"the action {decision.action!r}"
    if decision.intent not in load_domain().catalogue.intents:
        yield f"the intent {decision.intent!r}"
    if decision.reason not in Reason:
        yield f"the reason {decision.reason!r}"
    if decision.confidence is None or not 0 <= decision.confidence <= 1:
        yield f"the confidence {decision.confidence}"
    if decision.act not in _WITHOUT_CALL and bool(decision.calls) != (decision.action in ("execute", "confirm")):
        yield f"{decision.action} with {len(decision.calls)} calls"
    for call in decision.calls:
        if problem := problem_of(call):
            yield f"{call.tool_name}: {problem}"
        # Only the answer to "shall I delete it?" deletes.
        if call.tool_name == "delete_task" and decision.action == "execute" and message.context.pending is None:
            yield "deletes unasked"
    if any(not 0 <= span.start <= span.end <= len(message.text) for span in _spans(decision)):
        yield "a span outside the text"


def _spans(decision: Decision) -> Iterator[Span]:
    spans = [factor.span for factor in decision.ledger]
    spans += [piece.span for score in decision.scores for piece in score.evidence]
    spans += [argument.provenance.span for call in decision.calls for argument in call.arguments]
    return (span for span in spans if span)


def report(findings: Findings) -> str:
    times = sorted(findings.times_us)
    slowest_us, number, length = findings.slowest
    lines = [
        f"messages                 {len(times):,}",
        f"  by kind                {_counts(findings.kinds)}",
        f"  by action              {_counts(findings.actions)}",
    ]
    if times:
        lines += [
            f"time per message         median {quantile(times, 0.5):,.0f} us, p99 {quantile(times, 0.99):,.0f} us",
            f"slowest                  {slowest_us / 1000:,.1f} ms: message {number}, {length:,} characters",
        ]
    if findings.slow:
        lines.append(f"{f'over {MOST_MS} ms of CPU':24} {len(findings.slow)}: {', '.join(map(str, findings.slow))}")
    lines.append(f"exceptions and faults    {len(findings.broken)}")
    return "\n".join([*lines, *(f"  {each}" for each in findings.broken[:_SHOWN])])


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counter.most_common())


def run_pieces(maker: MessageMaker, pieces: list[range], processes: int) -> Iterator[Findings]:
    """The findings of each piece, in order, so that what is done is always a first part."""
    if processes == 1:
        for piece in pieces:
            findings = Findings()
            run(maker, piece.start, len(piece), findings)
            yield findings
        return
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawning, _begin_process, (maker.seed,)) as pool:
        try:
            yield from pool.map(_run_piece, pieces)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_makers: list[MessageMaker] = []
"""Of this process: a maker holds a context for every case, which is not sent with each piece."""


def _begin_process(seed: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who breaks off asks the first process; these end their piece
    _makers.append(MessageMaker(load_cases(), seed))


def _run_piece(piece: range) -> Findings:
    findings = Findings()
    run(_makers[0], piece.start, len(piece), findings)
    return findings


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked = int(os.environ.get("FUZZ_MESSAGES", DEFAULT_MESSAGES))
    parser.add_argument("--messages", type=int, default=asked, help="how many; the environment's FUZZ_MESSAGES counts")
    parser.add_argument("--start", type=int, default=0, metavar="NUMBER", help="the first message")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="how many at a time; a core each")
    parser.add_argument("--show", action="store_true", help="print the messages instead of running them")
    options = parser.parse_args(arguments)
    maker, findings = MessageMaker(load_cases(), options.seed), Findings()
    if options.show:
        for number in range(options.start, options.start + options.messages):
            print(f"{number}: {maker.make(number).text!a}")
        return 0
    ends = options.start + options.messages
    pieces = [range(first, min(first + _PIECE, ends)) for first in range(options.start, ends, _PIECE)]
    done = 0
    try:
        for piece, found in zip(pieces, run_pieces(maker, pieces, options.processes), strict=True):
            findings.add(found)
            done += len(piece)
            print(f"\r{done:,} of {options.messages:,}", end="\r", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print(f"broken off: go on with --start {options.start + done}")
    print(report(findings))
    return 1 if findings.broken else 0


if __name__ == "__main__":
    sys.exit(main())
